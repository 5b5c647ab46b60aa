// Deletes expired data: sessions and links, the request log, idempotency records, deliveries, events, entries of bulks,
// and payments that never held money, each when it has expired by the clock of the database. It works in small steps,
// with pauses several times as long, so that it takes a small share of the database. One process at a time does it for
// all; if it dies, another takes over.
import { setTimeout as sleep } from 'node:timers/promises';
import type { Pool } from '../connections/pool.ts';
import { purgeBulks } from './bulks.ts';
import { purgeClockMoves } from './clock-moves.ts';
import { purgeEvents } from './events.ts';
import { purgeExpiredPayments } from './expired-payments.ts';
import { purgeIdempotencyRecords } from './idempotency-records.ts';
import { purgeLeftovers } from './leftovers.ts';
import { purgeRequestLog } from './request-log.ts';
import { purgeSessions } from './sessions.ts';
import { inUnsyncedTransaction } from '../connections/transaction.ts';

/** In milliseconds; undefined: forever. */
export type Retention = {
  readonly eventsMs: number | undefined;
  readonly deliveriesMs: number | undefined;
  readonly idempotencyMs: number | undefined;
  readonly bulksMs: number | undefined;
  readonly expiredMs: number | undefined;
  /** 0: none are kept any more. */
  readonly requestLogMs: number;
};

/** Rows deleted, by table. */
export type Purged = Readonly<Record<string, number>>;

// A third of the time of one connection: thousands of events per second.
const LONGER_THAN_IT_TAKES = 2;
const SHORTEST_PAUSE_MS = 5;
const LONGEST_PAUSE_MS = 5_000;
// A process that has not completed a step for this long is dead or disconnected.
const LEASE_S = 60;
const RENEW_EVERY_MS = 15_000;

async function* purgeAll(pool: Pool, retention: Retention) {
  const { eventsMs, deliveriesMs, idempotencyMs, bulksMs, expiredMs, requestLogMs } = retention;
  yield* purgeSessions(pool);
  yield* purgeRequestLog(pool, requestLogMs);
  if (idempotencyMs !== undefined) yield* purgeIdempotencyRecords(pool, idempotencyMs);
  if (idempotencyMs !== undefined) yield* purgeClockMoves(pool, idempotencyMs);
  if (bulksMs !== undefined) yield* purgeBulks(pool, bulksMs);
  if (expiredMs !== undefined) yield* purgeExpiredPayments(pool, expiredMs);
  if (eventsMs !== undefined) yield* purgeEvents(pool, 'events', eventsMs);
  if (deliveriesMs !== undefined) yield* purgeLeftovers(pool, deliveriesMs);
  // They expire with their events at the latest.
  if (deliveriesMs !== undefined && deliveriesMs < (eventsMs ?? Number.POSITIVE_INFINITY))
    yield* purgeEvents(pool, 'deliveries', deliveriesMs);
}

/** Claims the purge; false if it is not due, or another process has it. */
async function claim(pool: Pool): Promise<boolean> {
  const rows = await pool.query(
    `update housekeeping set next_run_at = now() + make_interval(secs => ${LEASE_S})
     where job = 'purge' and next_run_at <= now() returning 1`,
  );
  return rows.length > 0;
}

const putOff = (pool: Pool, seconds: number): Promise<unknown> =>
  inUnsyncedTransaction(pool, (client) =>
    client.query(`update housekeeping set next_run_at = now() + make_interval(secs => $1) where job = 'purge'`, [
      seconds,
    ]),
  );

export type Purging = {
  readonly retention: Retention;
  /** When it is due again, for all processes. */
  readonly everyMs: number;
  readonly signal: AbortSignal;
  readonly onStep: (purged: Purged) => void;
};

/** Deletes everything that has expired, if the purge is due and no other process is at it. */
export async function purge(pool: Pool, { retention, everyMs, signal, onStep }: Purging): Promise<void> {
  if (!(await claim(pool))) return;
  let renewedAt = performance.now();
  let beganAt = performance.now();
  for await (const purged of purgeAll(pool, retention)) {
    onStep(purged);
    const tookMs = performance.now() - beganAt;
    const pauseMs = Math.min(LONGEST_PAUSE_MS, Math.max(SHORTEST_PAUSE_MS, tookMs * LONGER_THAN_IT_TAKES));
    await sleep(pauseMs, undefined, { signal }).catch(() => {});
    if (signal.aborted) return putOff(pool, 0).then(() => undefined);
    beganAt = performance.now();
    if (beganAt - renewedAt < RENEW_EVERY_MS) continue;
    await putOff(pool, LEASE_S);
    renewedAt = performance.now();
  }
  await putOff(pool, everyMs / 1_000);
}
