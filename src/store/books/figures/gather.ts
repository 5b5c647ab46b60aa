// Adds movements to the daily figures, each once. Pending movements are kept separately, and counted once their outcome
// is known, on the day on which they were requested.
import type { Pool } from '../../connections/pool.ts';
import { beginWalks, PAGE, walkMovements } from '../walk-movements.ts';
import type { MovementWalk } from '../walk-movements.ts';
import { BY_FIGURE, FIGURE, OF_PAYMENT } from './counted.ts';

/** Adds the rows of a table named `movement` to the figures. */
const ADD = `insert into daily_figures
    (part, merchant_id, day, currency, kind, state, method, reason, count, amount)
  select merchants.parts[1], figure.* from (
    select ${FIGURE} from movement ${OF_PAYMENT} where movement.state <> 'pending' group by ${BY_FIGURE}
  ) as figure join merchants on merchants.id = figure.merchant_id
  order by merchants.parts[1], merchant_id, day, currency, kind, state, method, reason
  on conflict (part, merchant_id, day, currency, kind, state, method, reason) do update set
    count = daily_figures.count + excluded.count, amount = daily_figures.amount + excluded.amount`;

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

const WALK: MovementWalk = {
  table: 'figure_walks',
  from: `timestamptz '-infinity'`,
  alsoDue: `exists (
        select 1 from figure_waits
        join movements on movements.part = figure_waits.part and movements.id = figure_waits.movement_id
        where figure_waits.part = walk.part and movements.state <> 'pending')`,
  columns: '*',
  meet: `waits as (insert into figure_waits (part, movement_id) select part, id from movement where state = 'pending'),
  added as (${ADD})`,
  otherwise: COUNT_KNOWN,
};

/** Counts everything committed, in small steps with pauses. */
export async function gatherFigures(pool: Pool, signal: AbortSignal): Promise<void> {
  await beginWalks(pool, WALK);
  await walkMovements(pool, signal, WALK);
}
