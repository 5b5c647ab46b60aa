// The request log of a process: a connection of its own, for which no payment waits, and what is done with what was
// gathered when the process ends.
import { setTimeout as sleep } from 'node:timers/promises';
import type { Metrics } from '../ops/metrics.ts';
import { openPool } from '../store/connections/pool.ts';
import type { Database } from '../store/connections/servers.ts';
import { RequestLog } from '../store/request-log/writer.ts';
import type { Opened } from './process.ts';

const LOCK_TIMEOUT_MS = 500;
// For so long an end waits for the last requests to be written; those of a database that is away are lost.
const LAST_WRITE_MS = 3_000;

/** Undefined where none is kept. */
export function openRequestLog(
  { config, openings }: Pick<Opened, 'config' | 'openings'>,
  database: Database,
  metrics: Metrics,
): RequestLog | undefined {
  if (config.retention.requestLogMs === 0) return undefined;
  const pool = openPool(database, { size: 1, lookUpsOnly: true, lockTimeoutMs: LOCK_TIMEOUT_MS });
  const log = new RequestLog(pool, (outcome, count) => metrics.onLogged(outcome, count));
  const writeAll = async (): Promise<void> => {
    // What is under way takes what was there when it began.
    await log.write().catch(() => {});
    await log.write().catch(() => {});
    await pool.close();
  };
  openings.add('request log', () => Promise.race([writeAll(), sleep(LAST_WRITE_MS, undefined, { ref: false })]));
  return log;
}
