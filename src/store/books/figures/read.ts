// Reads a merchant's daily figures: the stored sums, and newer movements summed on the fly, in one statement, so that
// nothing is missing or counted twice. The number of newer movements is limited; beyond that, the result says that the
// figures lag.
import type { Merchant } from '../../../domain/merchant.ts';
import type { MovementKind } from '../../../domain/movement.ts';
import type { Pool } from '../../connections/pool.ts';
import { BY_FIGURE, FIGURE, OF_PAYMENT } from './counted.ts';

export type Figure = {
  /** As 2026-03-18, UTC. */
  readonly day: string;
  readonly currency: string;
  readonly kind: MovementKind;
  readonly state: 'approved' | 'declined';
  readonly method: string;
  readonly reason: string;
  readonly count: number;
  readonly amount: number;
};

export type Figures = {
  readonly figures: readonly Figure[];
  /** There are more new movements than the limit: some are missing. */
  readonly isBehind: boolean;
};

// Ten minutes of a hundred movements per second are less.
const MOST_NEW = 100_000;

type FigureQuery = {
  readonly merchant: Pick<Merchant, 'id' | 'parts'>;
  /** Both days are included. */
  readonly from: string;
  readonly to: string;
};

/** Only the counted columns of a movement: its items may be large, and many. */
const COUNTED = ['part', 'id', 'payment_id', 'created_at', 'kind', 'state', 'reason', 'amount'];
const columnsOf = (table: string): string => COUNTED.map((column) => `${table}.${column}`).join(', ');

/** $1 merchant, $2 its parts, $3 and $4 the first and the last day. */
const READ_FIGURES = `with new as materialized (
    select movement.* from unnest($2::smallint[]) as home (part)
    left join figure_walks as walk on walk.part = home.part
    cross join lateral (
      select ${columnsOf('movements')} from movements
      where movements.part = home.part
        and (created_at, id) > (coalesce(walk.walked_at, '-infinity'),
          coalesce(walk.walked_id, '00000000-0000-0000-0000-000000000000'))
      order by created_at, id limit ${MOST_NEW}
    ) as movement
    limit ${MOST_NEW}
  ),
  movement as (
    select ${columnsOf('new')} from new where state <> 'pending'
    union all
    select ${columnsOf('movements')} from figure_waits
    join movements on movements.part = figure_waits.part and movements.id = figure_waits.movement_id
    where figure_waits.part = any ($2::smallint[]) and movements.state <> 'pending'
  ),
  figure as (
    select merchant_id, day, currency, kind, state, method, reason, count, amount from daily_figures
    where part = ($2::smallint[])[1] and merchant_id = $1 and day between $3::date and $4::date
    union all
    select * from (
      select ${FIGURE} from movement ${OF_PAYMENT} where payment.merchant_id = $1 group by ${BY_FIGURE}
    ) as fresh where day between $3::date and $4::date
  )
  select day::text as day, currency, kind, state, method, reason, sum(count)::int as count, sum(amount)::text as amount,
    (select count(*) from new) >= ${MOST_NEW} as "isBehind"
  from figure group by day, currency, kind, state, method, reason
  order by day, currency, kind, state, method, reason`;

type Row = Omit<Figure, 'amount'> & { readonly amount: string; readonly isBehind: boolean };

export async function readFigures(pool: Pool, { merchant, from, to }: FigureQuery): Promise<Figures> {
  const rows = await pool.query<Row>(READ_FIGURES, [merchant.id, merchant.parts, from, to]);
  return {
    figures: rows.map(({ isBehind: _isBehind, amount, ...row }) => ({ ...row, amount: Number(amount) })),
    isBehind: rows[0]?.isBehind ?? false,
  };
}
