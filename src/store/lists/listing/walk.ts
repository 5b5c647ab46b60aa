// Walks a merchant's payments along one index, in one order, for a page of those that meet all conditions. `leads` are
// the conditions that the index answers; `filters` are checked for each payment that it returns, up to a limit: if too
// few match within that, the walk returns how far it got, and the next one continues there.
import { NO_ID } from '../../../domain/id.ts';
import type { Lifetimes } from '../../../domain/payment.ts';
import { plainId } from '../../statements/payment-row.ts';
import type { Pool, TextRow } from '../../connections/pool.ts';
import { LISTED_COLUMNS, readListed } from './row.ts';
import type { ListedPayment } from './row.ts';
import { newStatement } from '../../statements/put.ts';
import type { Condition } from '../../statements/put.ts';

export type Order = { readonly by: 'time' | 'amount'; readonly isDescending: boolean };
/** The position of the end of a page, in either order. */
export type Position = { readonly id: string; readonly amount: number };

export type Walk = {
  readonly merchantId: number;
  /** The ids of the period: from the first, and before the second. */
  readonly from: string;
  readonly to: string;
  readonly order: Order;
  readonly after?: Position;
  readonly leads: readonly Condition[];
  readonly filters: readonly Condition[];
  readonly limit: number;
  readonly atMs: number;
  readonly lifetimes: Lifetimes;
};

export type Walked = { readonly payments: readonly ListedPayment[]; readonly horizon?: Position };

// Payments searched for a page: some ten milliseconds.
const MOST_LOOKED_AT = 10_000;
export const LAST_ID = 'f'.repeat(32);

const orderBy = ({ by, isDescending }: Order): string => {
  const direction = isDescending ? 'desc' : 'asc';
  return by === 'time' ? `id ${direction}` : `amount ${direction}, id ${direction}`;
};

/** Whether the first comes before the second. */
export function comesBefore(order: Order, one: Position, other: Position): boolean {
  const [first, second] = order.isDescending ? [other, one] : [one, other];
  if (order.by === 'amount' && first.amount !== second.amount) return first.amount < second.amount;
  return first.id < second.id;
}

/** Ids from the first on, and before the second. */
function periodOf({ from, to }: Pick<Walk, 'from' | 'to'>): Condition[] {
  const conditions: Condition[] = [];
  if (from !== NO_ID) conditions.push((put) => `id >= ${put(from)}::uuid`);
  if (to !== LAST_ID) conditions.push((put) => `id < ${put(to)}::uuid`);
  return conditions;
}

function rangeOf(walk: Walk): Condition {
  const { merchantId, order, after, leads } = walk;
  const sign = order.isDescending ? '<' : '>';
  return (put) => {
    const conditions = [`merchant_id = ${put(merchantId)}::bigint`];
    if (order.by === 'time') conditions.push(...periodOf(walk).map((condition) => condition(put)));
    if (after && order.by === 'time') conditions.push(`id ${sign} ${put(after.id)}::uuid`);
    if (after && order.by === 'amount')
      conditions.push(`(amount, id) ${sign} (${put(after.amount)}::bigint, ${put(after.id)}::uuid)`);
    return [...conditions, ...leads.map((lead) => lead(put))].join(' and ');
  };
}

/** In the order of amounts, a period is not a range of the index, so it is checked for each payment. */
const filtersOf = (walk: Walk): readonly Condition[] =>
  walk.order.by === 'time' ? walk.filters : [...walk.filters, ...periodOf(walk)];

// Unnamed, so that it is planned for the given values and the plan is not kept.
const run = (pool: Pool, text: string, values: readonly (string | number)[]): Promise<TextRow[]> =>
  pool.run({ name: '', text }, values);

/** The last payment searched, if the limit was reached. */
async function findHorizon(pool: Pool, walk: Walk): Promise<Position | undefined> {
  const { values, put } = newStatement();
  const text = `select id, amount from payments as payment where ${rangeOf(walk)(put)}
    order by ${orderBy(walk.order)} offset ${MOST_LOOKED_AT - 1} limit 1`;
  const [row] = await run(pool, text, values);
  return row && { id: plainId(row[0] as string), amount: Number(row[1]) };
}

/** Matching payments, among those searched for a page: one more than requested, if there is one. */
export async function findMet(pool: Pool, walk: Walk): Promise<ListedPayment[]> {
  const { order, limit, atMs, lifetimes } = walk;
  const filters = filtersOf(walk);
  const { values, put } = newStatement();
  const inOrder = `order by ${orderBy(order)} limit`;
  const found = `select * from payments as payment where ${rangeOf(walk)(put)} ${inOrder}`;
  const met = filters.map((filter) => filter(put)).join(' and ');
  const text =
    filters.length === 0
      ? `select ${LISTED_COLUMNS} from (${found} ${limit + 1}) as payment ${inOrder} ${limit + 1}`
      : `select ${LISTED_COLUMNS} from (${found} ${MOST_LOOKED_AT}) as payment where ${met} ${inOrder} ${limit + 1}`;
  return (await run(pool, text, values)).map((row) => readListed(row, atMs, lifetimes));
}

/** One payment more than requested, if there is one. */
export async function walkPayments(pool: Pool, walk: Walk): Promise<Walked> {
  const payments = await findMet(pool, walk);
  if (filtersOf(walk).length === 0 || payments.length > walk.limit) return { payments };
  const horizon = await findHorizon(pool, walk);
  return { payments, ...(horizon && { horizon }) };
}
