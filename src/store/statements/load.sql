-- Reads a group of payments with their movements, and the idempotency records of their requests, at once. A target is a
-- payment, or a movement of the payment; another merchant's payment is not found. A request without a merchant comes
-- from a holder of a secret of the payment itself. For a payment with more than $2 bytes only the size is returned, so
-- that it can be requested separately; likewise for one whose current state the caller has.
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
