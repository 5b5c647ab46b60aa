// Payouts without waiting for a day to end: movements are dated back, and the days that are over are gathered at once.
import type { Merchant } from '../../src/domain/merchant.ts';
import { gatherPayouts } from '../../src/store/books/payouts/gather.ts';
import type { Pool } from '../../src/store/connections/pool.ts';
import { withinTransaction } from '../../src/store/connections/transaction.ts';
import { until } from './kassa.ts';

const NEVER = new AbortController().signal;

/** The service gathers as well: what it has in hand is waited for. */
export const gatherNow = (pool: Pool): Promise<unknown> =>
  until('all days that are over are gathered', async () => {
    await gatherPayouts(pool, NEVER);
    const left = `select 1 from payout_walks where day < ((now() - interval '10 minutes') at time zone 'UTC')::date`;
    return (await pool.query(left)).length === 0;
  });

/**
 * Opens shops until one shares its parts with none before it: what is dated back in a part that has been walked over for
 * another would be behind the walk.
 */
export async function openInOwnParts<Opened extends { readonly merchant: Merchant }>(
  pool: Pool,
  open: () => Promise<Opened>,
): Promise<Opened> {
  for (;;) {
    const opened = await open();
    const { id, parts } = opened.merchant;
    const others = await pool.query('select 1 from merchants where id <> $1 and parts && $2::smallint[]', [id, parts]);
    if (others.length === 0) return opened;
  }
}

/** What was dated back would be behind the walk of facets: it begins anew. */
export const forgetFacets = (pool: Pool): Promise<unknown> =>
  pool.query(
    `with walks as (delete from facet_walks)
     update housekeeping set walked_to = '-infinity' where job = 'facets'`,
  );

/** Changes when movements were; what was added up for their days is forgotten with it, and added up anew. */
export const redate = (pool: Pool, text: string, values: readonly unknown[]): Promise<void> =>
  withinTransaction(pool, async (within) => {
    // Whoever is adding up has finished its step, and begins the next one with what is changed here.
    await within.query('lock table figure_walks in exclusive mode');
    await within.query(text, values);
    await forgetFacets(within);
    await within.query(
      `with figures as (delete from daily_figures), waits as (delete from figure_waits) delete from figure_walks`,
    );
  });

/** Dates movements of payments back, all at once, to days which their parts have not been walked over yet. */
export async function dateBack(
  pool: Pool,
  { parts }: Merchant,
  days: Readonly<Record<string, readonly string[]>>,
): Promise<void> {
  const dated = Object.entries(days).flatMap(([day, ids]) => ids.map((id) => ({ id, day })));
  await redate(
    pool,
    `with dated as (
       update movements set created_at = day + interval '12 hours' + sequence * interval '1 second'
       from json_to_recordset($1) as back (id uuid, day date) where payment_id = back.id
     )
     insert into payout_walks (part, day) select unnest($2::smallint[]), $3
     on conflict (part) do update set day = excluded.day`,
    [JSON.stringify(dated), parts, Object.keys(days).toSorted()[0]],
  );
}

/** Keeps the movements of a merchant out of payouts, for tests that change when they were. */
export async function withoutPayouts(pool: Pool, { parts }: Merchant): Promise<void> {
  await pool.query(
    `insert into payout_walks (part, day) select unnest($1::smallint[]), 'infinity'
     on conflict (part) do update set day = excluded.day`,
    [parts],
  );
}
