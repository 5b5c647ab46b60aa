// The statement that creates a batch of sample payments, as years of business would leave them: created, reserved,
// charged, refunded, cancelled and declined, with their movements, events, idempotency records, facets and figures, so
// that the books balance and nothing is left to be summed.

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
const DECLINE = `(array['insufficient funds', 'expired card', 'declined by the issuer'])[1 + random % 3]`;
const CURRENCIES = list('SEK SEK SEK SEK SEK SEK NOK DKK EUR EUR');

const pick = (words: string, by: string): string => `(${words})[1 + ${by} % array_length(${words}, 1)]`;

/**
 * An id with a time in milliseconds; its last digits are the run's, the payment's number, and an index among its ids.
 */
const idAt = (ms: string, which: number): string =>
  `(lpad(to_hex(${ms}), 12, '0') || '7' || lpad(to_hex($1::int), 3, '0') || '8' || $6::text || lpad(to_hex(n), 10, '0') || '${which}')::uuid`;

/**
 * $1 part, $2 merchant, $3 and $4 the first and the last number, $5 time of the first and the interval, in
 * milliseconds, $6 four digits of the run, $7 the merchant's home part, $8 since when idempotency records are kept, in
 * milliseconds, $9 whether figures are summed.
 */
export const MAKE = `with counter as materialized (
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
  kinds as materialized (
    select made.*, ${pick(CURRENCIES, 'random / 7')} as currency,
      case when outcome in ('created', 'declined') then '' when random % 3 = 0 then 'MasterCard' else 'Visa' end as method
    from made
  ),
  payment as (
    insert into payments (part, id, merchant_id, version, created_at, amount, currency, reference, items, checkout_url,
      checkout, consumer, method, bytes, reserved, charged, cancelled, refunded)
    select $1, id, $2, version, at, amount, currency, 'sample-' || $6 || '-' || n,
      json_build_array(json_build_object('reference', 'item-' || random % 10, 'name', ${pick(GOODS, 'random / 11')},
        'quantity', 1, 'unit', 'pcs', 'unitPrice', amount, 'taxRate', 0, 'taxAmount', 0, 'grossTotalAmount', amount,
        'netTotalAmount', amount)),
      'https://shop.example/checkout', '{"integrationType":"EmbeddedCheckout"}',
      case outcome when 'created' then '{}' else json_build_object(
        'email', lower(${pick('name.firsts', 'random / 3')}) || '.' || n || '@example.test',
        'phone', json_build_object('prefix', '+46', 'number', '70' || lpad((random * 7 % 10000000)::text, 7, '0')),
        'person', json_build_object('firstName', ${pick('name.firsts', 'random / 3')},
          'lastName', ${pick(LAST_NAMES, 'random / 5')})) end,
      case when method <> '' then json_build_object('paymentType', 'CARD', 'paymentMethod', method, 'maskedPan',
        case method when 'MasterCard' then '541333' else '492500' end || '******' || lpad((random % 10000)::text, 4, '0'),
        'expiryDate', '1230') end,
      1000, case when outcome in ('created', 'declined') then 0 else amount end,
      case when outcome in ('charged', 'refunded') then amount else 0 end,
      case outcome when 'cancelled' then amount else 0 end,
      case outcome when 'refunded' then amount / 4 else 0 end
    from kinds cross join (select ${FIRST_NAMES} as firsts) as name
  ),
  facets as (
    insert into payment_facets (part, payment_id, merchant_id, version, standing, method, currency, reservation_id)
    select $1, id, $2, version,
      case when outcome in ('created', 'declined') then 'unpaid' when outcome = 'refunded' then 'partly refunded'
        else outcome end,
      case when method = '' then '' else 'CARD/' || method end, currency,
      case outcome when 'reserved' then reservation_id end
    from kinds
  ),
  answers as (
    insert into idempotency_records (part, merchant_id, operation, target, key, subject_id, request, status, answer,
      created_at)
    select $1, $2, 'create', '00000000-0000-0000-0000-000000000000', 'sample-' || $6 || '-' || n, id,
      sha256(convert_to('sample-' || $6 || '-' || n, 'UTF8')), 201,
      json_build_object('paymentId', replace(id::text, '-', ''))::text, at
    from made where ms > $8::float8
  ),
  movement as materialized (
    select kinds.*, step.* from kinds cross join lateral (values
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
      case state when 'declined' then ${DECLINE} end
    from movement
  ),
  figures as (
    insert into daily_figures (part, merchant_id, day, currency, kind, state, method, reason, count, amount)
    select $7::smallint, $2, ((at + later_ms * interval '1 millisecond') at time zone 'UTC')::date, currency, kind,
      state, method, case state when 'declined' then ${DECLINE} else '' end, count(*), sum(moved)
    from movement where $9::boolean
    group by 3, 4, 5, 6, 7, 8 order by 3, 4, 5, 6, 7, 8
    on conflict (part, merchant_id, day, currency, kind, state, method, reason) do update set
      count = daily_figures.count + excluded.count, amount = daily_figures.amount + excluded.amount
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
