-- A page of a merchant's payments, newest first, with the columns of load.sql.
-- $1 merchant, $2 first id, $3 id before which it ends, $4 reference, $5 state, $6 oldest id that can still be paid,
-- $7 limit.
select
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
  payment.merchant_id
from payments as payment
where payment.merchant_id = $1::bigint
  and payment.id >= $2::uuid
  and payment.id < $3::uuid
  and ($4::text is null or payment.reference = $4::text)
  and case $5::text
    when 'created' then
      payment.reserved = 0 and payment.terminated_at is null and payment.id >= $6::uuid
    when 'expired' then
      payment.reserved = 0 and payment.terminated_at is null and payment.id < $6::uuid
    when 'terminated' then payment.terminated_at is not null
    when 'reserved' then payment.reserved > 0
    when 'charged' then payment.charged > 0
    when 'refunded' then payment.refunded > 0
    when 'cancelled' then payment.cancelled > 0
    else true
  end
order by payment.id desc
limit $7::int
