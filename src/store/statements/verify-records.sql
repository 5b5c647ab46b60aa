-- Looks for idempotency records of a period that refer to what does not exist, or that were changed after they were
-- answered: one row per difference. What a record refers to is looked up by its id. $1 created after, $2 created until.
with record as not materialized (
  select *, coalesce(seal <> {seal idempotency_records of idempotency_records}, false) as is_changed
  from idempotency_records where created_at > $1::timestamptz and created_at <= $2::timestamptz
)
select record.subject_id as id,
  format('the idempotency record of a %s has no such payment', record.operation) as difference
from record
left join payments as payment on payment.part = record.part and payment.id = record.subject_id
-- A webhook may have been deleted since.
where record.operation <> 'webhook' and (payment.merchant_id <> record.merchant_id
  -- A payment that never held money may be deleted before the answers that refer to it: its creation, and refusals. A
  -- refused charge of a subscription created no payment.
  or (payment.id is null and not exists (
    select 1 from subscriptions where subscriptions.part = record.part and subscriptions.id = record.subject_id
  ) and not exists (
    select 1 from housekeeping
    where job = 'purge' and purged_before is not null
      and (record.status >= 400 or (record.operation = 'create' and record.created_at < purged_before))
  )))
union all
select record.subject_id, format('the answer to a %s is still open, and it names no movement', record.operation)
from record
where status is null and not exists (
  select 1 from movements as movement
  where movement.part = record.part and movement.id = record.movement_id and movement.payment_id = record.subject_id
)
union all
select record.subject_id, format('the idempotency record of a %s names what is not there', record.operation)
from record
-- What was changed is named below, and need not be JSON any more.
cross join lateral (select case when not is_changed then answer::json end as told) as read
where status = 201
  and (
    (operation = 'create' and (told ->> 'paymentId')::uuid <> subject_id)
    or (operation in ('charge', 'refund') and not exists (
      select 1
      from movements as movement
      where movement.part = record.part
        -- The last is what the console records.
        and movement.id =
          coalesce(told ->> 'chargeId', told ->> 'refundId', told ->> 'movementId')::uuid
        and movement.payment_id = record.subject_id
        and movement.kind = record.operation
        -- A refund that was accepted while its outcome was open may have been declined since.
        and (movement.state <> 'declined' or (record.operation = 'refund' and movement.id = record.movement_id))
    ))
  )
union all
-- All keys of a payment, whenever each of them was made.
select distinct record.subject_id, format('%s keys were told of a cancel, but it has %s', told.keys, done.cancels)
from record
cross join lateral (
  select count(*) as keys from idempotency_records as other
  where other.part = record.part and other.merchant_id = record.merchant_id and other.operation = 'cancel'
    and other.target = record.target and other.status = 204
) as told
cross join lateral (
  select count(*) as cancels from movements as movement
  where movement.part = record.part and movement.payment_id = record.subject_id and kind = 'cancel'
    and state = 'approved'
) as done
where record.operation = 'cancel' and record.status = 204 and told.keys > done.cancels
union all
select subject_id, format('the answer to a %s was changed after it was given', operation)
from record
where is_changed
