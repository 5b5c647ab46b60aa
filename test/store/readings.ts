// Every query that reads for a request, on a database with as many payments as are wanted, and the plan of each: the very
// functions are called with a pool that explains what it is asked. Rare things are the oldest, where a walk finds them
// last. Used by the test of plans, and by `npm run plans` to print them.
import { makeId, NO_ID } from '../../src/domain/id.ts';
import { findAttention } from '../../src/store/lists/attention.ts';
import { listDeliveriesOfEvent, listDeliveriesOfWebhook } from '../../src/store/events/deliveries.ts';
import {
  findEvent,
  findEventUpTo,
  lastPositions,
  listEvents,
  listEventsOfMovements,
  listEventsOfPayment,
  positionBefore,
} from '../../src/store/events/events.ts';
import { listPayments } from '../../src/store/lists/list.ts';
import { listForPeople } from '../../src/store/lists/listing/listing.ts';
import type { ListingQuery } from '../../src/store/lists/listing/listing.ts';
import { LIST_STATES, STATE_NAMES } from '../../src/domain/state.ts';
import type { ListQuery } from '../../src/store/lists/list.ts';
import { loadGroup } from '../../src/store/payments/load.ts';
import { findKeyHolders, listKeys } from '../../src/store/merchants/keys.ts';
import { findMerchant, findMerchantsByCheckoutKeys } from '../../src/store/merchants/merchants.ts';
import { NEXT_TO_PAY_OUT } from '../../src/store/books/payouts/gather.ts';
import { FACETS, FACETS_OF_PAYMENT } from '../../src/store/lists/facets/facets.ts';
import { readFigures } from '../../src/store/books/figures/read.ts';
import { findPayout, listPayoutActions, listPayouts } from '../../src/store/books/payouts/read.ts';
import { listDeliveriesOfPayment } from '../../src/store/events/payment-deliveries.ts';
import type { Pool } from '../../src/store/connections/pool.ts';
import { findCreator, listPaymentChanges } from '../../src/store/payments/payment-changes.ts';
import { countOmitted, findPaymentOf, findRequest, listRequests } from '../../src/store/request-log/read.ts';
import type { RequestFilter } from '../../src/store/request-log/read.ts';
import { findAnySubscription, findSubscriptionSecret } from '../../src/store/payments/subscriptions.ts';
import { listCharges } from '../../src/store/payments/renewals.ts';
import { findWebhook, listWebhooks } from '../../src/store/events/webhooks.ts';

/** The merchant with nearly all payments, and its home part. */
export const MERCHANT = 100_000_001;
export const PART = 0x123;
export const STARTED_AT = Date.parse('2026-01-01T00:00:00Z');
export const STEP_MS = 3_000;
// Of each rare kind there are so many.
export const RARE = 5;

const idOf = (n: number): string => makeId(STARTED_AT + n * STEP_MS, PART, `8${n.toString(16).padStart(15, '0')}`);
const ID = `(lpad(to_hex(${STARTED_AT} + n * ${STEP_MS}), 12, '0') || '7123' || '8' || lpad(to_hex(n), 15, '0'))::uuid`;
const WEBHOOK = makeId(STARTED_AT, PART, '8000000000000000');
const PAYOUT = makeId(STARTED_AT, PART, '8000000000000001');
const SUBSCRIPTION = makeId(STARTED_AT, PART, '8000000000000002');

