// Verifies the books: walks all of them, or what was changed since a time, recomputes what can be recomputed, and
// reports every difference. An interrupted run can be resumed: it checks again what was changed since that run began,
// where differences were found, and what cannot be divided.
import type { PoolClient } from 'pg';
import { NO_QUERY_TIMEOUT } from '../connections/pool.ts';
import type { Pool } from '../connections/pool.ts';
import { COUNT_CHANGED, readBeginning, walkChanged } from './verify/changed.ts';
import type { Since } from './verify/changed.ts';
import { withLongStatements } from './verify/long-statements.ts';
import { runWalks } from './verify/run.ts';
import type { Difference, Reached } from './verify/run.ts';
import { PIECE, walkAnswers, walkFigures, walkIds, walkSeries } from './verify/walks.ts';
import type { Walk } from './verify/walks.ts';

export type { Difference } from './verify/run.ts';

export type Counts = {
  readonly merchants: number;
  readonly payments: number;
  readonly movements: number;
  readonly pending: number;
  readonly events: number;
  readonly idempotencyRecords: number;
};

/** From which an interrupted run resumes. Plain JSON without names. */
export type Checkpoint = {
  readonly began: Since;
  readonly since?: Since;
  readonly reached: Readonly<Record<string, Reached>>;
  /** About how many were checked. */
  readonly payments: number;
};

export type Verification = {
  /** Concurrent statements, each on a connection of the pool; one more finds out what to check. */
  readonly parallel?: number;
  /** Only what was changed since; otherwise everything. */
  readonly since?: Since;
  readonly from?: Checkpoint;
  /** Payments checked per statement. */
  readonly size?: number;
  /** `total` is an estimate; undefined if it is not known. */
  readonly onProgress?: (payments: number, total?: number) => void;
  /** After all payments: daily figures from that day on are checked, or those of all days. */
  readonly onFigures?: (payments: number, firstDay?: string) => void;
  readonly onCheckpoint?: (checkpoint: Checkpoint) => void;
};

export type Findings = {
  readonly counts: Counts;
  readonly differences: readonly Difference[];
  /** How many more differences there are than were kept. */
  readonly leftOut: number;
};

// Some tens of megabytes.
const MOST_KEPT = 100_000;

const COUNT_ALL = `select
  (select count(*) from merchants) as merchants,
  (select count(*) from payments) as payments,
  (select count(*) from movements) as movements,
  (select count(*) from movements where state = 'pending') as pending,
  (select count(*) from events) as events,
  (select count(*) from idempotency_records) as "idempotencyRecords"`;

/** What was changed since, and everything that depends on it. */
const walksSince = (pool: Pool, size: number, { at, answers, firstDay }: Since, prefix = ''): Walk[] => [
  walkChanged(pool, at, `${prefix}changed`),
  walkAnswers(pool, size, `${prefix}answers`, answers),
  walkFigures(pool, size, `${prefix}figures`, firstDay),
];

/** Walks that a resumed run repeats in full are not saved. */
const ANEW = /^(?:series|meanwhile )/;

async function count(client: PoolClient, since: Since | undefined): Promise<Counts> {
  const query = since ? { text: COUNT_CHANGED, values: [since.at] } : { text: COUNT_ALL };
  const { rows } = await client.query<Counts>({ ...query, ...NO_QUERY_TIMEOUT });
  return rows[0] as Counts;
}

/** Postgres's estimate; none if it has not analyzed the table yet. */
async function estimate(pool: Pool): Promise<number> {
  const [row] = await pool.query<{ count: number }>(
    `select greatest(reltuples, 0)::bigint as count from pg_class where oid = 'payments'::regclass`,
  );
  return row?.count ?? 0;
}

export async function verifyBooks(pool: Pool, verification: Verification = {}): Promise<Findings> {
  const { parallel = 1, since, from, size = PIECE, onProgress, onFigures, onCheckpoint } = verification;
  const began = from?.began ?? (await readBeginning(pool));
  const total = since ? undefined : await estimate(pool);
  const walks = [
    walkSeries(),
    ...(from ? walksSince(pool, size, began, 'meanwhile ') : []),
    ...(since
      ? walksSince(pool, size, since)
      : [walkIds(pool, size), walkAnswers(pool, size), walkFigures(pool, size)]),
  ];
  const differences = new Map<string, Difference>();
  let [found, payments] = [0, from?.payments ?? 0];
  await runWalks(pool, walks, {
    parallel,
    from: from?.reached ?? {},
    onFound: (some) => {
      for (const one of some) {
        // A difference that is found twice is reported once.
        const name = `${one.paymentId ?? ''} ${one.difference}`;
        if (differences.has(name)) continue;
        found += 1;
        if (differences.size < MOST_KEPT) differences.set(name, one);
      }
    },
    onReached: (all, { range, payments: more }) => {
      payments += more;
      if (range.kind !== 'figures') onProgress?.(payments, total);
      else onFigures?.(payments, /^\d/.test(range.from) ? range.from : undefined);
      const reached = Object.fromEntries(Object.entries(all).filter(([name]) => !ANEW.test(name)));
      onCheckpoint?.({ began, ...(since && { since }), reached, payments });
    },
  });
  const counts = await pool.withClient((client) => withLongStatements(client, () => count(client, since)));
  return { counts, differences: [...differences.values()], leftOut: found - differences.size };
}
