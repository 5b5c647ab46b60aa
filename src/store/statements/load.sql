-- Reads a group of payments with their movements, and the idempotency records their requests ask for, at once.
-- A target is a payment, or a movement whose payment is meant; another merchant's payment is not found. A request
-- without a merchant is made by who holds a secret of the payment itself. Of a payment that holds more than $2 bytes only
-- its size is given, so that it can be asked for apart from the others; and so it is of one that is known as it is.
select
  {payment},
  asked.n,
  {stamp} as stamp,
  case
    when payment.id is null then (
      select bytes from payments as unread
      where unread.part = asked.part
        and unread.id = wanted.id
        and unread.merchant_id = coalesce(asked.merchant_id, unread.merchant_id)
    )
  end as unread_bytes,
  record.subject_id as recorded_subject_id,
  record.request,
  record.status,
  record.answer,
  record.movement_id,
  -- What is found may not have reached a synchronous standby yet.
  {timeline} as timeline
from json_to_recordset($1) as asked (
  n integer, part smallint, target uuid, is_movement boolean, merchant_id bigint, operation text, key text,
  known text
)
cross join lateral (
  select case
    when asked.is_movement then (
      select payment_id from movements where movements.part = asked.part and movements.id = asked.target
    )
    else asked.target
  end as id
) as wanted
left join payments as payment
  on payment.part = asked.part
  and payment.id = wanted.id
  and payment.merchant_id = coalesce(asked.merchant_id, payment.merchant_id)
  and payment.bytes <= $2::int
  and (asked.known is null or asked.known is distinct from {stamp})
left join idempotency_records as record
  on record.part = asked.part
  and record.merchant_id = asked.merchant_id
  and record.operation = asked.operation
  and record.target = asked.target
  and record.key = asked.key
