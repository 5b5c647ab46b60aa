// Lists a merchant's payments, newest first. Ids begin with the time, so a period is a range of ids, and the cursor is
// an id: new payments do not shift the pages. There is a statement for each combination of filters, so that a plan for
// one is never reused for another. A page is limited by count, by bytes, and by the number of payments searched.
import { setImmediate as othersTurn } from 'node:timers/promises';
import { firstIdAt, NO_ID } from '../../domain/id.ts';
import type { Lifetimes, Payment } from '../../domain/payment.ts';
import type { ListState } from '../../domain/state.ts';
import { PAYMENT_COLUMNS, placesAfterPayment, plainId, readPayment } from '../statements/payment-row.ts';
import { firstIdWithin, LIST_CONDITIONS } from '../statements/payment-state.ts';
import type { Pool, Statement } from '../connections/pool.ts';

export type ListQuery = {
  readonly merchantId: number;
  readonly reference?: string;
  readonly state?: ListState;
  readonly fromMs?: number;
  readonly toMs?: number;
  readonly limit: number;
  /** The cursor of the previous page. */
  readonly after?: string;
};

export type PaymentPage = {
  readonly payments: readonly Payment[];
  /** What was read for it. */
  readonly bytes: number;
  /** Where the next page continues; undefined on the last one. */
  readonly cursor?: string;
};

// Page limits: more than a hundred ordinary payments. One always fits.
const PAGE_BYTES = 262_144;
// About a millisecond of reading.
const PIECE_BYTES = 65_536;
// Payments searched for a page if no index answers the filter: some ten milliseconds.
const MOST_LOOKED_AT = 10_000;
const LAST_ID = 'f'.repeat(32);

/** The filter that an index answers. An index on totals would make every change of them update all indexes. */
const INDEXED: ListState = 'terminated';

export type ListFilters = Pick<ListQuery, 'state'> & { readonly hasReference: boolean };

/** $1 merchant, $2 first id, $3 end id (exclusive), $4 limit, $5 bytes, $6 reference. */
const rangeOf = ({ hasReference }: ListFilters): string =>
  `merchant_id = $1::bigint and id >= $2::uuid and id < $3::uuid${hasReference ? ' and reference = $6::text' : ''}`;

const isWalked = ({ state, hasReference }: ListFilters): boolean =>
  state !== undefined && (hasReference || state !== INDEXED);

function candidatesOf(filters: ListFilters): string {
  const { state } = filters;
  const range = rangeOf(filters);
  const ranged = `select * from payments as payment where ${range}`;
  if (state === undefined) return `${ranged} order by id desc limit $4::int`;
  const where = LIST_CONDITIONS[state];
  if (!isWalked(filters)) return `${ranged} and ${where} order by id desc limit $4::int`;
  return `select * from (
      ${ranged} order by id desc limit ${MOST_LOOKED_AT}
    ) as payment where ${where} order by id desc limit $4::int`;
}

const nameOf = ({ state, hasReference }: ListFilters): string =>
  `${state ?? 'all'}${hasReference ? '_by_reference' : ''}`;

const AT = placesAfterPayment(['found']);

/** A page, and how many there would be without the limit in bytes. */
const listStatement = (filters: ListFilters): Statement => ({
  name: `list_${nameOf(filters)}`,
  text: `select ${PAYMENT_COLUMNS}, payment.found
    from (
      select candidate.*, count(*) over () as found,
        sum(bytes) over (order by id desc rows unbounded preceding) - bytes as before
      from (${candidatesOf(filters)}) as candidate
    ) as payment
    where payment.before < $5::int
    order by payment.id desc`,
});

/** The last payment searched, if the limit was reached. */
const lastLookedAtStatement = (filters: ListFilters): Statement => ({
  name: `list_last_looked_at${filters.hasReference ? '_by_reference' : ''}`,
  text: `select id from payments where ${rangeOf(filters).replace('$6', '$4')}
    order by id desc offset ${MOST_LOOKED_AT - 1} limit 1`,
});

function prepare(filters: ListFilters): { readonly list: Statement; readonly lastLookedAt: Statement } {
  return { list: listStatement(filters), lastLookedAt: lastLookedAtStatement(filters) };
}

const prepared = new Map<string, ReturnType<typeof prepare>>();

function preparedFor(filters: ListFilters): ReturnType<typeof prepare> {
  const name = nameOf(filters);
  const statements = prepared.get(name) ?? prepare(filters);
  prepared.set(name, statements);
  return statements;
}

/** The ids of a period, of a state that depends on the time, and after the previous page. */
function idsOf(query: ListQuery, at: number, lifetimes: Lifetimes): { readonly from: string; readonly to: string } {
  const oldestPayable = firstIdWithin(lifetimes.paymentMs, at);
  const firsts = [query.fromMs === undefined ? NO_ID : firstIdAt(query.fromMs)];
  const ends = [query.toMs === undefined ? LAST_ID : firstIdAt(query.toMs), query.after ?? LAST_ID];
  if (query.state === 'created') firsts.push(oldestPayable);
  if (query.state === 'expired') ends.push(oldestPayable);
  return { from: firsts.toSorted().at(-1) as string, to: ends.toSorted()[0] as string };
}

export async function listPayments(
  pool: Pool,
  query: ListQuery,
  at: number,
  lifetimes: Lifetimes,
): Promise<PaymentPage> {
  const { merchantId, reference, state, limit } = query;
  const filters: ListFilters = { ...(state !== undefined && { state }), hasReference: reference !== undefined };
  const { list, lastLookedAt } = preparedFor(filters);
  const { from, to } = idsOf(query, at, lifetimes);
  const range = [merchantId, from, to];
  const byReference = reference === undefined ? [] : [reference];
  // One more than requested shows whether there is a next page.
  const rows = await pool.run(list, [...range, limit + 1, PAGE_BYTES, ...byReference]);
  const bytes = rows.reduce((sum, row) => sum + row.reduce((of, text) => of + (text?.length ?? 0), 0), 0);
  const payments: Payment[] = [];
  for (const row of rows.slice(0, limit)) {
    // Other requests get a turn between the payments of a large page.
    if (bytes > PIECE_BYTES) await othersTurn();
    payments.push(readPayment(row) as Payment);
  }
  const last = payments.at(-1);
  if (last !== undefined && Number(rows[0]?.[AT.found]) > payments.length) return { payments, bytes, cursor: last.id };
  if (!isWalked(filters)) return { payments, bytes };
  // Fewer than requested: there may be more after the last one searched.
  const [next] = await pool.run(lastLookedAt, [...range, ...byReference]);
  return { payments, bytes, ...(next && { cursor: plainId(next[0] as string) }) };
}
