// Rows as they stand in the tables, made by hand: for tests of what the database itself refuses, and of what is found
// when it was made to take what it should not.
import { makeId } from '../../src/domain/id.ts';
import type { Pool } from '../../src/store/connections/pool.ts';
import type { PeopleTable } from './people-rows.ts';

export type Row = Readonly<Record<string, unknown>>;

const PART = 0xabc;
export const AT = '2026-11-15T08:00:00.000Z';

let made = 0;

/** A new id in the part of these rows, or in another; of the time of these rows, or of another. */
export function newRowId(part = PART, at = AT): string {
  made += 1;
  return makeId(Date.parse(at), part, `8${made.toString(16).padStart(15, '0')}`);
}

export const aMerchantRow = (changes: Row = {}): Row => ({
  id: 100_000_000 + (made += 1),
  name: 'Shop',
  live: false,
  dialect: 'spec',
  strict_items: false,
  reserve_on_demand: false,
  checkout_key: `key-${made}`,
  parts: `{${PART}}`,
  created_at: AT,
  ...changes,
});

export const anAcquirerRow = (changes: Row = {}): Row => ({
  name: `bank-${(made += 1)}`,
  url: 'http://bank.example',
  key: 'bank-key-0123456789',
  created_at: AT,
  ...changes,
});

export const aKeyRow = (merchantId: unknown, changes: Row = {}): Row => ({
  hash: Buffer.alloc(32, (made += 1) % 256),
  id: `key_${made}`,
  merchant_id: merchantId,
  hint: 'abcd',
  created_at: AT,
  ...changes,
});

export const aPaymentRow = (changes: Row = {}): Row => ({
  part: PART,
  id: newRowId(),
  merchant_id: 100_000_001,
  version: 1,
  created_at: AT,
  amount: 1_000,
  currency: 'SEK',
  items: JSON.stringify([{ grossTotalAmount: 1_000 }]),
  checkout: '{}',
  consumer: '{}',
  ...changes,
});

export const aReservationRow = (paymentId: unknown, changes: Row = {}): Row => ({
  part: PART,
  id: newRowId(),
  payment_id: paymentId,
  sequence: 1,
  kind: 'reservation',
  state: 'approved',
  amount: 1_000,
  created_at: AT,
  updated_at: AT,
  acquirer: 'simulator',
  source: 'sim_approved',
  ...changes,
});

export const aChargeRow = (paymentId: unknown, changes: Row = {}): Row => ({
  ...aReservationRow(paymentId),
  sequence: 2,
  kind: 'charge',
  source: null,
  amount: 600,
  invoice_number: String((made += 1)).padStart(24, '0'),
  ...changes,
});

export const anEventRow = (paymentId: unknown, changes: Row = {}): Row => ({
  part: PART,
  subject_id: paymentId,
  version: 1,
  ordinal: 0,
  merchant_id: 100_000_001,
  name: 'payment.created',
  happened_at: AT,
  ...changes,
});

export const aRecordRow = (paymentId: unknown, changes: Row = {}): Row => ({
  part: PART,
  merchant_id: 100_000_001,
  operation: 'cancel',
  target: paymentId,
  key: `key-${(made += 1)}`,
  subject_id: paymentId,
  request: Buffer.alloc(32, 1),
  status: 204,
  answer: '',
  created_at: AT,
  ...changes,
});

export const aWebhookRow = (changes: Row = {}): Row => ({
  part: PART,
  id: newRowId(),
  merchant_id: 100_000_001,
  slot: 1,
  url: 'https://shop.example/events',
  after_position: 0,
  secret: 'whsec_c2VjcmV0IG9mIGEgc2hvcA==',
  created_at: AT,
  ...changes,
});

export const aRedeliveryRow = (changes: Row = {}): Row => ({
  part: PART,
  id: newRowId(),
  merchant_id: 100_000_001,
  webhook_id: newRowId(),
  since: AT,
  only_failed: false,
  first_position: 10,
  position: 10,
  last_position: 20,
  ...changes,
});

