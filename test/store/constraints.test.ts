// Goal: what the code forgets, the database refuses. Method: a row of each table that is taken, and a list of changes to
// it, each of which is refused by the constraint that is named; no check of the schema is left without one.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { openPool } from '../../src/store/connections/pool.ts';
import type { Pool } from '../../src/store/connections/pool.ts';
import { AUDIT_TABLES } from '../support/audit-rows.ts';
import { REQUEST_LOG_TABLES } from '../support/request-log-rows.ts';
import { cloneDatabase } from '../support/database.ts';
import { aPersonRow, consoleSecrets, peopleTables } from '../support/people-rows.ts';
import * as rows from '../support/rows.ts';
import type { Row, Table } from '../support/rows.ts';

const BIG = 1_000_000_000_001;
const TAKEN = { reserved: 1_000 };

type Refused = readonly [changes: Row, constraint: string];

const payments: readonly Refused[] = [
  [{ part: 4_096, id: rows.newRowId(0) }, 'payments_id_carries_part'],
  [{ part: -1, id: rows.newRowId(0) }, 'payments_id_carries_part'],
  [{ id: rows.newRowId(0xabd) }, 'payments_id_carries_part'],
  [{ part: 0 }, 'payments_id_carries_part'],
  [{ version: 0 }, 'payments_version_check'],
  [{ amount: -1 }, 'payments_amount_check'],
  [{ amount: BIG }, 'payments_amount_check'],
  [{ currency: 'sek' }, 'payments_currency_check'],
  [{ currency: 'SEKK' }, 'payments_currency_check'],
  [{ reference: '' }, 'payments_reference_check'],
  [{ reference: 'x'.repeat(129) }, 'payments_reference_check'],
  [{ my_reference: '' }, 'payments_my_reference_check'],
  [{ created_by: '' }, 'payments_created_by_check'],
  [{ my_reference: 'x'.repeat(37) }, 'payments_my_reference_check'],
  [{ checkout_url: 'x'.repeat(2_049) }, 'payments_checkout_url_check'],
  [{ bytes: -1 }, 'payments_bytes_check'],
  [{ reserved: -1 }, 'payments_reserved_check'],
  [{ ...TAKEN, charged: -1 }, 'payments_charged_check'],
  [{ ...TAKEN, charging: -1 }, 'payments_charging_check'],
  [{ ...TAKEN, cancelled: -1 }, 'payments_cancelled_check'],
  [{ ...TAKEN, cancelling: -1 }, 'payments_cancelling_check'],
  [{ ...TAKEN, refunded: -1 }, 'payments_refunded_check'],
  [{ ...TAKEN, refunding: -1 }, 'payments_refunding_check'],
  [{ reserved: 1_001 }, 'payments_reserved_within_order'],
  [{ charged: 1 }, 'payments_taken_within_reserved'],
  [{ ...TAKEN, charged: 1_001 }, 'payments_taken_within_reserved'],
  [{ ...TAKEN, charged: 400, charging: 300, cancelled: 200, cancelling: 101 }, 'payments_taken_within_reserved'],
  [{ ...TAKEN, refunded: 1 }, 'payments_refunded_within_charged'],
  [{ ...TAKEN, charged: 100, refunded: 60, refunding: 41 }, 'payments_refunded_within_charged'],
  [{ ...TAKEN, charging: 100, refunding: 1 }, 'payments_refunded_within_charged'],
  [{ ...TAKEN, terminated_at: rows.AT }, 'payments_terminated_unreserved'],
];

const paymentChanges: readonly Refused[] = [
  [{ version: 1 }, 'payment_changes_version_check'],
  [{ kind: 'charge' }, 'payment_changes_kind_check'],
  [{ key_id: '' }, 'payment_changes_key_id_check'],
  [{ person_id: '' }, 'payment_changes_person_id_check'],
  [{ payment_id: rows.newRowId() }, 'payment_changes_part_payment_id_fkey'],
  [{}, 'payment_changes_pkey'],
];

