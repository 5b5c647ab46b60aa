-- Reads a group of payments with their movements, and the idempotency records their requests ask for, at once.
-- A target is a payment, or a movement whose payment is meant; another merchant's payment is not found. A request
-- without a merchant is made by who holds a secret of the payment itself.
select
  asked.n,
  payment.id,
  payment.version,
  payment.amount,
  payment.currency,
  payment.reference,
  payment.my_reference,
  payment.items,
  payment.checkout_url,
  payment.checkout,
  payment.consumer,
  payment.method,
  payment.terminated_at,
  payment.reserved,
  payment.charged,
  payment.charging,
  payment.cancelled,
  payment.cancelling,
  payment.refunded,
  payment.refunding,
  (
    select json_agg(
      json_build_array(
        id, kind, state, sequence, amount, items, updated_at, acquirer, source, charge_id, refunded, refunding,
        invoice_number, reason
      ) order by sequence
    )
    from movements
    where movements.part = payment.part and movements.payment_id = payment.id
  ) as movements,
  payment.challenge,
  payment.merchant_id,
  record.subject_id as recorded_subject_id,
  record.request,
  record.status,
  record.answer,
  record.movement_id,
  -- What is found may not have reached a synchronous standby yet.
  current_setting('synchronous_standby_names') <> ''
from json_to_recordset($1) as asked (
  n integer, part smallint, target uuid, is_movement boolean, merchant_id bigint, operation text, key text
)
left join payments as payment
  on payment.part = asked.part
  and payment.id = case
    when asked.is_movement then (
      select payment_id from movements where movements.part = asked.part and movements.id = asked.target
    )
    else asked.target
  end
  and payment.merchant_id = coalesce(asked.merchant_id, payment.merchant_id)
left join idempotency_records as record
  on record.part = asked.part
  and record.merchant_id = asked.merchant_id
  and record.operation = asked.operation
  and record.target = asked.target
  and record.key = asked.key
