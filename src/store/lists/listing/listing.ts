// Lists a merchant's payments for people: a page in an order, filtered or searched. A page costs what it shows, or as
// much as a walk may search; it continues from a position, so that new payments do not shift it.
import { firstIdAt, NO_ID, readId } from '../../../domain/id.ts';
import { METHODS } from '../../../domain/offered-methods.ts';
import type { Lifetimes } from '../../../domain/payment.ts';
import { walkByFacets } from '../facets/walk.ts';
import type { Pool } from '../../connections/pool.ts';
import { conditionsOf } from './filters.ts';
import type { Filters } from './filters.ts';
import type { ListedPayment } from './row.ts';
import { findBranches } from './search.ts';
import { understand } from './understand.ts';
import type { MethodNames } from './understand.ts';
import { comesBefore, LAST_ID, walkPayments } from './walk.ts';
import type { Order, Position, Walk, Walked } from './walk.ts';

export const SORTS = ['newest', 'oldest', 'largest', 'smallest'] as const;
export type Sort = (typeof SORTS)[number];

export type ListingQuery = Filters & {
  readonly merchantId: number;
  readonly text?: string;
  /** The names of payment methods in the language from which the text was copied. */
  readonly methodNames?: MethodNames;
  readonly fromMs?: number;
  readonly toMs?: number;
  /** Search results are always ordered by time. */
  readonly sort: Sort;
  /** The cursor of the previous page. */
  readonly after?: string;
  readonly limit: number;
};

export type ListingPage = {
  readonly payments: readonly ListedPayment[];
  /** Where the next page continues; undefined on the last one. */
  readonly cursor?: string;
  /** The page ended at the search limit before it was full: what follows was not searched. */
  readonly isCut: boolean;
  /** There are more matches for the prefix than were searched. */
  readonly hasMoreNames: boolean;
};

const ORDERS: Readonly<Record<Sort, Order>> = {
  newest: { by: 'time', isDescending: true },
  oldest: { by: 'time', isDescending: false },
  largest: { by: 'amount', isDescending: true },
  smallest: { by: 'amount', isDescending: false },
};

function orderOf({ sort, text }: Pick<ListingQuery, 'sort' | 'text'>): Order {
  const order = ORDERS[sort];
  return text === undefined || order.by === 'time' ? order : ORDERS.newest;
}

/** The amount of a payment, and its id, which alone is the position in the order of time. */
const cursorOf = ({ amount, id }: Position): string => `${amount}-${id}`;

const MOST_AMOUNT = 1_000_000_000_000;
// In some ten milliseconds.
const MOST_SORTED = 1_000;

/** The position of a cursor; undefined if it is invalid. */
export function readCursor(text: string): Position | undefined {
  const [, digits, hex = ''] = /^(\d{1,13})-([0-9a-f]{32})$/.exec(text) ?? [];
  const id = readId(hex);
  const amount = Number(digits);
  return id !== undefined && amount <= MOST_AMOUNT ? { amount, id } : undefined;
}

/** Merges the results of several walks, up to where the first of them stopped searching. */
function merge(order: Order, walked: readonly Walked[]): Walked {
  const horizons = walked.flatMap(({ horizon }) => (horizon ? [horizon] : []));
  const [horizon] = horizons.toSorted((one, other) => (comesBefore(order, one, other) ? -1 : 1));
  const byId = new Map(walked.flatMap(({ payments }) => payments.map((payment) => [payment.id, payment] as const)));
  const payments = [...byId.values()]
    .filter((payment) => horizon === undefined || !comesBefore(order, horizon, payment))
    .toSorted((one, other) => (comesBefore(order, one, other) ? -1 : 1));
  return { payments, ...(horizon && { horizon }) };
}

async function walkInTime(pool: Pool, query: ListingQuery, walk: Walk): Promise<readonly Walked[]> {
  return (await walkByFacets(pool, query, walk)) ?? [await walkPayments(pool, walk)];
}

