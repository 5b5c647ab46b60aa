// Maintains the facets of payments. Each payment is visited when it is new, and again with each of its movements, both
// in the order in which they were written, a page per transaction that also saves the position, so that any process can
// do it, none is left out, and a crash costs nothing. Payments that are pending are visited until they are not.
// Concurrent visits cannot undo each other: the later version wins.
import type { Pool } from '../../connections/pool.ts';
import { withinTransaction } from '../../connections/transaction.ts';
import { beginWalks, PAGE, walkMovements } from '../../books/walk-movements.ts';
import type { MovementWalk } from '../../books/walk-movements.ts';
import { HORIZON, walkParts } from '../../books/walk-parts.ts';
import { FACETS, FACETS_OF_PAYMENT } from './facets.ts';

// Whatever was missed for an unknown reason is corrected after this time.
const AGAIN_AFTER = `interval '7 days'`;

const theirs = (row: string): string => FACETS.map((facet) => `${row}.${facet}`).join();

/** Writes facets of the payments that a condition on `payment` selects. Unchanged ones are not written. */
const list = (condition: string): string => `insert into payment_facets
    (part, payment_id, merchant_id, version, ${FACETS.join()})
  select ${FACETS_OF_PAYMENT} from payments as payment where ${condition}
  order by part, id
  on conflict (part, payment_id) do update set
    version = excluded.version, ${FACETS.map((facet) => `${facet} = excluded.${facet}`).join()}
  where payment_facets.version <= excluded.version
    and ((${theirs('payment_facets')}) is distinct from (${theirs('excluded')})
      or (excluded.standing = 'pending' and payment_facets.version < excluded.version))`;

/**
 * $1 the job. The next page by age, after `from` up to `to`. At its end, the walk of new payments has reached the
 * latest, and the other walk is complete.
 */
const NEXT_BY_AGE = `with walk as (
    select walked_to, ${HORIZON} as horizon from housekeeping where job = $1 for update skip locked
  ),
  page as (
    select count(*) as count, max(created_at) as last from (
      select created_at from payments, walk
      where created_at > walk.walked_to and created_at < walk.horizon
      order by created_at limit ${PAGE}
    ) as oldest
  )
  update housekeeping
  set walked_to = case when page.count = ${PAGE} then page.last
    when job = 'facets' then greatest(walk.walked_to, walk.horizon - interval '1 microsecond') else 'infinity' end
  from walk, page where job = $1
  returning walk.walked_to::text as from, least(housekeeping.walked_to, walk.horizon)::text as to,
    page.count = ${PAGE} as "hasMore"`;

const LIST_BY_AGE = list('created_at > $1::timestamptz and created_at <= $2::timestamptz');

const AGAIN = `update housekeeping set walked_to = '-infinity', walk_began_at = now()
  where job = 'facets again' and walk_began_at < now() - ${AGAIN_AFTER}`;

/** $1 part. */
const LIST_KNOWN = list(`part = $1 and id in (
  select facets.payment_id from payment_facets as facets
  join payments as known on known.part = facets.part and known.id = facets.payment_id
  where facets.part = $1 and facets.standing = 'pending' and known.version > facets.version limit ${PAGE})`);

/**
 * Payments are walked from the first on, at any time: so a movement before the walk of movements is covered by its
 * payment, provided that the walk begins before anything in its part was visited.
 */
const WALK: MovementWalk = {
  table: 'facet_walks',
  from: HORIZON,
  alsoDue: `exists (
        select 1 from payment_facets as facets
        join payments as payment on payment.part = facets.part and payment.id = facets.payment_id
        where facets.part = walk.part and standing = 'pending' and payment.version > facets.version)`,
  columns: 'created_at, id, payment_id',
  meet: `listed as (${list('part = $1 and id in (select payment_id from movement)')})`,
  otherwise: LIST_KNOWN,
};

type Page = { readonly from: string; readonly to: string; readonly hasMore: boolean };

/** One page of payments; false at the end, or if another process has it. */
const stepByAge = (pool: Pool, job: string): Promise<boolean> =>
  withinTransaction(pool, async (within) => {
    const [page] = await within.query<Page>(NEXT_BY_AGE, [job]);
    if (page === undefined) return false;
    await within.query(LIST_BY_AGE, [page.from, page.to]);
    return page.hasMore;
  });

/** Updates facets of everything committed, in small steps with pauses. */
export async function gatherFacets(pool: Pool, signal: AbortSignal): Promise<void> {
  await beginWalks(pool, WALK);
  await walkParts(signal, () => stepByAge(pool, 'facets'));
  await walkMovements(pool, signal, WALK);
  await pool.query(AGAIN);
  await walkParts(signal, () => stepByAge(pool, 'facets again'));
}
