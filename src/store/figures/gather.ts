// Adds movements up into daily figures. Each part is walked in the order in which its movements were written, a page in a
// transaction with the place that it has got to; so every movement is counted once, by whichever process, and a crash costs
// nothing. What is pending when it is met is kept apart, and counted once its outcome is known, for the day on which it was
// asked for.
import type { Pool } from '../pool.ts';
import { withinTransaction } from '../transaction.ts';
import { HORIZON, walkParts } from '../walk-parts.ts';
import type { PartStep } from '../walk-parts.ts';
import { BY_FIGURE, FIGURE, OF_PAYMENT } from './counted.ts';

const PAGE = 1_000;

const BEGIN = `insert into figure_walks (part)
  select part from (select distinct unnest(parts) as part from merchants) as home
  where not exists (select 1 from figure_walks where figure_walks.part = home.part)
  on conflict do nothing`;

/** $1 parts to leave out. Whichever has something and waits longest; one that another process is at is passed over. */
const CLAIM = `update figure_walks set stepped_at = now()
  where part = (
    select part from figure_walks as walk
    where part <> all ($1::smallint[]) and (
      exists (
        select 1 from movements where movements.part = walk.part
          and (created_at, id) > (walk.walked_at, walk.walked_id) and created_at < ${HORIZON})
      or exists (
        select 1 from figure_waits
        join movements on movements.part = figure_waits.part and movements.id = figure_waits.movement_id
        where figure_waits.part = walk.part and movements.state <> 'pending'))
    order by stepped_at, part limit 1 for update skip locked
  )
  returning part, walked_at::text as "walkedAt", walked_id as "walkedId"`;

/** Adds to the figures what a table named `movement` holds. */
const ADD = `insert into daily_figures
    (part, merchant_id, day, currency, kind, state, method, reason, count, amount)
  select merchants.parts[1], figure.* from (
    select ${FIGURE} from movement ${OF_PAYMENT} where movement.state <> 'pending' group by ${BY_FIGURE}
  ) as figure join merchants on merchants.id = figure.merchant_id
  order by merchants.parts[1], merchant_id, day, currency, kind, state, method, reason
  on conflict (part, merchant_id, day, currency, kind, state, method, reason) do update set
    count = daily_figures.count + excluded.count, amount = daily_figures.amount + excluded.amount`;

/** $1 part, $2 and $3 the last that was met. */
const COUNT_NEXT = `with movement as materialized (
    select * from movements
    where part = $1 and (created_at, id) > ($2::timestamptz, $3::uuid) and created_at < ${HORIZON}
    order by created_at, id limit ${PAGE}
  ),
  waits as (insert into figure_waits (part, movement_id) select part, id from movement where state = 'pending'),
  added as (${ADD}),
  last as (select created_at, id from movement order by created_at desc, id desc limit 1)
  update figure_walks set walked_at = last.created_at, walked_id = last.id from last where part = $1 returning part`;

/** $1 part. */
const COUNT_KNOWN = `with known as (
    delete from figure_waits where part = $1 and movement_id in (
      select movement_id from figure_waits
      join movements on movements.part = figure_waits.part and movements.id = figure_waits.movement_id
      where figure_waits.part = $1 and movements.state <> 'pending' limit ${PAGE})
    returning part, movement_id
  ),
  movement as materialized (
    select movements.* from known join movements on movements.part = known.part and movements.id = known.movement_id
  )
  ${ADD}`;

type Walk = { readonly part: number; readonly walkedAt: string; readonly walkedId: string };

/** One step of one part; false when none has anything. */
const step = (pool: Pool, { failed, onClaimed }: PartStep): Promise<boolean> =>
  withinTransaction(pool, async (within) => {
    const [walk] = await within.query<Walk>(CLAIM, [failed]);
    if (walk === undefined) return false;
    onClaimed(walk.part);
    // One of the two: figures are locked in one order, and by one statement only.
    const met = await within.query(COUNT_NEXT, [walk.part, walk.walkedAt, walk.walkedId]);
    if (met.length === 0) await within.query(COUNT_KNOWN, [walk.part]);
    return true;
  });

/** Counts everything that is there for good, in small steps with pauses. */
export async function gatherFigures(pool: Pool, signal: AbortSignal): Promise<void> {
  await pool.query(BEGIN);
  await walkParts(signal, (of) => step(pool, of));
}