const subscriptions: readonly Refused[] = [
  [{ part: 4_096, id: rows.newRowId(0) }, 'subscriptions_id_carries_part'],
  [{ id: rows.newRowId(0xabd) }, 'subscriptions_id_carries_part'],
  [{ merchant_id: 1 }, 'subscriptions_merchant_id_fkey'],
  [{ kind: 'gift' }, 'subscriptions_kind_check'],
  [{ version: 0 }, 'subscriptions_version_check'],
  [{ interval_days: -1 }, 'subscriptions_interval_days_check'],
  [{ interval_days: 36_501 }, 'subscriptions_interval_days_check'],
  [{ interval_days: null }, 'subscriptions_scheduled_has_interval'],
  [{ ends_at: null }, 'subscriptions_scheduled_has_interval'],
  [{ kind: 'unscheduled' }, 'subscriptions_scheduled_has_interval'],
  [{ state: 'maybe' }, 'subscriptions_state_check'],
  [{ source: '' }, 'subscriptions_source_check'],
  [{ secret: 'guess' }, 'subscriptions_secret_check'],
  [{ state: 'ended', ended_at: new Date(), ended_by: 'nobody' }, 'subscriptions_ended_by_check'],
  [{ state: 'ended' }, 'subscriptions_ended_says_when'],
  [{ ended_at: new Date(), ended_by: 'consumer' }, 'subscriptions_ended_says_when'],
  [{ state: 'ended', ended_at: new Date() }, 'subscriptions_ended_says_when'],
];

const renewals: readonly Refused[] = [
  [{ payment_id: rows.newRowId(), day: '2026-11-16' }, 'renewals_part_payment_id_fkey'],
  [{ subscription_id: rows.newRowId() }, 'renewals_part_subscription_id_fkey'],
];

const bulks: readonly Refused[] = [
  [{ id: rows.newRowId(0xabd) }, 'bulks_id_carries_part'],
  [{ merchant_id: 1 }, 'bulks_merchant_id_fkey'],
  [{ kind: 'gift' }, 'bulks_kind_check'],
  [{ purpose: 'gift' }, 'bulks_purpose_check'],
  [{ external_id: '' }, 'bulks_external_id_check'],
  [{ external_id: 'x'.repeat(65) }, 'bulks_external_id_check'],
  [{ key: '' }, 'bulks_key_check'],
  [{ request: Buffer.alloc(31) }, 'bulks_request_check'],
  [{ entry_count: 0 }, 'bulks_entry_count_check'],
  [{ created_by: '' }, 'bulks_created_by_check'],
  [{ entry_count: 1_001 }, 'bulks_entry_count_check'],
];

const bulkEntries: readonly Refused[] = [
  [{ bulk_id: rows.newRowId() }, 'bulk_entries_part_bulk_id_fkey'],
  [{ place: -1 }, 'bulk_entries_place_check'],
  [{ my_reference: '' }, 'bulk_entries_my_reference_check'],
  [{ state: 'maybe', next_try_at: null }, 'bulk_entries_state_check'],
  [{ tries: -1 }, 'bulk_entries_tries_check'],
  [{ next_try_at: null }, 'bulk_entries_pending_is_due'],
  [{ state: 'failed' }, 'bulk_entries_pending_is_due'],
];

const payouts: readonly Refused[] = [
  [{ id: rows.newRowId(0xabd) }, 'payouts_id_carries_part'],
  [{ merchant_id: 1 }, 'payouts_merchant_id_fkey'],
  [{ currency: 'sek' }, 'payouts_currency_check'],
  [{ charged: -1 }, 'payouts_charged_check'],
  [{ refunded: -1 }, 'payouts_refunded_check'],
  [{ charge_count: -1 }, 'payouts_charge_count_check'],
  [{ action_count: 0 }, 'payouts_check'],
  [{}, 'payouts_part_merchant_id_day_currency_key'],
];

const payoutActions: readonly Refused[] = [
  [{ movement_id: rows.newRowId() }, 'payout_actions_part_movement_id_fkey'],
  [{ payout_id: rows.newRowId(), place: -1 }, 'payout_actions_place_check'],
  [{ payout_id: rows.newRowId() }, 'payout_actions_place_in_payout'],
  [{ place: 0 }, 'payout_actions_place_in_payout'],
  [{}, 'payout_actions_pkey'],
];

const payoutWalks: readonly Refused[] = [[{ part: 4_096 }, 'payout_walks_part_check']];

const figures: readonly Refused[] = [
  [{ merchant_id: 1 }, 'daily_figures_merchant_id_fkey'],
  [{ currency: 'sek' }, 'daily_figures_currency_check'],
  [{ kind: 'gift' }, 'daily_figures_kind_check'],
  [{ state: 'pending' }, 'daily_figures_state_check'],
  [{ count: 0 }, 'daily_figures_count_check'],
  [{ amount: -1 }, 'daily_figures_amount_check'],
  [{}, 'daily_figures_pkey'],
];