/** Payments that are reserved and charged, with an event, a lane and a delivery each; the first ones are rare. */
export async function fillWith(pool: Pool, payments: number): Promise<void> {
  const numbers = `generate_series(1, ${payments}) as n`;
  const rare = (which: number): string => `n between ${which * RARE + 1} and ${(which + 1) * RARE}`;
  const steps = [
    // What refers to what is right by the way it is made.
    'set session_replication_role = replica',
    'set statement_timeout = 0',
    `insert into merchants (id, name, live, dialect, checkout_key, parts)
     select ${MERCHANT} + n, 'Shop ' || n, false, 'spec', 'key-' || n, array[${PART}] from generate_series(0, 999) as n`,
    `insert into payments (part, id, merchant_id, version, amount, currency, reference, my_reference, items, checkout,
       consumer, method, bytes, terminated_at, reserved, charged, refunded, cancelled)
     select ${PART}, ${ID}, case when n % 50 = 0 then ${MERCHANT} + n % 999 + 1 else ${MERCHANT} end, 1,
       case when ${rare(0)} then 2000 when n % 20 = 3 then 10000 + n * 7919 % 9973 else 1000 end,
       case when ${rare(1)} then 'EUR' else 'SEK' end,
       'order-' || n, 'own-' || n % 1000, '[]', '{}',
       json_build_object('email', 'Mail' || n % 1000 || '@example.com', 'phone',
         json_build_object('prefix', '+46', 'number', '70' || 1000000 + n % 1000), 'person', json_build_object(
           'firstName', case when ${rare(2)} then 'Rare' else 'Ada' end, 'lastName', 'Name' || n % 20)),
       json_build_object('paymentType', case when ${rare(2)} then 'INVOICE' else 'CARD' end, 'paymentMethod', 'Visa',
         'maskedPan', '492500******' || lpad((n % 10000)::text, 4, '0')), 500,
       case when ${rare(0)} then now() end,
       case when ${rare(0)} or ${rare(1)} then 0 else 1000 end,
       case when ${rare(0)} or ${rare(1)} or ${rare(2)} then 0 else 900 end,
       case when ${rare(3)} then 100 else 0 end, case when ${rare(4)} then 100 else 0 end
     from ${numbers}`,
    `insert into movements (part, id, payment_id, sequence, kind, state, amount, updated_at, acquirer, source)
     select ${PART}, ${ID}, ${ID}, 1, 'reservation', 'approved', 1000, now(), 'simulator', 's' from ${numbers}`,
    `insert into movements (part, id, payment_id, sequence, kind, state, amount, updated_at, acquirer, invoice_number,
       created_at)
     select ${PART}, overlay(${ID}::text placing '9' from 20)::uuid, ${ID}, 2, 'charge', 'approved', 900, now(),
       'simulator', lpad(n::text, 24, '0'), to_timestamp((${STARTED_AT} + n * ${STEP_MS}) / 1000.0)
     from ${numbers}`,
    `insert into events (part, subject_id, version, ordinal, merchant_id, name, happened_at, recorded_at, position)
     select ${PART}, ${ID}, 1, 0, ${MERCHANT},
       case when ${rare(0)} then 'payment.refund.failed' else 'payment.created' end,
       to_timestamp((${STARTED_AT} + n * ${STEP_MS}) / 1000.0), to_timestamp((${STARTED_AT} + n * ${STEP_MS}) / 1000.0), n
     from ${numbers}`,
    `insert into event_counters (part, merchant_id, last) values (${PART}, ${MERCHANT}, ${payments})`,
    `insert into webhooks (part, id, merchant_id, slot, url, after_position, secret)
     values (${PART}, '${WEBHOOK}', ${MERCHANT}, 1, 'https://shop.example', 0, 'whsec_' || repeat('a', 32))`,
    `insert into lanes (part, subject_id, subscriber, merchant_id, endpoint, entry_count)
     select ${PART}, ${ID}, '${WEBHOOK}', ${MERCHANT}, '${WEBHOOK}', 1 from ${numbers}`,
    `insert into deliveries (part, subject_id, subscriber, version, ordinal, state)
     select ${PART}, ${ID}, '${WEBHOOK}', 1, 0, case when ${rare(0)} then 'failed' else 'delivered' end from ${numbers}`,
    // A day on which everything was charged, among years of other days.
    `insert into payouts (part, id, merchant_id, day, currency, charged, refunded, charge_count, action_count)
     select ${PART}, (lpad(to_hex(${STARTED_AT}), 12, '0') || '7123' || '8' || lpad(to_hex(n), 15, '0'))::uuid,
       ${MERCHANT}, date '2026-01-01' - n / 2 + 1, case when n % 2 = 0 then 'SEK' else 'EUR' end, 1000, 0, 1, 1
     from generate_series(1, 20000) as n`,
    `insert into payout_actions (part, movement_id, payout_id, place, vat)
     select ${PART}, ${ID}, '${PAYOUT}', n - 1, 0 from ${numbers}`,
    // One that was charged by each of them, with one card.
    `insert into subscriptions (part, id, merchant_id, kind, began_on, payment_id, acquirer, source, method, consent,
       secret)
     values (${PART}, '${SUBSCRIPTION}', ${MERCHANT}, 'unscheduled', '2026-01-01', '${idOf(1)}', 'simulator', 's', '{}',
       '{}', repeat('0', 32))`,
    `insert into renewals (part, payment_id, subscription_id, day, card_payment_id)
     select ${PART}, ${ID}, '${SUBSCRIPTION}', date '2026-01-01' + n / 100, '${idOf(1)}' from ${numbers}`,
    `insert into payout_walks (part, day) values (${PART}, '2026-02-01')`,
    // Ten years of figures, and all that is there is in them.
    `insert into daily_figures (part, merchant_id, day, currency, kind, state, method, reason, count, amount)
     select ${PART}, ${MERCHANT}, date '2026-01-01' - n / 4, 'SEK', kind, 'approved', 'Method ' || n % 4, '', 1, 1
     from generate_series(1, 14600) as n, unnest(array['charge', 'refund']) as kind`,
    // A request for each payment, and minutes of a week in which some were left out.
    `insert into request_log (part, merchant_id, id, request_id, method, route, path, status, duration_us, key_id,
       address, replayed, payment_id, request_bytes, request_cut, answer_body, answer_bytes, answer_cut)
     select ${PART}, ${MERCHANT}, ${ID}, 'request-' || n, 'GET', '/v1/payments/:paymentId', '/v1/payments/' || n,
       case when ${rare(0)} then 500 when ${rare(1)} then 404 else 200 end, 1,
       case when ${rare(2)} then 'key_1' else 'key_0' end, '127.0.0.1', false, ${ID}, 0, false, '{}', 2, false
     from ${numbers}`,
    // One that was changed over and over.
    `insert into payment_changes (part, payment_id, version, kind, happened_at, before, after)
     select ${PART}, '${idOf(Math.floor(payments / 2) + 1)}', n + 1, 'cart', now(), '{}', '{}' from ${numbers}`,
    `insert into request_log_omissions (part, merchant_id, minute, count)
     select ${PART}, ${MERCHANT}, to_timestamp(${STARTED_AT} / 1000.0 + n * 60), 1 from generate_series(1, 10080) as n`,
    `insert into figure_walks (part, walked_at) values (${PART}, now() + interval '1 day')`,
    // All that is there is in the facets, too.
    `insert into payment_facets (part, payment_id, merchant_id, version, ${FACETS.join()})
     select ${FACETS_OF_PAYMENT} from payments as payment`,
    `insert into facet_walks (part, walked_at) values (${PART}, now() + interval '1 day')`,
    `update housekeeping set walked_to = now() where job = 'facets'`,
  ];
  await pool.withClient(async (client) => {
    for (const step of steps) await client.query({ text: step, query_timeout: 3_600_000 } as { text: string });
    await client.query({ text: 'analyze', query_timeout: 3_600_000 } as { text: string });
    await client.query('reset session_replication_role; reset statement_timeout');
  });
}

