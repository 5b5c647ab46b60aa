// Closes the listening service so that no client loses a request: busy ones hear that their connection is to close, then
// nobody new is let in, idle connections are closed, and what is under way is answered.
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import type { FastifyInstance } from 'fastify';
import type { Opened } from './process.ts';

// A connection whose last request was under way when we closed would be kept alive by its client.
const LOOK_EVERY_MS = 50;
// A busy client sends its next request within this; then it is told that its connection closes.
const LAST_CALL_MS = 250;
// Where another process serves already there is time for slower ones.
const LAST_CALL_OF_REPLACED_MS = 5_000;

/** Serves on for a moment where clients hold connections. */
async function callLast({ server }: FastifyInstance, forMs: number): Promise<void> {
  const until = performance.now() + forMs;
  const count = promisify(server.getConnections.bind(server));
  while (performance.now() < until && (await count()) > 0) await sleep(LOOK_EVERY_MS);
}

/** For how long answers are to say that their connection closes, beside the time for which they have said so already. */
function lastCallMsIn({ config, shutdown }: Opened): number {
  const { isOrphaned, isReplaced } = shutdown.cause() ?? {};
  // Whoever is started in the place of an orphan needs its port.
  if (isOrphaned) return 0;
  if (isReplaced) return LAST_CALL_OF_REPLACED_MS;
  return config.drainMs < LAST_CALL_MS ? LAST_CALL_MS : 0;
}

export async function closeApp(app: FastifyInstance, opened: Opened): Promise<void> {
  await callLast(app, lastCallMsIn(opened));
  const idle = setInterval(() => app.server.closeIdleConnections(), LOOK_EVERY_MS);
  await app.close().finally(() => clearInterval(idle));
}
