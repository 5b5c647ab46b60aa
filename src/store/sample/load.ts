// Creates sample payments by the million, to see how lists, figures and checks perform. Postgres generates them, per
// shop from the oldest on: into empty tables all at once, otherwise a batch per transaction, two shops at a time.
import { randomBytes } from 'node:crypto';
import type { PoolClient } from 'pg';
import type { Merchant } from '../../domain/merchant.ts';
import { NO_QUERY_TIMEOUT } from '../connections/pool.ts';
import type { Pool } from '../connections/pool.ts';
import { LIMIT_STATEMENTS } from '../connections/session-settings.ts';
import { HORIZON } from '../books/walk-parts.ts';
import { loadAtOnce, SAMPLE_TABLES } from './at-once.ts';
import type { LastStep, OnIndexed } from './at-once.ts';
import { MAKE } from './statement.ts';

// About a second of work.
const BATCH = 5_000;
// Within the retention of events. Movements follow each other closely, so that a batch ends before the next begins and
// walks such as payouts meet them in order.
const SPREAD_DAYS = 60;
const DAY_MS = 86_400_000;
// Within the default retention of idempotency records.
const ANSWERS_DAYS = 7;

// The planner knows how many there are.
const ANALYZE = `analyze ${SAMPLE_TABLES.join(', ')}`;

export type SampleShare = { readonly merchant: Merchant; readonly payments: number };

/**
 * If nothing was walked yet and nothing is waiting, the walk of facets begins after the new payments, which come with
 * facets.
 */
const BEGIN_FACETS = `update housekeeping set walked_to = ${HORIZON} - interval '1 microsecond'
  where job = 'facets' and walked_to = '-infinity' and not exists (select 1 from payments)`;

/** $1 parts. The new payments come with facets, so the walk of movements begins after them. */
const BEGIN_MOVED = `insert into facet_walks (part, walked_at)
  select part, ${HORIZON} from unnest($1::smallint[]) as home (part) on conflict do nothing`;

/** $1 parts, $2 until when. Figures are included if the walk of figures does not meet these movements. */
const BEGIN_FIGURES = `insert into figure_walks (part, walked_at)
  select part, to_timestamp($2::float8 / 1000) from unnest($1::smallint[]) as home (part)
  on conflict (part) do update set walked_at = excluded.walked_at
  where figure_walks.walked_at < excluded.walked_at
    and not exists (select 1 from movements where movements.part = figure_walks.part)`;
const HAS_BEGUN = `select bool_and(walked_at >= to_timestamp($2::float8 / 1000)) as "isThere"
  from figure_walks where part = any ($1::smallint[])`;

/** After a crash, run it again; references are correct by construction. */
async function makeQuick(client: PoolClient): Promise<void> {
  await client.query('set synchronous_commit = off; set statement_timeout = 0');
  await client.query('set session_replication_role = replica').catch(() => {});
}

const makeUsual = (client: PoolClient): Promise<unknown> =>
  client.query(`set synchronous_commit = on; ${LIMIT_STATEMENTS} reset session_replication_role`);

export type SampleProgress = {
  readonly onMade: (payments: number) => void;
  readonly onIndexed: OnIndexed;
  readonly onStep: (step: LastStep) => void;
};

type Loading = { readonly nowMs: number; readonly run: string; readonly onMade: (payments: number) => void };

/** Creates sample payments of a merchant, the oldest first, in its parts in turn. */
async function fill(client: PoolClient, share: SampleShare, { nowMs, run, onMade }: Loading): Promise<void> {
  const { merchant, payments } = share;
  // The last one is old enough to be complete.
  const [firstMs, endMs] = [nowMs - SPREAD_DAYS * DAY_MS, nowMs - DAY_MS];
  const stepMs = ((SPREAD_DAYS - 2) * DAY_MS) / payments;
  await client.query(BEGIN_MOVED, [merchant.parts]);
  await client.query(BEGIN_FIGURES, [merchant.parts, endMs]);
  const begun = await client.query<{ isThere: boolean }>(HAS_BEGUN, [merchant.parts, endMs]);
  for (let from = 0; from < payments; from += BATCH) {
    const to = Math.min(from + BATCH, payments) - 1;
    const part = merchant.parts[(from / BATCH) % merchant.parts.length];
    const place = [part, merchant.id, from, to, [firstMs, stepMs], run, merchant.parts[0]];
    const values = [...place, nowMs - ANSWERS_DAYS * DAY_MS, begun.rows[0]?.isThere === true];
    await client.query({ text: MAKE, values, ...NO_QUERY_TIMEOUT });
    onMade(to - from + 1);
  }
}

/** The first shop alone, since it has about as many as all others together. */
async function loadBesideOthers(pool: Pool, shares: readonly SampleShare[], loading: Loading): Promise<void> {
  const fillAll = (some: readonly SampleShare[]): Promise<void> =>
    pool.withClient(async (client) => {
      await makeQuick(client);
      try {
        for (const share of some) await fill(client, share, loading);
      } finally {
        await makeUsual(client).catch(() => {});
      }
    });
  await pool.query(BEGIN_FACETS);
  await Promise.all([fillAll(shares.slice(0, 1)), fillAll(shares.slice(1))]);
}

/** Creates sample payments of each merchant. */
export async function loadSample(
  pool: Pool,
  shares: readonly SampleShare[],
  nowMs: number,
  { onMade, onIndexed, onStep }: SampleProgress = { onMade: () => {}, onIndexed: () => {}, onStep: () => {} },
): Promise<void> {
  let made = 0;
  const run = randomBytes(2).toString('hex');
  const loading = { nowMs, run, onMade: (payments: number) => onMade((made += payments)) };
  const makeAll = async (client: PoolClient): Promise<void> => {
    await client.query(BEGIN_FACETS);
    for (const share of shares) await fill(client, share, loading);
  };
  if (!(await loadAtOnce(pool, makeAll, { onIndexed, onStep }))) await loadBesideOthers(pool, shares, loading);
  onStep('analyze');
  await pool.withClient(async (client) => {
    // With millions of rows it takes longer than the statement timeout.
    await client.query('set statement_timeout = 0');
    try {
      await client.query({ text: ANALYZE, ...NO_QUERY_TIMEOUT });
    } finally {
      await client.query(LIMIT_STATEMENTS).catch(() => {});
    }
  });
}
