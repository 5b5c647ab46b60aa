// Payments that never were, by the million: for trying out how lists, figures and checks do with many. Postgres makes them
// itself, each shop from its oldest payment on: into empty tables all at once, otherwise a batch in a transaction, and two
// shops at a time.
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

// A second or so of work.
const BATCH = 5_000;
// Within the time for which events are kept. Movements follow each other at once, so that a batch ends before the next
// begins: what is walked over meanwhile, for payouts, is met in its order.
const SPREAD_DAYS = 60;
const DAY_MS = 86_400_000;
// Within the time for which answers are kept by default.
const ANSWERS_DAYS = 7;

// What is many at once is known to whoever plans.
const ANALYZE = `analyze ${SAMPLE_TABLES.join(', ')}`;

export type SampleShare = { readonly merchant: Merchant; readonly payments: number };

/** Where nothing was walked over yet and nothing waits for it, the walk of facets begins behind what comes with them. */
const BEGIN_FACETS = `update housekeeping set walked_to = ${HORIZON} - interval '1 microsecond'
  where job = 'facets' and walked_to = '-infinity' and not exists (select 1 from payments)`;

/** $1 parts. What comes has its facets: the walk of movements begins behind it. */
const BEGIN_MOVED = `insert into facet_walks (part, walked_at)
  select part, ${HORIZON} from unnest($1::smallint[]) as home (part) on conflict do nothing`;

/** $1 parts, $2 until when. Figures come along where the walk of figures does not meet these movements. */
const BEGIN_FIGURES = `insert into figure_walks (part, walked_at)
  select part, to_timestamp($2::float8 / 1000) from unnest($1::smallint[]) as home (part)
  on conflict (part) do update set walked_at = excluded.walked_at
  where figure_walks.walked_at < excluded.walked_at
    and not exists (select 1 from movements where movements.part = figure_walks.part)`;
const HAS_BEGUN = `select bool_and(walked_at >= to_timestamp($2::float8 / 1000)) as "isThere"
  from figure_walks where part = any ($1::smallint[])`;

/** What a crash loses is made again by asking again; what refers to what is right by the way it is made. */
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

/** Makes so many payments of a merchant, the oldest first, in its parts in turn. */
async function fill(client: PoolClient, share: SampleShare, { nowMs, run, onMade }: Loading): Promise<void> {
  const { merchant, payments } = share;
  // The last is old enough to be over and done with.
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

/** The first shop beside all others, which are about as many as it has. */
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

/** Makes so many payments of each merchant. */
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
    // Of millions it takes longer than a statement may.
    await client.query('set statement_timeout = 0');
    try {
      await client.query({ text: ANALYZE, ...NO_QUERY_TIMEOUT });
    } finally {
      await client.query(LIMIT_STATEMENTS).catch(() => {});
    }
  });
}