export type Reading = {
  readonly name: string;
  readonly read: (pool: Pool) => Promise<unknown>;
  /** By a session of the group calls. */
  readonly isGrouped?: boolean;
  /** How many rows a scan may come upon; otherwise as many as a walk looks at. */
  readonly most?: number;
};

const ROWS = 50;
export const LIFETIMES = { paymentMs: 48 * 3_600_000, reservationMs: 7 * 86_400_000 };
export function readingsOf(payments: number): Reading[] {
  const merchantId = MERCHANT;
  const now = STARTED_AT + payments * STEP_MS;
  const [first, middle] = [idOf(1), idOf(Math.floor(payments / 2) + 1)];
  const list = (name: string, query: Partial<ListQuery>): Reading => ({
    name: `payments ${name}`,
    read: (pool) => listPayments(pool, { merchantId, limit: 100, ...query }, now, LIFETIMES),
  });
  const people = (name: string, query: Partial<ListingQuery>, most?: number): Reading => ({
    name: `console: ${name}`,
    read: (pool) => listForPeople(pool, { merchantId, limit: ROWS, sort: 'newest', ...query }, now, LIFETIMES),
    ...(most !== undefined && { most }),
  });
  /** What an index finds: no more than ten times of what is shown. */
  const search = (name: string, query: Partial<ListingQuery>): Reading => people(name, query, 10 * ROWS);
  const day = { fromMs: STARTED_AT + 60 * STEP_MS, toMs: STARTED_AT + 120 * STEP_MS };
  // More than are sorted at once, and a small share of all of them.
  const hour = { fromMs: STARTED_AT + 8_000 * STEP_MS, toMs: STARTED_AT + 9_500 * STEP_MS };
  const shift = { fromMs: hour.fromMs, toMs: STARTED_AT + 15_000 * STEP_MS };
  const events = (name: string, query: object): Reading => ({
    name: `events ${name}`,
    read: (pool) => listEvents(pool, { merchantId, limit: 100, ...query }),
  });
  const load = (name: string, request: object): Reading => ({
    name: `load ${name}`,
    isGrouped: true,
    read: (pool) => loadGroup(pool, 'small')([{ merchantId, target: middle, ...request }]),
  });
  const webhook = { merchantId, limit: 100 };
  const merchant = { id: merchantId, parts: [PART] as const };
  const requests = (name: string, query: RequestFilter & { before?: string }, most?: number): Reading => ({
    name: `requests ${name}`,
    read: (pool) => listRequests(pool, merchant, { limit: ROWS, ...query }),
    ...(most !== undefined && { most }),
  });
  const year = { merchant, from: '2025-01-02', to: '2026-01-02', skip: 0, take: 1_000 };
  return [
    list('all', {}),
    list('after a cursor', { after: middle }),
    list('of a period', day),
    list('by reference', { reference: `order-${payments}` }),
    list('by a reference that nobody has', { reference: 'none' }),
    ...LIST_STATES.map((state) => list(`by state ${state}`, { state })),
    ...LIST_STATES.map((state) => list(`by state ${state} and reference`, { state, reference: 'order-1' })),
    search('newest', {}),
    search('oldest', { sort: 'oldest' }),
    search('largest', { sort: 'largest' }),
    search('smallest', { sort: 'smallest' }),
    search('after a page', { after: `1000-${middle}` }),
    search('after a page, by amount', { after: `1000-${middle}`, sort: 'smallest' }),
    search('of a period', day),
    search('by the id of a payment', { text: middle }),
    search('by the id of a movement', { text: `${middle.slice(0, 16)}9${middle.slice(17)}` }),
    search('by reference', { text: 'order-7' }),
    search('by own reference', { text: 'own-7' }),
    search('by own reference as a filter', { myReference: 'own-7' }),
    search('by e-mail', { text: 'MAIL7@example.com' }),
    search('by phone', { text: '+46 70 100 00 07' }),
    search('by last four', { text: '0007' }),
    search('by amount', { text: '10,00' }),
    search('by a rare amount', { text: '20.00 SEK' }),
    search('by last name', { text: 'name7' }),
    search('by the beginning of a last name', { text: 'name' }),
    search('by a name that nobody has', { text: 'nobody' }),
    search('by full name', { text: 'ada name7' }),
    search('by a rare full name', { text: 'rare name11' }),
    search('by the beginning of a full name', { text: 'r name1' }),
    search('by a first name', { text: 'Ada' }),
    search('by the beginning of a first name', { text: 'ra' }),
    search('by a name that is typed otherwise', { text: 'namae7' }),
    search('by the beginning of a reference', { text: 'order-' }),
    search('by the beginning of an e-mail', { text: 'mail7' }),
    search('by how an id is shown', { text: `${middle.slice(0, 8)}…${middle.slice(-6)}` }),
    search('by a method', { text: 'visa', methodNames: [['Visa', 'Visa']] }),
    search('by a method and last four', { text: 'Visa •• 0007', methodNames: [['Visa', 'Visa']] }),
    search('by an amount as it is shown', { text: '1,000.00 SEK' }),
    search('by a full name that nobody has', { text: 'eve name11' }),
    people('by e-mail and state', { text: 'mail7@example.com', state: 'expired' }),
    ...STATE_NAMES.map((state) => search(`by state ${state}`, { state })),
    ...STATE_NAMES.map((state) => search(`by state ${state}, oldest first`, { state, sort: 'oldest' })),
    ...STATE_NAMES.map((state) => people(`by state ${state}, largest first`, { state, sort: 'largest' })),
    ...STATE_NAMES.map((state) => search(`by state ${state} in a period`, { state, ...day })),
    people('by state and own reference', { state: 'refunded', myReference: 'own-17' }),
    search('by a rare method', { method: 'INVOICE' }),
    search('by a common method', { method: 'CARD' }),
    search('by a method that nobody has', { method: 'Vipps' }),
    search('by a rare currency', { currency: 'EUR' }),
    search('by a common currency', { currency: 'SEK' }),
    search('by a currency that nobody has', { currency: 'JPY' }),
    search('by a rare currency, after a page', { currency: 'EUR', after: `1000-${middle}` }),
    search('by a rare currency, smallest first', { currency: 'EUR', sort: 'smallest' }),
    people('by a rare amount as a filter', { least: '15', most: '25' }),
    people('by one amount', { least: '10', most: '10' }),
    people('by an amount that many have', { least: '5', most: '10', currency: 'SEK' }),
    people('by a range of amounts that few of many have', { least: '100', most: '200' }),
    people('by a wide range of amounts', { least: '1' }),
    people('by a rare amount as a filter, largest first', {
      least: '15',
      most: '25',
      currency: 'SEK',
      sort: 'largest',
    }),
    search('by all filters', { state: 'refunded', method: 'Visa', currency: 'SEK', least: '5', most: '15', ...day }),
    search('by state and method', { state: 'expired', method: 'INVOICE' }),
    search('by a period, largest first', { ...day, sort: 'largest' }),
    people('by a short period that many are of, largest first', { ...hour, sort: 'largest' }),
    people('by a short period that many are of, smallest first', { ...hour, sort: 'smallest' }),
    people('by a period that many are of, largest first', { ...shift, sort: 'largest' }),
    people('by a period that many are of, smallest first', { ...shift, sort: 'smallest' }),
    people('by a period that many are of, after a page', { ...shift, sort: 'largest', after: `11000-${middle}` }),
    events('all', {}),
    events('by a common type', { names: ['payment.created'] }),
    events('by a rare type', { names: ['payment.refund.failed'], after: RARE }),
    events('since', { sinceMs: now }),
    events('of a payment', { paymentId: middle }),
    events('of a payment by type', { paymentId: middle, names: ['payment.refund.failed'] }),
    { name: 'events: position of a time', read: (pool) => positionBefore(pool, merchantId, now - 86_400_000) },
    { name: 'events: last position', read: (pool) => lastPositions(pool, [merchantId]) },
    { name: 'events: up to a position', read: (pool) => findEventUpTo(pool, merchantId, payments) },
    { name: 'event by id', read: (pool) => findEvent(pool, merchantId, middle) },
    { name: 'events: what is told of a payment', read: (pool) => listEventsOfPayment(pool, middle) },
    {
      name: 'deliveries of an event',
      read: async (pool) => {
        const event = await findEventUpTo(pool, merchantId, payments);
        return event && listDeliveriesOfEvent(pool, event);
      },
    },
    {
      name: 'deliveries of a payment',
      read: (pool) => listDeliveriesOfPayment(pool, middle, [1, 2, 3], 1_000),
    },
    {
      name: 'events of what is no movement of a payment',
      read: (pool) => listEventsOfMovements(pool, { merchantId, paymentId: middle }, 'none', 500),
    },
    {
      name: 'events of movements of a payment',
      read: (pool) => listEventsOfMovements(pool, { merchantId, paymentId: middle }, [middle], 500),
    },
    { name: 'deliveries of a webhook', read: (pool) => listDeliveriesOfWebhook(pool, WEBHOOK, webhook) },
    {
      name: 'deliveries of a webhook that failed',
      read: (pool) => listDeliveriesOfWebhook(pool, WEBHOOK, { ...webhook, state: 'failed' }),
    },
    { name: 'webhook by id', read: (pool) => findWebhook(pool, WEBHOOK, merchantId) },
    { name: 'webhooks', read: (pool) => listWebhooks(pool, merchantId) },
    { name: 'merchant by key', read: (pool) => findKeyHolders(pool, ['0'.repeat(32), '1'.repeat(32)]) },
    { name: 'merchant by checkout key', read: (pool) => findMerchantsByCheckoutKeys(pool, ['key-1', 'key-2']) },
    { name: 'merchant by id', read: (pool) => findMerchant(pool, merchantId) },
    { name: 'keys of a merchant', read: (pool) => listKeys(pool, merchantId) },
    {
      name: 'what needs attention',
      // All of them end soon, more than are counted.
      read: (pool) => findAttention(pool, merchant, now, 2 * 86_400_000),
      most: 1_000,
    },
    {
      name: 'figures of a month',
      read: (pool) => readFigures(pool, { merchant, from: '2025-06-01', to: '2025-06-30' }),
    },
    { name: 'payouts of a year', read: (pool) => listPayouts(pool, year) },
    { name: 'payouts of a year by currency', read: (pool) => listPayouts(pool, { ...year, currency: 'SEK' }) },
    { name: 'payout by id', read: (pool) => findPayout(pool, merchant, PAYOUT) },
    {
      name: 'what a payout is made of',
      read: (pool) => listPayoutActions(pool, PAYOUT, { merchant, skip: Math.floor(payments / 2), take: 1_000 }),
    },
    {
      name: 'payouts: what is to be gathered next',
      isGrouped: true,
      read: (pool) => pool.query(NEXT_TO_PAY_OUT, [PART, '2026-01-01T01:00:00Z', NO_ID, '2026-01-01']),
    },
    { name: 'subscription that was charged often', read: (pool) => findAnySubscription(pool, SUBSCRIPTION) },
    { name: 'secret of a subscription', read: (pool) => findSubscriptionSecret(pool, SUBSCRIPTION) },
    { name: 'latest charges of a subscription', read: (pool) => listCharges(pool, SUBSCRIPTION, 24) },
    requests('newest', {}, 2 * ROWS),
    requests('after a page', { before: middle }, 2 * ROWS),
    requests('of a period', day, 2 * ROWS),
    requests('of a payment', { paymentId: middle }, 2 * ROWS),
    requests('by their id', { requestId: 'request-7' }, 2 * ROWS),
    requests('by their id, of those that failed', { requestId: 'request-7', status: 'failed' }, 2 * ROWS),
    requests('that failed', { status: 'failed' }, 2 * ROWS),
    requests('that failed for us', { status: '5xx' }, 2 * ROWS),
    requests('that went well', { status: 'ok' }, 2 * ROWS),
    requests('of a rare key', { keyId: 'key_1' }),
    requests('of a route that nobody uses', { method: 'PUT', route: '/v1/none' }),
    { name: 'changes of a payment', read: (pool) => listPaymentChanges(pool, middle, 100), most: 100 },
    { name: 'creator of a payment', read: (pool) => findCreator(pool, middle), most: 1 },
    { name: 'payment of an id', read: (pool) => findPaymentOf(pool, merchantId, middle), most: 2 },
    { name: 'request', read: (pool) => findRequest(pool, merchant, middle) },
    {
      name: 'requests that were left out within an hour',
      read: (pool) => countOmitted(pool, merchant, { fromMs: STARTED_AT, toMs: STARTED_AT + 3_600_000 }),
      most: 100,
    },
    load('a payment', {}),
    load('a payment by its movement', { isMovement: true }),
    load('a payment and an idempotency record', { operation: 'charge', key: 'k' }),
    load('a payment by whoever holds its secret', { merchantId: null, target: first }),
  ];
}