/** All matches, ordered by amount after a position; undefined if there are too many to sort. */
async function sortFew(pool: Pool, query: ListingQuery, walk: Walk): Promise<readonly Walked[] | undefined> {
  const { after, atMs, lifetimes, order: byAmount, ...others } = walk;
  const order = ORDERS.newest;
  const conditions = conditionsOf(query, order, atMs, lifetimes);
  const inTime = { ...others, ...conditions, order, atMs, lifetimes, limit: MOST_SORTED };
  const { payments, horizon } = merge(order, await walkInTime(pool, query, inTime));
  if (horizon !== undefined || payments.length > MOST_SORTED) return undefined;
  return [{ payments: payments.filter((payment) => after === undefined || comesBefore(byAmount, after, payment)) }];
}

async function walkFiltered(pool: Pool, query: ListingQuery, walk: Walk): Promise<readonly Walked[]> {
  if (walk.order.by === 'time') return walkInTime(pool, query, walk);
  const { state, method, currency, myReference, fromMs, toMs } = query;
  const mayBeFew = [state, method, currency, myReference, fromMs, toMs].some((filter) => filter !== undefined);
  // If only amounts are filtered, the matches are a range of their index.
  return (mayBeFew && (await sortFew(pool, query, walk))) || [await walkPayments(pool, walk)];
}

/** The method that both the text and the filter allow; undefined if there is none. */
function methodOfBoth(searched: string, filtered: string | undefined): string | undefined {
  if (filtered === undefined || filtered === searched) return searched;
  const kind = METHODS.find(({ name }) => name === searched)?.paymentType;
  return kind === filtered ? searched : undefined;
}

/** The results of a text, for all its meanings. */
async function walkFound(
  pool: Pool,
  query: ListingQuery,
  text: string,
  walk: Walk,
): Promise<{ readonly walked: readonly Walked[]; readonly hasMoreNames: boolean }> {
  const meanings = understand(text, query.methodNames);
  const { branches, hasMoreNames } = await findBranches(pool, query.merchantId, meanings);
  const walked: Walked[] = [];
  for (const meaning of meanings) {
    const method = meaning.kind === 'method' ? methodOfBoth(meaning.method, query.method) : undefined;
    if (method === undefined) continue;
    const ofMethod = { ...query, method };
    const conditions = conditionsOf(ofMethod, walk.order, walk.atMs, walk.lifetimes);
    walked.push(...(await walkFiltered(pool, ofMethod, { ...walk, ...conditions })));
  }
  // One after the other: a search is one reader among others.
  for (const { leads, filters } of branches)
    // The meaning is answered by its own index, and the filters are checked for each result.
    walked.push(await walkPayments(pool, { ...walk, leads, filters: [...filters, ...walk.leads, ...walk.filters] }));
  return { walked, hasMoreNames };
}

export async function listForPeople(
  pool: Pool,
  query: ListingQuery,
  atMs: number,
  lifetimes: Lifetimes,
): Promise<ListingPage> {
  const { merchantId, text, fromMs, toMs, limit } = query;
  const order = orderOf(query);
  const after = query.after === undefined ? undefined : readCursor(query.after);
  const { leads, filters } = conditionsOf(query, order, atMs, lifetimes);
  const walk: Walk = {
    merchantId,
    from: fromMs === undefined ? NO_ID : firstIdAt(fromMs),
    to: toMs === undefined ? LAST_ID : firstIdAt(toMs),
    order,
    ...(after && { after }),
    leads,
    filters,
    limit,
    atMs,
    lifetimes,
  };
  const { walked, hasMoreNames } =
    text === undefined
      ? { walked: await walkFiltered(pool, query, walk), hasMoreNames: false }
      : await walkFound(pool, query, text, walk);
  const { payments, horizon } = merge(order, walked);
  const shown = payments.slice(0, limit);
  const last = shown.at(-1);
  const next = payments.length > limit ? last : horizon;
  return {
    payments: shown,
    ...(next && { cursor: cursorOf(next) }),
    isCut: payments.length <= limit && horizon !== undefined,
    hasMoreNames,
  };
}