const figureWalks: readonly Refused[] = [[{ part: 4_096 }, 'figure_walks_part_check']];

const facets: readonly Refused[] = [
  [{ payment_id: rows.newRowId() }, 'payment_facets_part_payment_id_fkey'],
  [{ version: 0 }, 'payment_facets_version_check'],
  [{ standing: 'created' }, 'payment_facets_standing_check'],
  [{ currency: 'sek' }, 'payment_facets_currency_check'],
  [{}, 'payment_facets_pkey'],
];

const outcomes: readonly Refused[] = [
  [{ merchant_id: 1 }, 'reconcile_outcomes_merchant_id_fkey'],
  [{ difference_count: 0 }, 'reconcile_outcomes_difference_count_check'],
  [{ payment_ids: '{}' }, 'reconcile_outcomes_payment_ids_check'],
  [{}, 'reconcile_outcomes_pkey'],
];

const facetWalks: readonly Refused[] = [[{ part: 4_096 }, 'facet_walks_part_check']];

const charges: readonly Refused[] = [
  [{ id: rows.newRowId(0) }, 'movements_id_carries_part'],
  [{ sequence: 0 }, 'movements_sequence_check'],
  [{ sequence: 1 }, 'movements_part_payment_id_sequence_key'],
  [{ kind: 'gift', invoice_number: null }, 'movements_kind_check'],
  [{ state: 'maybe' }, 'movements_state_check'],
  [{ amount: 0 }, 'movements_amount_check'],
  [{ amount: BIG }, 'movements_amount_check'],
  [{ tries: -1 }, 'movements_tries_check'],
  [{ refunded: -1 }, 'movements_refunded_check'],
  [{ refunding: -1 }, 'movements_refunding_check'],
  [{ refunded: 601 }, 'movements_refunded_within_charge'],
  [{ refunded: 300, refunding: 301 }, 'movements_refunded_within_charge'],
  [{ invoice_number: null }, 'movements_charge_has_invoice'],
  [{ invoice_number: '12' }, 'movements_invoice_number_check'],
  [{ source: 'sim_approved' }, 'movements_reservation_has_source'],
  [{ state: 'declined' }, 'movements_declined_has_reason'],
  [{ reason: 'no reason' }, 'movements_declined_has_reason'],
  [{ payment_id: rows.newRowId() }, 'movements_part_payment_id_fkey'],
  [{ kind: 'cancel' }, 'movements_charge_has_invoice'],
  [{ kind: 'cancel', invoice_number: null, refunded: 1 }, 'movements_refunds_on_charges'],
  [{ kind: 'refund', invoice_number: null }, 'movements_refund_names_charge'],
  [{ kind: 'refund', invoice_number: null, charge_id: rows.newRowId() }, 'movements_part_charge_id_fkey'],
  [{ kind: 'reservation', invoice_number: null }, 'movements_reservation_has_source'],
  [{ kind: 'reservation', invoice_number: null, source: 's' }, 'movements_one_reservation'],
  [{ kind: 'reservation', invoice_number: null, source: 's', state: 'pending' }, 'movements_one_reservation'],
];

const logos: readonly Refused[] = [
  [{ merchant_id: 999_999_999 }, 'merchant_logos_merchant_id_fkey'],
  [{ type: 'image/svg+xml' }, 'merchant_logos_type_check'],
  [{ bytes: Buffer.alloc(0) }, 'merchant_logos_bytes_check'],
  [{ bytes: Buffer.alloc(65_537) }, 'merchant_logos_bytes_check'],
];

