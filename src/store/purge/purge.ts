// Forgets what is over: sessions and links, requests to the API, idempotency records, deliveries with what they left
// behind, events, entries of bulks, and payments that never held money, each when its time is over by the clock of the
// database. In small steps with pauses that are as long as several of them, so that it takes a small share of the
// database. One process does it at a time, for all; should it die, another takes over.
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

/** In milliseconds; undefined: for ever. */
export type Retention = {
  readonly eventsMs: number | undefined;
  readonly deliveriesMs: number | undefined;
  readonly idempotencyMs: number | undefined;
  readonly bulksMs: number | undefined;
  readonly expiredMs: number | undefined;
  /** 0: none is kept any more. */
  readonly requestLogMs: number;
};

/** Rows by table. */
export type Purged = Readonly<Record<string, number>>;

// A third of the time of one connection: thousands of events in a second.
const LONGER_THAN_IT_TAKES = 2;
const SHORTEST_PAUSE_MS = 5;
const LONGEST_PAUSE_MS = 5_000;
// Who has not done a step for so long is dead or cut off.
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
  // They end with their events at the latest.
  if (deliveriesMs !== undefined && deliveriesMs < (eventsMs ?? Number.POSITIVE_INFINITY))
    yield* purgeEvents(pool, 'deliveries', deliveriesMs);
}

/** Whether it is due, and ours. */
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
  /** After how long it is due again, for whichever process. */
  readonly everyMs: number;
  readonly signal: AbortSignal;
  readonly onStep: (purged: Purged) => void;
};

/** Forgets everything whose time is over, if it is due and nobody else is at it. */
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
