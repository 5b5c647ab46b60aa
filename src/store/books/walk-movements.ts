// A job that visits every movement once: it walks each part in the order in which movements were written, a page per
// transaction that also saves the position, so that any process can do it, none is left out or visited twice, and a
// crash costs nothing. Parts take turns.
import type { Pool } from '../connections/pool.ts';
import { withinTransaction } from '../connections/transaction.ts';
import { HORIZON, walkParts } from './walk-parts.ts';
import type { PartStep } from './walk-parts.ts';

/** Movements per transaction. */
export const PAGE = 1_000;

export type MovementWalk = {
  /** The table of positions. */
  readonly table: 'facet_walks' | 'figure_walks';
  /** The first movements of a part to visit. */
  readonly from: string;
  /** Other work that may be pending in the part of `walk`. */
  readonly alsoDue: string;
  /** The columns of a movement to read. */
  readonly columns: string;
  /** What to do with a page, as a query of a `with` in which `movement` is that page. $1 part. */
  readonly meet: string;
  /** What to do when a part has no movements left. $1 part. */
  readonly otherwise: string;
};

/** Creates the positions of parts that were not walked yet. */
export async function beginWalks(pool: Pool, { table, from }: MovementWalk): Promise<void> {
  await pool.query(`insert into ${table} (part, walked_at)
    select part, ${from} from (select distinct unnest(parts) as part from merchants) as home
    where not exists (select 1 from ${table} where ${table}.part = home.part)
    on conflict do nothing`);
}

/** $1 parts to leave out. The part with work that has waited longest, skipping those that other processes have. */
const claim = ({ table, alsoDue }: MovementWalk): string => `update ${table} set stepped_at = now()
  where part = (
    select part from ${table} as walk
    where part <> all ($1::smallint[]) and (
      exists (
        select 1 from movements where movements.part = walk.part
          and (created_at, id) > (walk.walked_at, walk.walked_id) and created_at < ${HORIZON})
      or ${alsoDue})
    order by stepped_at, part limit 1 for update skip locked
  )
  returning part, walked_at::text as "walkedAt", walked_id as "walkedId"`;

/** $1 part, $2 and $3 the last one visited. */
const meetNext = ({ table, columns, meet }: MovementWalk): string => `with movement as materialized (
    select ${columns} from movements
    where part = $1 and (created_at, id) > ($2::timestamptz, $3::uuid) and created_at < ${HORIZON}
    order by created_at, id limit ${PAGE}
  ),
  ${meet},
  last as (select created_at, id from movement order by created_at desc, id desc limit 1)
  update ${table} set walked_at = last.created_at, walked_id = last.id from last where part = $1 returning part`;

type Place = { readonly part: number; readonly walkedAt: string; readonly walkedId: string };

/** One step of one part; false if none has work. A single statement writes, so rows are locked in one order. */
const step = (pool: Pool, walk: MovementWalk, { failed, onClaimed }: PartStep): Promise<boolean> =>
  withinTransaction(pool, async (within) => {
    const [place] = await within.query<Place>(claim(walk), [failed]);
    if (place === undefined) return false;
    const { part, walkedAt, walkedId } = place;
    onClaimed(part);
    const met = await within.query(meetNext(walk), [part, walkedAt, walkedId]);
    if (met.length === 0) await within.query(walk.otherwise, [part]);
    return true;
  });

/** Visits everything committed, in small steps with pauses. */
export const walkMovements = (pool: Pool, signal: AbortSignal, walk: MovementWalk): Promise<void> =>
  walkParts(signal, (of) => step(pool, walk, of));
