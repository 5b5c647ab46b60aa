// Payments that never were, by the million: for trying out how lists, figures and checks do with many. Postgres makes them
// itself, a batch in a transaction, as a shop's years would have left them: created, reserved, charged, refunded, cancelled
// and declined, with their movements and events, so that the books balance.
import { randomBytes } from 'node:crypto';
import type { Merchant } from '../domain/merchant.ts';
import type { Pool } from './pool.ts';

// A second or so of work.
const BATCH = 5_000;
// Within the time for which events are kept. Movements follow each other at once, so that a batch ends before the next
// begins: what is walked over meanwhile, for payouts and figures, is met in its order.
const SPREAD_DAYS = 60;
const DAY_MS = 86_400_000;

const list = (words: string): string =>
  `array[${words
    .split(' ')
    .map((word) => `'${word}'`)
    .join()}]`;
const FIRST_NAMES = list(
  'Ada Alma Björn Carl Dagny Elin Erik Freja Gustav Hanna Ida Ivar Johan Kari Lars Maja Nils Olle Saga Tuva',
);
const LAST_NAMES = list(
  'Andersson Berg Dahl Ek Forsberg Hansen Holm Johansson Karlsson Lind Lund Nilsson Nordmann Olsen Sandberg Strand',
);
const GOODS = list('Mug Lamp Chair Scarf Boots Kettle Blanket Poster Basket Candle');
const CURRENCIES = list('SEK SEK SEK SEK SEK SEK NOK DKK EUR EUR');

const pick = (words: string, by: string): string => `(${words})[1 + ${by} % array_length(${words}, 1)]`;

/** An id of a moment in milliseconds: the last digits are the run's, the payment's number, and which of its ids it is. */
const idAt = (ms: string, which: number): string =>
  `(lpad(to_hex(${ms}), 12, '0') || '7' || lpad(to_hex($1::int), 3, '0') || '8' || $6::text || lpad(to_hex(n), 10, '0') || '${which}')::uuid`;

/**
 * $1 part, $2 merchant, $3 and $4 the first and the last number, $5 when the first was and how far they are apart, in
 * milliseconds, $6 four digits of the run, $7 the merchant's home part.
 */
