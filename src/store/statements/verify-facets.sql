-- Looks for payments whose facets, by which the console filters lists and counts, do not match the payment: one row per
-- difference. Only payments that the walk has visited and that were not changed since. The state is that of
-- payment-state.ts.
--
-- {within …}: the condition of the range.
with judged as (
  select
    payment.part, payment.id, facets.part is null as is_missing,
    coalesce(nullif({state}, 'terminated'), 'unpaid') as standing,
    case when payment.method is null then '' else concat(payment.method ->> 'paymentType', '/',
      payment.method ->> 'paymentMethod') end as method,
    payment.currency, payment.merchant_id,
    case when payment.reserved > payment.charged + payment.charging + payment.cancelled + payment.cancelling
      then reservation.id end as reservation_id,
    facets.standing as kept_standing, facets.method as kept_method, facets.currency as kept_currency,
    facets.merchant_id as kept_merchant_id, facets.reservation_id as kept_reservation_id
  from payments as payment
  join facet_walks as walk on walk.part = payment.part
  left join payment_facets as facets on facets.part = payment.part and facets.payment_id = payment.id
  left join movements as reservation on reservation.part = payment.part and reservation.payment_id = payment.id
    and reservation.kind = 'reservation' and reservation.state <> 'declined'
  where {within payment.id}
    and payment.created_at <= (select walked_to from housekeeping where job = 'facets')
    and coalesce(facets.standing, '') <> 'pending'
    and not exists (
      select 1 from movements
      where movements.part = payment.part and movements.payment_id = payment.id
        and ((movements.created_at, movements.id) > (walk.walked_at, walk.walked_id)))
)
select id, case
  when is_missing then 'it has no facets, so no filter of the console finds it'
  when kept_reservation_id is distinct from reservation_id and kept_standing = standing
    then 'its facets are wrong about what is left of its reservation, which the overview tells of before it ends'
  else format('its facets say %s, %s, %s of merchant %s, but it is %s, %s, %s of merchant %s',
    kept_standing, kept_method, kept_currency, kept_merchant_id, standing, method, currency, merchant_id)
  end as difference
from judged
where is_missing or (standing, method, currency, merchant_id, reservation_id)
  is distinct from (kept_standing, kept_method, kept_currency, kept_merchant_id, kept_reservation_id)
