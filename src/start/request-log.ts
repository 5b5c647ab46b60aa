// The request log of a process. It has its own connection, so that payments never wait for it, and is flushed at shutdown.
import { setTimeout as sleep } from 'node:timers/promises';
import type { Metrics } from '../ops/metrics.ts';
import { openPool } from '../store/connections/pool.ts';
import type { Database } from '../store/connections/servers.ts';
import { RequestLog } from '../store/request-log/writer.ts';
import type { Opened } from './process.ts';

const LOCK_TIMEOUT_MS = 500;
// How long a shutdown waits for the last requests to be written; if the database is unavailable, they are lost.
const LAST_WRITE_MS = 3_000;

/** Undefined if requests are not kept. */
export function openRequestLog(
  { config, openings }: Pick<Opened, 'config' | 'openings'>,
  database: Database,
  metrics: Metrics,
): RequestLog | undefined {
  if (config.retention.requestLogMs === 0) return undefined;
  const pool = openPool(database, { size: 1, lookUpsOnly: true, lockTimeoutMs: LOCK_TIMEOUT_MS });
  const log = new RequestLog(pool, (outcome, count) => metrics.onLogged(outcome, count));
  const writeAll = async (): Promise<void> => {
    // An export in progress has only the spans from when it started.
    await log.write().catch(() => {});
    await log.write().catch(() => {});
    await pool.close();
  };
  openings.add('request log', () => Promise.race([writeAll(), sleep(LAST_WRITE_MS, undefined, { ref: false })]));
  return log;
}