const MAKE = `with counter as materialized (
    select last from event_counters where part = $7::smallint and merchant_id = $2 for update
  ),
  numbered as (
    select n, (n * 2654435761) % 1000003 as random, $5::float8[] as time
    from generate_series($3::bigint, $4::bigint) as n
  ),
  drawn as materialized (
    select n, random, (time[1] + n * time[2])::bigint as ms,
      100 * (50 + random % 4950) as amount,
      case when random % 100 < 5 then 'created' when random % 100 < 10 then 'reserved'
        when random % 100 < 14 then 'cancelled' when random % 100 < 20 then 'refunded'
        when random % 100 < 23 then 'declined' else 'charged' end as outcome
    from numbered
  ),
  made as materialized (
    select *, ${idAt('ms', 0)} as id, ${idAt('ms + 1', 1)} as reservation_id, ${idAt('ms + 2', 2)} as second_id,
      ${idAt('ms + 3', 3)} as refund_id, to_timestamp(ms / 1000.0) as at,
      case outcome when 'created' then 1 when 'reserved' then 2 when 'declined' then 2 when 'refunded' then 4 else 3 end
        as version
    from drawn
  ),
  payment as (
    insert into payments (part, id, merchant_id, version, created_at, amount, currency, reference, items, checkout_url,
      checkout, consumer, method, bytes, reserved, charged, cancelled, refunded)
    select $1, id, $2, version, at, amount, ${pick(CURRENCIES, 'random / 7')}, 'sample-' || $6 || '-' || n,
      json_build_array(json_build_object('reference', 'item-' || random % 10, 'name', ${pick(GOODS, 'random / 11')},
        'quantity', 1, 'unit', 'pcs', 'unitPrice', amount, 'taxRate', 0, 'taxAmount', 0, 'grossTotalAmount', amount,
        'netTotalAmount', amount)),
      'https://shop.example/checkout', '{"integrationType":"EmbeddedCheckout"}',
      case outcome when 'created' then '{}' else json_build_object(
        'email', lower(${pick('name.firsts', 'random / 3')}) || '.' || n || '@example.test',
        'phone', json_build_object('prefix', '+46', 'number', '70' || lpad((random * 7 % 10000000)::text, 7, '0')),
        'person', json_build_object('firstName', ${pick('name.firsts', 'random / 3')},
          'lastName', ${pick(LAST_NAMES, 'random / 5')})) end,
      case when outcome in ('created', 'declined') then null else json_build_object('paymentType', 'CARD', 'paymentMethod',
        case when random % 3 = 0 then 'MasterCard' else 'Visa' end,
        'maskedPan', case when random % 3 = 0 then '541333' else '492500' end || '******'
          || lpad((random % 10000)::text, 4, '0'),
        'expiryDate', '1230') end,
      1000, case when outcome in ('created', 'declined') then 0 else amount end,
      case when outcome in ('charged', 'refunded') then amount else 0 end,
      case outcome when 'cancelled' then amount else 0 end,
      case outcome when 'refunded' then amount / 4 else 0 end
    from made cross join (select ${FIRST_NAMES} as firsts) as name
  ),
  movement as materialized (
    select made.*, step.* from made cross join lateral (values
      (1, reservation_id, 'reservation', case outcome when 'declined' then 'declined' else 'approved' end, amount, 1,
        outcome <> 'created'),
      (2, second_id, 'charge', 'approved', amount, 2, outcome in ('charged', 'refunded')),
      (2, second_id, 'cancel', 'approved', amount, 2, outcome = 'cancelled'),
      (3, refund_id, 'refund', 'approved', amount / 4, 3, outcome = 'refunded')
    ) as step (sequence, movement_id, kind, state, moved, later_ms, is_there)
    where is_there
  ),
  moved as (
    insert into movements (part, id, payment_id, sequence, kind, state, amount, items, created_at, updated_at, acquirer,
      source, charge_id, refunded, invoice_number, reason)
    select $1, movement_id, id, sequence, kind, state, moved, case kind when 'refund' then '[]'::json end,
      at + later_ms * interval '1 millisecond', at + later_ms * interval '1 millisecond', 'simulator',
      case kind when 'reservation' then 'sim_approved' end, case kind when 'refund' then second_id end,
      case when kind = 'charge' and outcome = 'refunded' then amount / 4 else 0 end,
      case kind when 'charge' then lpad(('x' || $6)::bit(16)::int::text, 6, '9') || lpad(n::text, 18, '0') end,
      case state when 'declined' then (array['Insufficient funds', 'Expired card', 'Do not honour'])[1 + random % 3] end
    from movement
  ),
  told as (
    select movement.*, event.ordinal, event.name,
      row_number() over (order by n, sequence, event.ordinal) + counter.last as position
    from movement
    cross join counter
    join (values
      ('reservation', 'approved', 0, 'payment.created'), ('reservation', 'approved', 1, 'payment.reservation.created'),
      ('reservation', 'approved', 2, 'payment.reservation.created.v2'),
      ('reservation', 'approved', 3, 'payment.checkout.completed'),
      ('reservation', 'declined', 0, 'payment.created'), ('reservation', 'declined', 1, 'payment.reservation.failed'),
      ('charge', 'approved', 0, 'payment.charge.created'), ('charge', 'approved', 1, 'payment.charge.created.v2'),
      ('cancel', 'approved', 0, 'payment.cancel.created'),
      ('refund', 'approved', 0, 'payment.refund.initiated'), ('refund', 'approved', 1, 'payment.refund.initiated.v2'),
      ('refund', 'approved', 2, 'payment.refund.completed')
    ) as event (kind, state, ordinal, name) using (kind, state)
  ),
  events as (
    insert into events (part, subject_id, version, ordinal, merchant_id, name, happened_at, recorded_at, movement_id,
      position)
    select $1, id, sequence + 1, ordinal, $2, name, at + later_ms * interval '1 millisecond',
      at + later_ms * interval '1 millisecond',
      case name when 'payment.created' then null else movement_id end, position
    from told
    returning position
  )
  update event_counters set last = (select max(position) from events)
  where part = $7::smallint and merchant_id = $2 and exists (select 1 from events)`;

export type SampleShare = { readonly merchant: Merchant; readonly payments: number };

/** Makes so many payments of each merchant, the oldest first, in the merchant's parts in turn. */
export async function loadSample(
  pool: Pool,
  shares: readonly SampleShare[],
  onProgress: (made: number) => void,
  nowMs: number,
): Promise<void> {
  let made = 0;
  const run = randomBytes(2).toString('hex');
  for (const { merchant, payments } of shares) {
    // The last is old enough to be over and done with.
    const firstMs = nowMs - SPREAD_DAYS * DAY_MS;
    const stepMs = ((SPREAD_DAYS - 2) * DAY_MS) / payments;
    for (let from = 0; from < payments; from += BATCH) {
      const to = Math.min(from + BATCH, payments) - 1;
      const part = merchant.parts[(from / BATCH) % merchant.parts.length];
      await pool.query(MAKE, [part, merchant.id, from, to, [firstMs, stepMs], run, merchant.parts[0]]);
      made += to - from + 1;
      onProgress(made);
    }
  }
}