const merchants: readonly Refused[] = [
  [{ id: 99_999_999 }, 'merchants_id_check'],
  [{ id: 1_000_000_000 }, 'merchants_id_check'],
  [{ name: '' }, 'merchants_name_check'],
  [{ name: 'x'.repeat(129) }, 'merchants_name_check'],
  [{ dialect: 'dutch' }, 'merchants_dialect_check'],
  [{ live: true, reserve_on_demand: true }, 'merchants_check'],
  [{ acquirer: 'nobody' }, 'merchants_acquirer_fkey'],
  [{ seller: '[]' }, 'merchants_seller_check'],
  [{ refund_proof: '[]' }, 'merchants_refund_proof_check'],
  [{ refund_proof: JSON.stringify({ SEK: '1'.repeat(1_024) }) }, 'merchants_refund_proof_check'],
  [{ seller: JSON.stringify({ name: 'x'.repeat(4_096) }) }, 'merchants_seller_check'],
  [{ acquirer: 'bank', reserve_on_demand: true }, 'merchants_on_demand_simulated'],
  [{ acquirer: 'bank', live: true }, 'merchants_live_unsimulated'],
  [{ parts: '{}' }, 'merchants_parts_check'],
  [{ parts: '{1,4096}' }, 'merchants_parts_check'],
  [{ colour: 'red' }, 'merchants_colour_check'],
  [{ colour: '#7C2D92' }, 'merchants_colour_check'],
  [{ logo: 'logo.png' }, 'merchants_logo_check'],
  [{ clock_ahead_ms: -1 }, 'merchants_clock_of_test'],
  [{ clock_ahead_ms: 63_072_000_001 }, 'merchants_clock_of_test'],
  [{ clock_ahead_ms: 1, live: true }, 'merchants_clock_of_test'],
];

const clockMoves: readonly Refused[] = [
  [{ merchant_id: 999_999_999 }, 'clock_moves_merchant_id_fkey'],
  [{ ahead_ms: 0 }, 'clock_moves_ahead_ms_check'],
  [{ key: '' }, 'clock_moves_key_check'],
  [{ key: 'x'.repeat(65) }, 'clock_moves_key_check'],
  [{ ahead_ms: 2, request: Buffer.alloc(31) }, 'clock_moves_request_check'],
  [{ ahead_ms: 2, key: 'other', request: null }, 'clock_moves_keyed'],
  [{ ahead_ms: 2, key: 'other', answer: null }, 'clock_moves_keyed'],
  [{ key: 'other' }, 'clock_moves_pkey'],
  [{ ahead_ms: 2 }, 'clock_moves_merchant_id_key_key'],
];

const acquirers: readonly Refused[] = [
  [{ name: 'Bank' }, 'acquirers_name_check'],
  [{ name: 'simulator' }, 'acquirers_name_check'],
  [{ url: 'ftp://bank.example' }, 'acquirers_url_check'],
  [{ key: 'short' }, 'acquirers_key_check'],
  [{ difference_count: -1 }, 'acquirers_difference_count_check'],
  [{ name: 'bank' }, 'acquirers_pkey'],
];

const keys: readonly Refused[] = [
  [{ hash: Buffer.alloc(31) }, 'secret_keys_hash_check'],
  [{ merchant_id: 999_999_999 }, 'secret_keys_merchant_id_fkey'],
  [{ name: '' }, 'secret_keys_name_check'],
  [{ scopes: ['all'] }, 'secret_keys_scopes_check'],
  [{ scopes: [] }, 'secret_keys_scopes_check'],
];

const records: readonly Refused[] = [
  [{ operation: 'reserve' }, 'idempotency_records_operation_check'],
  [{ key: '' }, 'idempotency_records_key_check'],
  [{ key: 'x'.repeat(65) }, 'idempotency_records_key_check'],
  [{ request: Buffer.alloc(31) }, 'idempotency_records_request_check'],
  [{ key: 'taken' }, 'idempotency_records_pkey'],
];

const events: readonly Refused[] = [
  [{ position: 0 }, 'events_position_check'],
  [{}, 'events_pkey'],
];

const positions: readonly Refused[] = [
  [{ invoices: -1 }, 'event_counters_invoices_check'],
  [{ last: -1 }, 'event_counters_last_check'],
  [{ events_purged_to: -1 }, 'event_counters_events_purged_to_check'],
  [{ deliveries_purged_to: -1 }, 'event_counters_deliveries_purged_to_check'],
  [{ merchant_id: 999_999_999 }, 'event_counters_merchant_id_fkey'],
];

const webhooks: readonly Refused[] = [
  [{ merchant_id: 999_999_999 }, 'webhooks_merchant_id_fkey'],
  [{ slot: 0 }, 'webhooks_slot_check'],
  [{ slot: 21 }, 'webhooks_slot_check'],
  [{ version: 0 }, 'webhooks_version_check'],
  [{ part: 1 }, 'webhooks_id_carries_part'],
  [{ after_position: -1 }, 'webhooks_after_position_check'],
  [{ url: 'ftp://shop.example' }, 'webhooks_url_check'],
  [{ events: [] }, 'webhooks_events_check'],
  [{ secret: 'secret' }, 'webhooks_secret_check'],
  [{ old_secret: 'secret', old_secret_until: new Date() }, 'webhooks_old_secret_check'],
  [{ old_secret_until: new Date() }, 'webhooks_old_secret_ends'],
  [{ disabled_at: new Date() }, 'webhooks_disabled_for_a_reason'],
  [{ disabled_at: new Date(), disabled_reason: 'bored' }, 'webhooks_disabled_reason_check'],
];