export type Node = {
  readonly 'Node Type': string;
  readonly 'Relation Name'?: string;
  readonly 'Index Name'?: string;
  readonly 'Actual Rows'?: number;
  readonly 'Actual Loops'?: number;
  readonly 'Rows Removed by Filter'?: number;
  readonly 'Rows Removed by Index Recheck'?: number;
  readonly Plans?: readonly Node[];
};

export type Explained = { readonly reading: string; readonly mode: string; readonly plan: Node; readonly ms: number };

const nodesOf = (node: Node): Node[] => [node, ...(node.Plans ?? []).flatMap(nodesOf)];

/** Scans of tables, of those that grow with payments. */
const TABLES = new Set([
  'payments',
  'movements',
  'events',
  'idempotency_records',
  'lanes',
  'deliveries',
  'payouts',
  'payout_actions',
  'daily_figures',
  'renewals',
  'payment_facets',
]);
export const scansOf = (plan: Node): Node[] => nodesOf(plan).filter((node) => TABLES.has(node['Relation Name'] ?? ''));

/** How many rows a scan came upon, whether it gave them or not. */
export const rowsReadBy = (scan: Node): number =>
  (scan['Actual Loops'] ?? 1) *
  ((scan['Actual Rows'] ?? 0) + (scan['Rows Removed by Filter'] ?? 0) + (scan['Rows Removed by Index Recheck'] ?? 0));

