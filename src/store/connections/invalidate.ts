// Invalidates the caches of merchants and keys in all processes, and waits until all have done so.
import { randomBytes } from 'node:crypto';
import type { Pool } from './pool.ts';
import { inUnsyncedTransaction } from './transaction.ts';

/**
 * Processes that cache merchants and keys listen on this channel. If a notice is lost, the maximum age of the cache
 * limits the effect.
 */
export const MERCHANTS_CHANNEL = 'kassa_merchants';
/** The channel for notices of new work. */
export const WORK_CHANNEL = 'kassa_work';
/** The application_name of the listening connections, by which they are found. */
export const LISTENER_NAME = 'kassa-listen';
/** The maximum age of cached entries: how long a revoked key could still be accepted if its notice was lost. */
export const LONGEST_CACHE_AGE_MS = 5_000;

const HEARD_PAUSE_MS = 5;

/**
 * A notice about everything is 16 random hex digits; one about a merchant has the merchant's number after them. Older
 * versions invalidate everything for either.
 */
const NOTICE_DIGITS = 16;
const noticeOf = (merchantId?: number): string =>
  randomBytes(NOTICE_DIGITS / 2).toString('hex') + (merchantId?.toString(16) ?? '');

/** The merchant of a notice; undefined: all. */
export const merchantIn = (notice: string): number | undefined =>
  notice.length > NOTICE_DIGITS ? Number.parseInt(notice.slice(NOTICE_DIGITS), 16) : undefined;

/** The statement by which a listener confirms a notice after dropping its cache. */
export const heard = (notice: string): string => `select 'heard ${notice}'`;

/**
 * Invalidates the caches of all processes, and waits until each has confirmed, so that a revoked key is no longer
 * accepted when this returns. If a process does not confirm, its entries have expired by then. Within a transaction, it
 * runs after the commit. With a merchant, the others stay cached.
 */
export async function invalidateCaches(pool: Pool, merchantId?: number): Promise<void> {
  if (pool.afterCommit)
    return pool.afterCommit(
      merchantId === undefined ? invalidateCaches : (after) => invalidateCaches(after, merchantId),
    );
  const notice = noticeOf(merchantId);
  const until = performance.now() + LONGEST_CACHE_AGE_MS;
  await pool.query('select pg_notify($1, $2)', [MERCHANTS_CHANNEL, notice]);
  const deaf = `select 1 from pg_stat_activity
    where application_name = $1 and datname = current_database() and query <> $2 limit 1`;
  while (performance.now() < until && (await pool.query(deaf, [LISTENER_NAME, heard(notice)])).length > 0)
    await new Promise((resolve) => setTimeout(resolve, HEARD_PAUSE_MS));
}

/**
 * Notifies all processes, this one included, of new work; within a transaction, after the commit. It waits for no disk
 * and no standby; if a notice is lost, the work is found later.
 */
export async function notifyOfWork(pool: Pool): Promise<void> {
  if (pool.afterCommit) return pool.afterCommit(notifyOfWork);
  await inUnsyncedTransaction(pool, (client) => client.query('select pg_notify($1, $2)', [WORK_CHANNEL, ''])).catch(
    () => {},
  );
}
