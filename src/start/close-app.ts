// Closes the server without losing a request: responses announce that the connection closes, then no new connections are
// accepted, idle ones are closed, and requests in progress are answered.
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import type { FastifyInstance } from 'fastify';
import type { Opened } from './process.ts';

// Clients would keep connections alive whose last request was in progress at the close.
const CLOSE_IDLE_EVERY_MS = 50;
// A busy client sends its next request within this time, and its response then announces the close.
const LAST_CALL_MS = 250;
// If another process has already taken over, slower clients have time.
const LAST_CALL_OF_REPLACED_MS = 5_000;

/** Keeps serving for a moment while clients are connected. */
async function callLast({ server }: FastifyInstance, forMs: number): Promise<void> {
  const until = performance.now() + forMs;
  const count = promisify(server.getConnections.bind(server));
  while (performance.now() < until && (await count()) > 0) await sleep(CLOSE_IDLE_EVERY_MS);
}

/** How much longer responses announce the close, in addition to the drain time. */
function lastCallMsIn({ config, shutdown }: Opened): number {
  const { isOrphaned, isReplaced } = shutdown.cause() ?? {};
  // The replacement of an orphan needs its port.
  if (isOrphaned) return 0;
  if (isReplaced) return LAST_CALL_OF_REPLACED_MS;
  return config.drainMs < LAST_CALL_MS ? LAST_CALL_MS : 0;
}

export async function closeApp(app: FastifyInstance, opened: Opened): Promise<void> {
  await callLast(app, lastCallMsIn(opened));
  const idle = setInterval(() => app.server.closeIdleConnections(), CLOSE_IDLE_EVERY_MS);
  await app.close().finally(() => clearInterval(idle));
}
