// Payments whose facets may not be what is kept of them: those that are too new for the walk, moved since, or pending when
// they were met. Few, but for a flood or a walk that has just begun.
import { firstIdAt, NO_ID } from '../../../domain/id.ts';
import { plainId } from '../../statements/payment-row.ts';
import type { Pool } from '../../connections/pool.ts';

// What one page looks at.
const MOST_FRESH = 10_000;
// The clocks of processes, which ids carry, differ; a payment whose id is older still is listed when the walk meets it.
const CLOCKS_DIFFER_MS = 300_000;

/** Since when the payments were written that the walk has not met yet; null: it has met none. */
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

/** Their ids, some of other merchants; undefined when there are too many of them. */
export async function findFresh(pool: Pool, merchantId: number): Promise<string[] | undefined> {
  const [walk] = await pool.run({ name: 'facets_walked_to', text: WALKED_TO }, ['facets']);
  const walkedTo = walk?.[0];
  // By the real time: a test merchant that is ahead was never behind it.
  const first = walkedTo == null ? NO_ID : firstIdAt(Number(walkedTo) - CLOCKS_DIFFER_MS);
  // Without a name: a plan is made for the values that are there, and none is kept.
  const rows = await pool.run({ name: '', text: FRESH }, [merchantId, first]);
  if (rows.length > MOST_FRESH) return undefined;
  return [...new Set(rows.map(([id]) => plainId(id as string)))];
}
