-- Checks the numbers of invoices and credit notes: each belongs to something that was invoiced, and everything invoiced
-- has one. One row per difference. verify-whole.sql checks that a series has no gap. {within …}: the condition of the
-- range, by the id of the payment.
with payment as not materialized (
  select * from payments where {within id}
),
movement as not materialized (
  select * from movements where {within payment_id}
),
issued as not materialized (
  select * from invoice_numbers where {within payment_id}
),
event as not materialized (
  select * from events where {within subject_id}
)
select issued.payment_id, format('invoice number %s is of nothing that was invoiced', issued.number) as difference
from issued
where not exists (
  select 1 from movement
  join payment on payment.part = movement.part and payment.id = movement.payment_id
  where movement.part = issued.part and movement.id = issued.movement_id and movement.payment_id = issued.payment_id
    and movement.kind in ('charge', 'refund') and movement.state = 'approved'
    and payment.merchant_id = issued.merchant_id and payment.method -> 'invoice' is not null
)
union all
select movement.payment_id, format('%s %s has no invoice number', movement.kind, movement.id)
from movement
join payment on payment.part = movement.part and payment.id = movement.payment_id
where movement.kind in ('charge', 'refund') and movement.state = 'approved'
  and payment.method -> 'invoice' is not null
  and not exists (
    select 1 from issued where issued.part = movement.part and issued.movement_id = movement.id
  )
  and not exists (
    select 1 from event
    where event.part = movement.part and event.subject_id = movement.payment_id and event.position is null
      and event.movement_id = movement.id and event.name in ('payment.charge.created', 'payment.refund.completed')
  )
