// Payments whose stored facets may be outdated: too new for the walk, changed since, or pending when they were walked.
// There are few, except after a burst, or while a walk has just begun.
import { firstIdAt, NO_ID } from '../../../domain/id.ts';
import { plainId } from '../../statements/payment-row.ts';
import type { Pool } from '../../connections/pool.ts';

// Searched for one page.
const MOST_FRESH = 10_000;
// Ids contain the clocks of processes, which differ; a payment with an older id is listed once the walk reaches it.
const CLOCKS_DIFFER_MS = 300_000;

/** The write time from which the walk has not reached payments yet; null: it has reached none. */
const WALKED_TO = `select case when isfinite(walked_to) then floor(extract(epoch from walked_to) * 1000) end
  from housekeeping where job = $1`;

/** $1 merchant, $2 the first id that may be too new. */
const FRESH = `with home as materialized (select unnest(parts) as part from merchants where id = $1::bigint)
  select id from (
    (select id from payments where merchant_id = $1::bigint and id >= $2::uuid order by id desc limit ${MOST_FRESH + 1})
    union all
    (select movement.payment_id from home
     left join facet_walks as walk on walk.part = home.part
     cross join lateral (
       select payment_id from movements
       where movements.part = home.part and (created_at, id) > (
         coalesce(walk.walked_at, '-infinity'), coalesce(walk.walked_id, '00000000-0000-0000-0000-000000000000'))
       order by created_at, id limit ${MOST_FRESH + 1}
     ) as movement)
    union all
    (select payment_id from payment_facets where merchant_id = $1::bigint and standing = 'pending'
     limit ${MOST_FRESH + 1})
  ) as fresh (id) limit ${MOST_FRESH + 1}`;

/** Their ids, some of other merchants; undefined if there are too many. */
export async function findFresh(pool: Pool, merchantId: number): Promise<string[] | undefined> {
  const [walk] = await pool.run({ name: 'facets_walked_to', text: WALKED_TO }, ['facets']);
  const walkedTo = walk?.[0];
  // By real time: a test merchant's clock is never behind it.
  const first = walkedTo == null ? NO_ID : firstIdAt(Number(walkedTo) - CLOCKS_DIFFER_MS);
  // Unnamed, so that it is planned for the given values and the plan is not kept.
  const rows = await pool.run({ name: '', text: FRESH }, [merchantId, first]);
  if (rows.length > MOST_FRESH) return undefined;
  return [...new Set(rows.map(([id]) => plainId(id as string)))];
}