type Explain = { 'QUERY PLAN': [{ Plan: Node; 'Execution Time': number }] };

const literal = (value: string | number | null): string =>
  value === null ? 'null' : typeof value === 'number' ? String(value) : `'${value.replaceAll("'", "''")}'`;

/** What a reading asks of the database, explained: a prepared statement with each kind of plan, the others as they are. */
export async function explainReading(pool: Pool, { name, read }: Reading): Promise<Explained[]> {
  const explained: Explained[] = [];
  const keep = (mode: string, [row]: readonly Explain[]): void => {
    const [{ Plan: plan, 'Execution Time': ms }] = (row as Explain)['QUERY PLAN'];
    explained.push({ reading: name, mode, plan, ms });
  };
  const explaining: Pool = {
    ...pool,
    run: async (statement, values) => {
      await pool.withClient(async (client) => {
        await client.query(`prepare reading as ${statement.text}`);
        for (const mode of ['custom', 'generic']) {
          await client.query(`set plan_cache_mode = force_${mode}_plan`);
          const asked = `explain (analyze, format json) execute reading (${values.map(literal).join()})`;
          keep(mode, (await client.query<Explain>(asked)).rows);
        }
        await client.query('deallocate reading; reset plan_cache_mode');
      });
      return pool.run(statement, values);
    },
    query: async (text, values) => {
      keep('once', await pool.query<Explain>(`explain (analyze, format json) ${text}`, values));
      return pool.query(text, values);
    },
  };
  await read(explaining);
  return explained;
}
