// How processes that keep merchants and keys in memory hear that some have changed, and how whoever changed them knows that
// all have heard.
import { randomBytes } from 'node:crypto';
import type { Pool } from './pool.ts';
import { inUnsyncedTransaction } from './transaction.ts';

/** Processes that cache merchants and keys listen here; what a lost notice leaves stale, the cache's age ends. */
export const MERCHANTS_CHANNEL = 'kassa_merchants';
/** The channel for notices that there may be work. */
export const WORK_CHANNEL = 'kassa_work';
/** The name of their connections, by which they are found. */
export const LISTENER_NAME = 'kassa-listen';
/** How long a process may keep what it read: how long a revoked key could still be taken if its notice were lost. */
export const LONGEST_CACHE_AGE_MS = 5_000;

const HEARD_PAUSE_MS = 5;

/**
 * A notice of everything is 16 hex digits at random; one of a merchant has its number behind them. Who knows only the
 * former takes either for the whole.
 */
const NOTICE_DIGITS = 16;
const noticeOf = (merchantId?: number): string =>
  randomBytes(NOTICE_DIGITS / 2).toString('hex') + (merchantId?.toString(16) ?? '');

/** Whom a notice is about; undefined: all. */
export const merchantIn = (notice: string): number | undefined =>
  notice.length > NOTICE_DIGITS ? Number.parseInt(notice.slice(NOTICE_DIGITS), 16) : undefined;

/** What a listener says on its connection once it has dropped what it kept. */
export const heard = (notice: string): string => `select 'heard ${notice}'`;

/**
 * Tells every process to read anew, and waits until each has heard: who has revoked a key may rely on it. Where one
 * does not answer, what it keeps has come of age when this returns. Within a transaction that is after its commit. What
 * concerns one merchant alone leaves the others as they are.
 */
export async function announce(pool: Pool, merchantId?: number): Promise<void> {
  if (pool.afterCommit)
    return pool.afterCommit(merchantId === undefined ? announce : (after) => announce(after, merchantId));
  const notice = noticeOf(merchantId);
  const until = performance.now() + LONGEST_CACHE_AGE_MS;
  await pool.query('select pg_notify($1, $2)', [MERCHANTS_CHANNEL, notice]);
  const deaf = `select 1 from pg_stat_activity
    where application_name = $1 and datname = current_database() and query <> $2 limit 1`;
  while (performance.now() < until && (await pool.query(deaf, [LISTENER_NAME, heard(notice)])).length > 0)
    await new Promise((resolve) => setTimeout(resolve, HEARD_PAUSE_MS));
}

/**
 * Tells all processes that there may be work, this one included; within a transaction, after its commit. It waits for no
 * disk and no standby, and whatever is not told is found later.
 */
export async function tellOfWork(pool: Pool): Promise<void> {
  if (pool.afterCommit) return pool.afterCommit(tellOfWork);
  await inUnsyncedTransaction(pool, (client) => client.query('select pg_notify($1, $2)', [WORK_CHANNEL, ''])).catch(
    () => {},
  );
}