const lanes: readonly Refused[] = [
  [{ subscriber: 'somebody' }, 'lanes_subscriber_check'],
  [{ entry_count: 0 }, 'lanes_entry_count_check'],
  [{ lease_number: -1 }, 'lanes_lease_number_check'],
];

const deliveries: readonly Refused[] = [
  [{ state: 'lost', next_try_at: null }, 'deliveries_state_check'],
  [{ tries: -1 }, 'deliveries_tries_check'],
  [{ redelivery_count: -1 }, 'deliveries_redelivery_count_check'],
  [{ attempt_count: -1 }, 'deliveries_attempt_count_check'],
  [{ attempts: JSON.stringify(Array.from({ length: 41 }, () => ({}))) }, 'deliveries_attempts_check'],
  [{ next_try_at: null }, 'deliveries_pending_is_due'],
  [{ state: 'delivered' }, 'deliveries_pending_is_due'],
  [{ subscriber: 'hook-99' }, 'deliveries_part_subject_id_subscriber_fkey'],
  [{ version: 9 }, 'deliveries_part_subject_id_version_ordinal_fkey'],
];

const redeliveries: readonly Refused[] = [
  [{ merchant_id: 999_999_999 }, 'redeliveries_merchant_id_fkey'],
  [{ part: 1 }, 'redeliveries_id_carries_part'],
  [{ event_names: [] }, 'redeliveries_event_names_check'],
  [{ state: 'lost', ended_at: new Date() }, 'redeliveries_state_check'],
  [{ first_position: -1 }, 'redeliveries_first_position_check'],
  [{ last_position: 9 }, 'redeliveries_within_the_log'],
  [{ position: 9 }, 'redeliveries_within_the_log'],
  [{ position: 21 }, 'redeliveries_within_the_log'],
  [{ event_count: -1 }, 'redeliveries_event_count_check'],
  [{ delivery_count: -1 }, 'redeliveries_delivery_count_check'],
  [{ state: 'completed' }, 'redeliveries_end'],
  [{ ended_at: new Date() }, 'redeliveries_end'],
];

const invoiceNumbers: readonly Refused[] = [
  [{ number: 0 }, 'invoice_numbers_number_check'],
  [{ seller: '[]' }, 'invoice_numbers_seller_check'],
  [{ movement_id: rows.newRowId() }, 'invoice_numbers_part_movement_id_fkey'],
];

const endpoints: readonly Refused[] = [
  [{ merchant_id: 999_999_999 }, 'endpoints_merchant_id_fkey'],
  [{ standing: 'new' }, 'endpoints_standing_check'],
];

