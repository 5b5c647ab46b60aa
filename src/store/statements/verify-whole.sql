-- Checks what concerns all of a merchant's payments together, and so cannot be checked payment by payment, for
-- merchants with their home in a range of parts: the series of invoices has no gap, no number of an invoice or an event
-- was used twice, and no payment is in two bulks. One row per difference. $1 first part, $2 last part.
with home as materialized (
  select generate_series($1::int, $2::int)::smallint as part
  union
  select unnest(parts) from merchants where parts[1] between $1::int and $2::int
),
twice as materialized (
  select invoice_number
  from movements
  where part in (select part from home) and invoice_number is not null
  group by invoice_number
  having count(*) > 1
)
-- If there is none, by the merchant's own number.
select coalesce((
    select payment_id from invoice_numbers
    where part = any (merchant.parts) and invoice_numbers.merchant_id = merchant.id
    order by number desc limit 1
  ), lpad(counter.merchant_id::text, 32, '0')::uuid) as id,
  format('merchant %s has given %s invoice numbers, but %s are there, %s of them different, up to %s',
    counter.merchant_id, counter.invoices, series.given, series.different, series.highest) as difference
from event_counters as counter
join merchants as merchant on merchant.id = counter.merchant_id
cross join lateral (
  select count(*) as given, count(distinct number) as different, coalesce(max(number), 0) as highest
  from invoice_numbers
  where part = any (merchant.parts) and invoice_numbers.merchant_id = merchant.id
) as series
where counter.part between $1::int and $2::int
  and (series.given <> counter.invoices or series.different <> counter.invoices or series.highest <> counter.invoices)
union all
-- A deleted payment leaves a gap.
select null, format('merchant %s has numbered its events up to %s, but %s are there, %s of them different, up to %s',
  counter.merchant_id, counter.last, series.numbered, series.different, series.highest)
from event_counters as counter
cross join lateral (
  select count(*) as numbered, count(distinct position) as different, coalesce(max(position), 0) as highest
  from events
  where events.merchant_id = counter.merchant_id and position is not null
) as series
where counter.part between $1::int and $2::int
  and (series.different <> series.numbered or series.highest > counter.last)
union all
-- Whether they are of the same merchant is only checked if there are any.
(
  select (array_agg(movement.payment_id))[1],
    format('invoice number %s was given %s times', movement.invoice_number, count(*))
  from movements as movement
  join payments as payment on payment.part = movement.part and payment.id = movement.payment_id
  where exists (select 1 from twice) and movement.part in (select part from home)
    and movement.invoice_number in (select invoice_number from twice)
  group by payment.merchant_id, movement.invoice_number
  having count(*) > 1
  limit 10000
)
union all
select entry.payment_id, format('it is an entry of %s bulks', count(*))
from bulk_entries as entry
where entry.part in (select part from home)
group by entry.payment_id
having count(*) > 1
