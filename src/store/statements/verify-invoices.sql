-- Looks at the numbers of invoices and credit notes in a range of parts: the series of each merchant has no gap, each
-- number is of something that was invoiced, and what was invoiced has a number. One row a difference.
-- $1 first part, $2 last part.
with payment as not materialized (
  select * from payments where part between $1::int and $2::int
),
movement as not materialized (
  select * from movements where part between $1::int and $2::int
),
issued as not materialized (
  select * from invoice_numbers where part between $1::int and $2::int
)
-- Where there is none, by the merchant's own number.
select coalesce(series.payment_id, lpad(counter.merchant_id::text, 32, '0')::uuid) as id,
  format('merchant %s has given %s invoice numbers, but %s are there, %s of them different, up to %s',
    counter.merchant_id, counter.invoices, series.given, series.different, series.highest) as difference
from event_counters as counter
join merchants as merchant on merchant.id = counter.merchant_id
cross join lateral (
  select
    count(*) as given, count(distinct number) as different, coalesce(max(number), 0) as highest,
    (array_agg(payment_id order by number desc))[1] as payment_id
  from invoice_numbers
  where part = any (merchant.parts) and invoice_numbers.merchant_id = merchant.id
) as series
where counter.part between $1::int and $2::int
  and (series.given <> counter.invoices or series.different <> counter.invoices or series.highest <> counter.invoices)
union all
select issued.payment_id, format('invoice number %s is of nothing that was invoiced', issued.number)
from issued
where not exists (
  select 1 from movement
  join payment on payment.part = movement.part and payment.id = movement.payment_id
  where movement.part = issued.part and movement.id = issued.movement_id and movement.payment_id = issued.payment_id
    and movement.kind in ('charge', 'refund') and movement.state = 'approved'
    and payment.merchant_id = issued.merchant_id and payment.method -> 'invoice' ->> 'numbered' = 'true'
)
union all
-- A process of a version that gave no numbers may have published its event; then reading it gives it one.
select movement.payment_id, format('%s %s has no invoice number', movement.kind, movement.id)
from movement
join payment on payment.part = movement.part and payment.id = movement.payment_id
where movement.kind in ('charge', 'refund') and movement.state = 'approved'
  and payment.method -> 'invoice' ->> 'numbered' = 'true'
  and not exists (select 1 from issued where issued.part = movement.part and issued.movement_id = movement.id)
  and not exists (
    select 1 from events as event
    where event.part = movement.part and event.subject_id = movement.payment_id and event.position is null
      and event.movement_id = movement.id and event.name in ('payment.charge.created', 'payment.refund.completed')
  )
