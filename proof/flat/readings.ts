// What is read of a shop, by people in the console and by programs through the API: each of the functions that the routes
// call, with the rows that its plans come upon.
import type { Merchant } from '../../src/domain/merchant.ts';
import { findAttention } from '../../src/store/lists/attention.ts';
import type { EventQuery } from '../../src/store/events/events.ts';
import { listEvents } from '../../src/store/events/events.ts';
import { readFigures } from '../../src/store/books/figures/read.ts';
import { listPayments } from '../../src/store/lists/list.ts';
import type { ListQuery } from '../../src/store/lists/list.ts';
import { listForPeople } from '../../src/store/lists/listing/listing.ts';
import type { ListingQuery } from '../../src/store/lists/listing/listing.ts';
import { STATE_NAMES } from '../../src/domain/state.ts';
import type { Pool } from '../../src/store/connections/pool.ts';
import { explainReading, LIFETIMES, rowsReadBy, scansOf } from '../../test/store/readings.ts';

const PAGE = 50;
const API_PAGE = 100;
const DAY_MS = 86_400_000;

/** A shop with many payments, one of which is looked for. */
export type Shop = { readonly pool: Pool; readonly merchant: Merchant; readonly known: Known };
export type Known = {
  readonly id: string;
  readonly charge: string;
  readonly refund: string;
  readonly reference: string;
  /** Of an event in the middle of all. */
  readonly position: number;
};
export type Reading = readonly [name: string, read: (shop: Shop, pool: Pool) => Promise<unknown>];

const plain = (id: string): string => id.replaceAll('-', '');
const list =
  (query: Partial<ListingQuery> | ((shop: Shop) => Partial<ListingQuery>)): Reading[1] =>
  (shop, pool) => {
    const asked = typeof query === 'function' ? query(shop) : query;
    const whole = { merchantId: shop.merchant.id, limit: PAGE, sort: 'newest', ...asked } as const;
    return listForPeople(pool, whole, Date.now(), LIFETIMES);
  };
const page =
  (query: Partial<ListQuery> | ((shop: Shop) => Partial<ListQuery>)): Reading[1] =>
  (shop, pool) => {
    const asked = typeof query === 'function' ? query(shop) : query;
    return listPayments(pool, { merchantId: shop.merchant.id, limit: API_PAGE, ...asked }, Date.now(), LIFETIMES);
  };
type EventsAsked = { readonly isInTheMiddle?: true; readonly isOfPayment?: true } & Pick<EventQuery, 'names'>;
const events =
  ({ isInTheMiddle, isOfPayment, names }: EventsAsked): Reading[1] =>
  ({ merchant, known }, pool) =>
    listEvents(pool, {
      merchantId: merchant.id,
      limit: API_PAGE,
      ...(isInTheMiddle && { after: known.position }),
      ...(isOfPayment && { paymentId: plain(known.id) }),
      ...(names && { names }),
    });
const day = { fromMs: Date.now() - 30 * DAY_MS, toMs: Date.now() - 29 * DAY_MS };
const month = { fromMs: Date.now() - 50 * DAY_MS, toMs: Date.now() - 20 * DAY_MS };
const dayOf = (ms: number): string => new Date(ms).toISOString().slice(0, 10);

export const READINGS: readonly Reading[] = [
  ['first page', list({})],
  ['oldest first', list({ sort: 'oldest' })],
  ['largest first', list({ sort: 'largest' })],
  ['smallest first', list({ sort: 'smallest' })],
  ['a page in the middle', list(({ known }) => ({ after: `1-${plain(known.id)}` }))],
  ['search: payment id', list(({ known }) => ({ text: plain(known.id) }))],
  ['search: charge id', list(({ known }) => ({ text: plain(known.charge) }))],
  ['search: refund id', list(({ known }) => ({ text: plain(known.refund) }))],
  ['search: reference', list(({ known }) => ({ text: known.reference }))],
  ['search: e-mail', list({ text: 'ada.1200@example.test' })],
  ['search: phone', list({ text: '+46 70 000 00 07' })],
  ['search: last name', list({ text: 'Lind' })],
  ['search: full name', list({ text: 'Ada Lind' })],
  ['search: last four digits', list({ text: '1234' })],
  ['search: amount', list({ text: '123.00' })],
  ...STATE_NAMES.map((state): Reading => [`state: ${state}`, list({ state })]),
  ['state: charged, largest first', list({ state: 'charged', sort: 'largest' })],
  ['method: any card', list({ method: 'CARD' })],
  ['method: Mastercard', list({ method: 'MasterCard' })],
  ['method: that nobody used', list({ method: 'Vipps' })],
  ['currency: SEK', list({ currency: 'SEK' })],
  ['currency: DKK', list({ currency: 'DKK' })],
  ['currency: that nobody used', list({ currency: 'JPY' })],
  ['currency: DKK, largest first', list({ currency: 'DKK', sort: 'largest' })],
  ['amount: 100 to 200', list({ least: '100', most: '200' })],
  ['amount: 1000 to 1010', list({ least: '1000', most: '1010' })],
  ['amount: at least 4000', list({ least: '4000' })],
  ['amount: one', list({ least: '99', most: '99' })],
  ['own reference', list({ myReference: 'none' })],
  ['a day', list(day)],
  ['a day, largest first', list({ ...day, sort: 'largest' })],
  ['an hour, largest first', list({ fromMs: day.fromMs, toMs: day.fromMs + 3_600_000, sort: 'largest' })],
  ['a month, smallest first', list({ ...month, sort: 'smallest' })],
  ['state and method', list({ state: 'partly refunded', method: 'Visa' })],
  ['state and a month', list({ state: 'cancelled', ...month })],
  ['state, currency and amount', list({ state: 'charged', currency: 'EUR', least: '100', most: '500' })],
  ['all filters', list({ state: 'charged', method: 'Visa', currency: 'NOK', least: '500', most: '600', ...month })],
  [
    'overview: figures of a month',
    ({ merchant }, pool) => readFigures(pool, { merchant, from: dayOf(month.fromMs), to: dayOf(month.toMs) }),
  ],
  ['API: payments', page({})],
  ['API: payments after a cursor', page(({ known }) => ({ after: plain(known.id) }))],
  ['API: payments by reference', page(({ known }) => ({ reference: known.reference }))],
  ['API: payments by state', page({ state: 'charged' })],
  ['API: events', events({})],
  ['API: events after a cursor', events({ isInTheMiddle: true })],
  ['API: events of a type', events({ isInTheMiddle: true, names: ['payment.charge.created.v2'] })],
  ['API: events of a payment', events({ isOfPayment: true })],
  ['overview: attention', ({ merchant }, pool) => findAttention(pool, merchant, Date.now(), LIFETIMES.reservationMs)],
];

// Filters that no index leads, by amounts or in their order.
const WALKED = /\bamount\b|, (?:largest|smallest) first$/;
const MOST_LOOKED_AT = 10_000;

/** Of what a page shows ten times; a walk looks at so many at most; an overview shows sums. */
export function mostRowsOf(name: string): number {
  if (name.startsWith('overview')) return Infinity;
  if (WALKED.test(name)) return MOST_LOOKED_AT;
  return 10 * (name.startsWith('API') ? API_PAGE : PAGE);
}

/** The most rows that a scan of one of its statements came upon. */
export async function rowsOf(shop: Shop, [name, read]: Reading): Promise<number> {
  const explained = await explainReading(shop.pool, { name, read: (pool) => read(shop, pool) });
  return Math.max(0, ...explained.flatMap(({ plan }) => scansOf(plan).map(rowsReadBy)));
}
