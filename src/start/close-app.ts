// Closes the listening service so that no client loses a request: busy ones hear that their connection is to close, then
// nobody new is let in, idle connections are closed, and what is under way is answered.
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import type { FastifyInstance } from 'fastify';

// A connection whose last request was under way when we closed would be kept alive by its client.
const LOOK_EVERY_MS = 50;
// A busy client sends its next request within this; then it is told that its connection closes.
const LAST_CALL_MS = 250;

/** Serves on for a moment where clients hold connections. */
async function callLast({ server }: FastifyInstance): Promise<void> {
  const until = performance.now() + LAST_CALL_MS;
  const count = promisify(server.getConnections.bind(server));
  while (performance.now() < until && (await count()) > 0) await sleep(LOOK_EVERY_MS);
}

/** `drainedMs`: for how long answers have been saying that their connection closes. */
export async function closeApp(app: FastifyInstance, drainedMs: number): Promise<void> {
  if (drainedMs < LAST_CALL_MS) await callLast(app);
  const idle = setInterval(() => app.server.closeIdleConnections(), LOOK_EVERY_MS);
  await app.close().finally(() => clearInterval(idle));
}