describe('constraints', () => {
  let pool: Pool;
  let base: {
    merchant: Row;
    person: Row;
    colleague: Row;
    payment: Row;
    movement: Row;
    charge: Row;
    subscription: Row;
    bulk: Row;
    renewed: Row;
  };
  before(async () => {
    pool = openPool(await cloneDatabase(), { size: 1 });
    await rows.insertRow(pool, 'acquirers', rows.anAcquirerRow({ name: 'bank' }));
    const merchant = await rows.insertRow(pool, 'merchants', rows.aMerchantRow());
    const person = await rows.insertRow(pool, 'people', aPersonRow({ email: 'taken@example.test' }));
    const colleague = await rows.insertRow(pool, 'people', aPersonRow());
    const payment = await rows.insertRow(pool, 'payments', rows.aPaymentRow());
    const movement = await rows.insertRow(pool, 'movements', rows.aReservationRow(payment['id']));
    const charge = await rows.insertRow(pool, 'movements', rows.aChargeRow(payment['id'], { sequence: 99 }));
    await rows.insertRow(pool, 'events', rows.anEventRow(payment['id']));
    await rows.insertRow(pool, 'idempotency_records', rows.aRecordRow(payment['id'], { key: 'taken' }));
    await rows.insertRow(pool, 'lanes', rows.aLaneRow(payment['id'], { subscriber: 'hook-0' }));
    const subscription = rows.aSubscriptionRow(merchant['id'], payment['id']);
    await rows.insertRow(pool, 'subscriptions', subscription);
    const bulk = rows.aBulkRow(merchant['id']);
    await rows.insertRow(pool, 'bulks', bulk);
    const renewed = await rows.insertRow(pool, 'payments', rows.aPaymentRow());
    base = { merchant, person, colleague, payment, movement, charge, subscription, bulk, renewed };
  });
  after(() => pool.close());

  const tables: readonly [
    name: string,
    table: Table,
    row: (changes: Row) => Row,
    good: Row,
    refused: readonly Refused[],
  ][] = [
    ['an acquirer', 'acquirers', (changes) => rows.anAcquirerRow(changes), {}, acquirers],
    [
      'a change of a payment',
      'payment_changes',
      (changes) => rows.aChangeRow(base.payment['id'], changes),
      { key_id: 'key_0', person_id: 'person_0' },
      paymentChanges,
    ],
    ['a merchant', 'merchants', (changes) => rows.aMerchantRow(changes), {}, merchants],
    [
      'a logo',
      'merchant_logos',
      (changes) => ({ merchant_id: base.merchant['id'], type: 'image/png', bytes: Buffer.alloc(65_536), ...changes }),
      {},
      logos,
    ],
    [
      'a move of a test clock',
      'clock_moves',
      (changes) => ({
        merchant_id: base.merchant['id'],
        ahead_ms: 1,
        key: 'taken',
        request: Buffer.alloc(32),
        answer: '{}',
        ...changes,
      }),
      {},
      clockMoves,
    ],
    ...peopleTables(() => base),
    ...AUDIT_TABLES,
    ...REQUEST_LOG_TABLES,
    ['a secret key', 'secret_keys', (changes) => rows.aKeyRow(base.merchant['id'], changes), {}, keys],
    [
      'a payment',
      'payments',
      (changes) => rows.aPaymentRow(changes),
      { ...TAKEN, charged: 1_000, refunded: 1_000 },
      payments,
    ],
    ['a movement', 'movements', (changes) => rows.aChargeRow(base.payment['id'], changes), { sequence: 9 }, charges],
    ['an event', 'events', (changes) => rows.anEventRow(base.payment['id'], changes), { ordinal: 1 }, events],
    [
      'a webhook',
      'webhooks',
      (changes) => rows.aWebhookRow({ merchant_id: base.merchant['id'], ...changes }),
      {},
      webhooks,
    ],
    [
      'a position',
      'event_counters',
      (changes) => ({ part: 0, merchant_id: base.merchant['id'], last: 0, ...changes }),
      {},
      positions,
    ],
    ['a lane', 'lanes', (changes) => rows.aLaneRow(base.payment['id'], changes), {}, lanes],
    ['a delivery', 'deliveries', (changes) => rows.aDeliveryRow(base.payment['id'], changes), {}, deliveries],
    [
      'a redelivery',
      'redeliveries',
      (changes) => rows.aRedeliveryRow({ merchant_id: base.merchant['id'], ...changes }),
      {},
      redeliveries,
    ],
    [
      'an invoice number',
      'invoice_numbers',
      (changes) => ({
        part: base.payment['part'],
        movement_id: base.charge['id'],
        payment_id: base.payment['id'],
        merchant_id: base.merchant['id'],
        // The one that is taken must not be in the way of those that are refused.
        number: Object.keys(changes).length === 0 ? 1 : 2,
        seller: '{}',
        ...changes,
      }),
      {},
      invoiceNumbers,
    ],
    [
      'an endpoint',
      'endpoints',
      (changes) => rows.anEndpointRow({ merchant_id: base.merchant['id'], ...changes }),
      {},
      endpoints,
    ],
    [
      'a subscription',
      'subscriptions',
      (changes) => rows.aSubscriptionRow(base.merchant['id'], base.payment['id'], changes),
      {},
      subscriptions,
    ],
    [
      'a renewal',
      'renewals',
      (changes) => ({
        part: base.payment['part'],
        // The one that is taken must not be in the way of those that are refused.
        payment_id: (Object.keys(changes).length === 0 ? base.payment : base.renewed)['id'],
        subscription_id: base.subscription['id'],
        day: '2026-11-15',
        card_payment_id: base.payment['id'],
        ...changes,
      }),
      {},
      renewals,
    ],
    ['a bulk', 'bulks', (changes) => rows.aBulkRow(base.merchant['id'], changes), {}, bulks],
    ['an entry of a bulk', 'bulk_entries', (changes) => rows.aBulkEntryRow(base.bulk['id'], changes), {}, bulkEntries],
    ['a payout', 'payouts', (changes) => rows.aPayoutRow(base.merchant['id'], changes), {}, payouts],
    [
      'an action of a payout',
      'payout_actions',
      (changes) => rows.aPayoutActionRow(base.movement['id'], changes),
      {},
      payoutActions,
    ],
    [
      'a daily figure',
      'daily_figures',
      (changes) => ({
        part: 7,
        merchant_id: base.merchant['id'],
        day: '2026-11-15',
        currency: 'SEK',
        kind: 'charge',
        state: 'approved',
        method: 'Visa',
        reason: '',
        count: 1,
        amount: 1,
        ...changes,
      }),
      {},
      figures,
    ],
    ['a walk of figures', 'figure_walks', (changes) => ({ part: 7, ...changes }), {}, figureWalks],
    [
      'facets',
      'payment_facets',
      (changes) => ({
        part: base.payment['part'],
        payment_id: base.payment['id'],
        merchant_id: base.merchant['id'],
        version: 1,
        standing: 'unpaid',
        method: '',
        currency: 'SEK',
        ...changes,
      }),
      {},
      facets,
    ],
    [
      'an outcome of a reconcile',
      'reconcile_outcomes',
      (changes) => ({
        part: 7,
        merchant_id: base.merchant['id'],
        acquirer: 'bank',
        difference_count: 1,
        payment_ids: `{${rows.newRowId()}}`,
        ...changes,
      }),
      {},
      outcomes,
    ],
    ['a walk of facets', 'facet_walks', (changes) => ({ part: 7, walked_at: '-infinity', ...changes }), {}, facetWalks],
    ['a walk', 'payout_walks', (changes) => ({ part: 7, day: '2026-11-15', ...changes }), {}, payoutWalks],
    [
      'an idempotency record',
      'idempotency_records',
      (changes) => rows.aRecordRow(base.payment['id'], changes),
      {},
      records,
    ],
  ];

  for (const [name, table, row, good, refused] of tables) {
    test(`${name} that is right is taken`, async () => {
      await rows.insertRow(pool, table, row(good));
    });
    for (const [changes, constraint] of refused)
      test(`${name} with ${describeChanges(changes)} is refused by ${constraint}`, async () => {
        await assert.rejects(rows.insertRow(pool, table, row(changes)), { constraint });
      });
  }

  for (const [changes, constraint] of consoleSecrets)
    test(`a secret of the console with ${describeChanges(changes)} is refused by ${constraint}`, async () => {
      const row = { secret: Buffer.alloc(32), ...changes };
      await assert.rejects(rows.insertRow(pool, 'console_secret', row), { constraint });
    });

  test('a second reservation is taken when the first was declined', async () => {
    const { id } = await rows.insertRow(pool, 'payments', rows.aPaymentRow());
    await rows.insertRow(pool, 'movements', rows.aReservationRow(id, { state: 'declined', reason: 'no' }));
    await rows.insertRow(pool, 'movements', rows.aReservationRow(id, { sequence: 2 }));
  });

  test('every check and foreign key of the schema has a row here that it refuses', async () => {
    const named = new Set(tables.flatMap(([, , , , refused]) => refused.map(([, constraint]) => constraint)));
    for (const [, constraint] of consoleSecrets) named.add(constraint);
    // An id cannot carry a part out of range, so its own check speaks first.
    named.add('payments_part_check');
    named.add('subscriptions_part_check');
    const found = await pool.query<{ name: string }>(
      `select conname as name from pg_constraint
       where contype in ('c', 'f') and connamespace = 'public'::regnamespace order by 1`,
    );
    assert.deepEqual(
      found.map(({ name }) => name).filter((name) => !named.has(name)),
      [],
    );
  });
});

function describeChanges(changes: Row): string {
  const texts = Object.entries(changes).map(([name, value]) => {
    const text = Buffer.isBuffer(value) ? `${value.length} bytes` : String(value);
    return `${name} ${text.length > 40 ? `of ${text.length} characters` : text || 'empty'}`;
  });
  return texts.join(', ') || 'the key of another';
}
