// Waits for a database that is temporarily unavailable: recovering, restarting, starting together with Kassa, or a standby
// being promoted. The reason is logged and the time is bounded; permanent errors, such as a wrong password, are thrown
// immediately.
import { setTimeout as sleep } from 'node:timers/promises';
import type { Config } from '../config.ts';
import { codeOf, DatabaseAway, READ_ONLY } from '../store/connections/pool.ts';
import { explainDatabaseError } from './explain.ts';

export type Waiting = {
  /** Called once per reason. */
  readonly onWait: (why: string) => void;
  /** Resolves when waiting should stop. */
  readonly shutdown?: Promise<unknown>;
};

const RETRY_EVERY_MS = 500;

// Starting, stopping, terminated by an administrator or a crash, too many connections, a standby; no server, or a
// timeout; a host name or route that exists only once a container or network is up.
const TEMPORARY = new Set<unknown>([
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

/** Errors of the driver itself have no code: closed connections and timeouts. */
function isTemporary(error: unknown): boolean {
  const cause = error instanceof DatabaseAway ? error.cause : error;
  const code = codeOf(cause);
  return code === undefined ? /terminated unexpectedly|timeout/i.test(String(cause)) : TEMPORARY.has(code);
}

/** Runs the work, and retries it while the database is unavailable; it must be safe to retry. */
export async function whenDatabaseIsThere<Result>(
  config: Config,
  { onWait, shutdown }: Waiting,
  work: () => Promise<Result>,
): Promise<Result> {
  const deadline = performance.now() + config.databaseWaitMs;
  let isStopping = false;
  const ended = shutdown?.then(() => (isStopping = true));
  let lastReason = '';
  for (;;) {
    try {
      return await work();
    } catch (error) {
      const leftMs = deadline - performance.now();
      // The embedded Postgres is ready once it is started.
      if (config.databaseUrl === undefined || isStopping || leftMs <= 0 || !isTemporary(error)) throw error;
      const { message: why } = explainDatabaseError(error, config) as Error;
      if (why !== lastReason) onWait(why);
      lastReason = why;
      const pause = sleep(Math.min(RETRY_EVERY_MS, leftMs));
      await (ended === undefined ? pause : Promise.race([pause, ended]));
    }
  }
}
