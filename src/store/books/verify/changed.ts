// What was changed since a time, by the timestamps in the database. Changes by hand leave none: a full check finds
// those.
import type { PoolClient } from 'pg';
import { NO_ID } from '../../../domain/id.ts';
import { NO_QUERY_TIMEOUT } from '../../connections/pool.ts';
import type { Pool } from '../../connections/pool.ts';
import { HORIZON } from '../walk-parts.ts';
import { withLongStatements } from './long-statements.ts';
import type { Walk } from './walks.ts';

const PAGE = 5_000;

/**
 * $1 since when. A payment changes with a movement, an event or an idempotency record, or has a row in payment_changes,
 * whose time is that of a process: one whose clock is an hour behind is missed. Payouts and bulks are filled for days
 * after they were created.
 */
const CHANGED = `
  select part, id from payments where created_at >= $1::timestamptz
  union all
  select movements.part, payment_id from (select distinct unnest(parts) as part from merchants) as home
  join movements on movements.part = home.part and created_at >= $1::timestamptz
  union all
  select part, subject_id from events where recorded_at >= $1::timestamptz
  union all
  select part, subject_id from idempotency_records where created_at >= $1::timestamptz
  union all
  select part, payment_id from invoice_numbers where created_at >= $1::timestamptz
  union all
  select part, payment_id from payment_changes where happened_at >= $1::timestamptz - interval '1 hour'
  union all
  select part, id from subscriptions where created_at >= $1::timestamptz or ended_at >= $1::timestamptz
  union all
  select part, id from bulks where created_at >= $1::timestamptz - interval '7 days'
  union all
  select part, id from payouts where created_at >= $1::timestamptz - interval '7 days'`;

/** Materialized at once, so that no snapshot is held while its pages are checked. */
const DECLARE = `declare changed no scroll cursor with hold for
  select distinct part, id from (${CHANGED}) as changed
  where (part, id) >= ($2::smallint, $3::uuid) order by part, id`;

export const walkChanged = (pool: Pool, since: string, name = 'changed'): Walk => ({
  name,
  async *pieces([part, id] = [0, NO_ID]) {
    const over = Promise.withResolvers<void>();
    const lent = Promise.withResolvers<PoolClient>();
    const lending = pool.withClient((client) =>
      withLongStatements(client, async () => {
        await client.query({ text: DECLARE, values: [since, part, id], ...NO_QUERY_TIMEOUT });
        lent.resolve(client);
        await over.promise;
        await client.query('close changed');
      }),
    );
    lending.catch(lent.reject);
    const client = await lent.promise;
    try {
      for (;;) {
        const { rows } = await client.query<{ part: number; id: string }>(`fetch ${PAGE} from changed`);
        const last = rows.at(-1);
        if (last === undefined) return;
        const [parts, ids] = [rows.map((row) => row.part), rows.map((row) => row.id)];
        yield { range: { kind: 'some', parts, ids }, next: [last.part, last.id], payments: rows.length };
      }
    } finally {
      over.resolve();
      await lending;
    }
  },
});

export type Since = {
  /** By the database's clock, in its format; includes commits that began before and ended after it. */
  readonly at: string;
  /** Idempotency records that may have been open then are checked. */
  readonly answers: string;
  /** Figures are checked from the days that what was open then may have changed. */
  readonly firstDay: string;
};

const PARTS_OF_SINCE = `at::text, (at - interval '1 day')::text as answers,
  ((at at time zone 'UTC')::date - 7)::text as "firstDay"`;

/** As others write it. */
export const showSince = ({ at }: Since): string => at.replace(' ', 'T').replace(/\+00$/, 'Z');

/** Relative to now, or a time; undefined if it is in the future. */
export async function readSince(
  pool: Pool,
  given: { readonly agoMs: number } | { readonly atMs: number },
): Promise<Since | undefined> {
  const [text, ms] =
    'agoMs' in given
      ? [`now() - interval '1 millisecond' * $1::float8`, given.agoMs]
      : ['to_timestamp($1::float8 / 1000)', given.atMs];
  const [row] = await pool.query<Since & { isOver: boolean }>(
    `select ${PARTS_OF_SINCE}, "isOver"
     from (select since - interval '10 minutes' as at, since <= now() as "isOver" from (select ${text} as since) as given)
       as counted`,
    [ms],
  );
  if (!row?.isOver) return undefined;
  return { at: row.at, answers: row.answers, firstDay: row.firstDay };
}

/** Changes from now on, including those in progress. */
export async function readBeginning(pool: Pool): Promise<Since> {
  const [row] = await pool.query<Since>(`select ${PARTS_OF_SINCE} from (select ${HORIZON} as at) as horizon`);
  return row as Since;
}

/** The number of changed rows. */
export const COUNT_CHANGED = `with changed as materialized (
    select distinct part, id from (${CHANGED}) as each
  ),
  payment as materialized (
    select merchant_id from changed join payments using (part, id)
  ),
  movement as materialized (
    select state from changed join movements on movements.part = changed.part and payment_id = changed.id
  )
  select (select count(distinct merchant_id) from payment) as merchants,
    (select count(*) from payment) as payments,
    (select count(*) from movement) as movements,
    (select count(*) from movement where state = 'pending') as pending,
    (select count(*) from changed join events on events.part = changed.part and subject_id = changed.id) as events,
    (select count(*) from idempotency_records where created_at >= $1::timestamptz) as "idempotencyRecords"`;