export const anEndpointRow = (changes: Row = {}): Row => ({
  part: PART,
  merchant_id: 100_000_001,
  endpoint: 'https://shop.example',
  standing: 'proven',
  ...changes,
});

export const aLaneRow = (paymentId: unknown, changes: Row = {}): Row => ({
  part: PART,
  subject_id: paymentId,
  subscriber: `hook-${(made += 1) % 100}`,
  merchant_id: 100_000_001,
  endpoint: 'https://shop.example',
  entry_count: 1,
  ...changes,
});

export const aDeliveryRow = (paymentId: unknown, changes: Row = {}): Row => ({
  part: PART,
  subject_id: paymentId,
  subscriber: 'hook-0',
  version: 1,
  ordinal: 0,
  state: 'pending',
  next_try_at: AT,
  ...changes,
});

export const aChangeRow = (paymentId: unknown, changes: Row = {}): Row => ({
  part: PART,
  payment_id: paymentId,
  version: 2,
  kind: 'cart',
  happened_at: AT,
  before: '{}',
  after: '{}',
  ...changes,
});

export type Table =
  | 'audit_heads'
  | 'audit_records'
  | 'payment_changes'
  | 'request_log'
  | 'request_log_omissions'
  | 'audit_waits'
  | PeopleTable
  | 'daily_figures'
  | 'figure_walks'
  | 'payment_facets'
  | 'facet_walks'
  | 'reconcile_outcomes'
  | 'subscriptions'
  | 'renewals'
  | 'invoice_numbers'
  | 'bulks'
  | 'bulk_entries'
  | 'payouts'
  | 'payout_actions'
  | 'payout_walks'
  | 'acquirers'
  | 'merchants'
  | 'merchant_logos'
  | 'clock_moves'
  | 'secret_keys'
  | 'payments'
  | 'movements'
  | 'events'
  | 'idempotency_records'
  | 'webhooks'
  | 'event_counters'
  | 'lanes'
  | 'deliveries'
  | 'redeliveries'
  | 'endpoints';

export async function insertRow(pool: Pool, table: Table, row: Row): Promise<Row> {
  const names = Object.keys(row);
  const places = names.map((_, index) => `$${index + 1}`);
  await pool.query(`insert into ${table} (${names.join()}) values (${places.join()})`, Object.values(row));
  return row;
}

export const aSubscriptionRow = (merchantId: unknown, paymentId: unknown, changes: Row = {}): Row => ({
  part: PART,
  id: newRowId(),
  merchant_id: merchantId,
  kind: 'scheduled',
  began_on: '2026-11-15',
  interval_days: 0,
  ends_at: AT,
  payment_id: paymentId,
  acquirer: 'simulator',
  source: 'sim_approved',
  method: '{}',
  consent: '{}',
  secret: 'a'.repeat(32),
  ...changes,
});

export const aBulkRow = (merchantId: unknown, changes: Row = {}): Row => ({
  part: PART,
  id: newRowId(),
  merchant_id: merchantId,
  kind: 'scheduled',
  purpose: 'charge',
  request: Buffer.alloc(32),
  entry_count: 1,
  ...changes,
});

export const aBulkEntryRow = (bulkId: unknown, changes: Row = {}): Row => ({
  part: PART,
  bulk_id: bulkId,
  place: (made += 1),
  merchant_id: 100_000_001,
  subscription_id: newRowId(),
  payment_id: newRowId(),
  next_try_at: AT,
  ...changes,
});

export const aPayoutRow = (merchantId: unknown, changes: Row = {}): Row => ({
  part: PART,
  id: newRowId(),
  merchant_id: merchantId,
  day: '2026-11-14',
  currency: 'SEK',
  charged: 1_000,
  refunded: 0,
  charge_count: 1,
  action_count: 1,
  ...changes,
});

/** Of a movement that was pending when it was met. */
export const aPayoutActionRow = (movementId: unknown, changes: Row = {}): Row => ({
  part: PART,
  movement_id: movementId,
  ...changes,
});
