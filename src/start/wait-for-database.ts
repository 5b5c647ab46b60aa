// Waits for a database that is away for a moment: a Postgres that recovers after a crash, that is restarted, that a
// supervisor starts together with Kassa, or a standby that is being promoted. What it waits for is told, and the time is
// bounded; what does not pass by itself, such as a wrong password, is thrown at once.
import { setTimeout as sleep } from 'node:timers/promises';
import type { Config } from '../config.ts';
import { codeOf, DatabaseAway, READ_ONLY } from '../store/connections/pool.ts';
import { explainDatabaseError } from './explain.ts';

export type Waiting = {
  /** Told once for each reason. */
  readonly onWait: (why: string) => void;
  /** Settles when nobody wants to wait any longer. */
  readonly shutdown?: Promise<unknown>;
};

const LOOK_EVERY_MS = 500;

// Starting or stopping, ended by an administrator or a crash, no place left, a standby; nobody there at all, or nobody who
// answers in time; a name or a way that there is only when the container or the network behind it is up.
const PASSING = new Set<unknown>([
  '57P01',
  '57P02',
  '57P03',
  '53300',
  READ_ONLY,
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ETIMEDOUT',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
]);

/** What the driver says by itself has no code: of a connection that was taken and let go again, of a time that is over. */
function isPassing(error: unknown): boolean {
  const cause = error instanceof DatabaseAway ? error.cause : error;
  const code = codeOf(cause);
  return code === undefined ? /terminated unexpectedly|timeout/i.test(String(cause)) : PASSING.has(code);
}

/** Runs the work, again and again while the database is away; it must be such as can be begun anew. */
export async function whenDatabaseIsThere<Result>(
  config: Config,
  { onWait, shutdown }: Waiting,
  work: () => Promise<Result>,
): Promise<Result> {
  const deadline = performance.now() + config.databaseWaitMs;
  let isStopping = false;
  const ended = shutdown?.then(() => (isStopping = true));
  let told = '';
  for (;;) {
    try {
      return await work();
    } catch (error) {
      const leftMs = deadline - performance.now();
      // The embedded one was awaited when it was started.
      if (config.databaseUrl === undefined || isStopping || leftMs <= 0 || !isPassing(error)) throw error;
      const { message: why } = explainDatabaseError(error, config) as Error;
      if (why !== told) onWait(why);
      told = why;
      const pause = sleep(Math.min(LOOK_EVERY_MS, leftMs));
      await (ended === undefined ? pause : Promise.race([pause, ended]));
    }
  }
}
