-- Looks for anything that the books forbid in subscriptions: one row per difference. What a subscription refers to is
-- looked up in the part of its id.
--
-- {within …}: the condition of the range, by the id of the payment or subscription.
with payment as not materialized (
  select * from payments where {within id}
),
movement as not materialized (
  select * from movements where {within payment_id}
),
event as not materialized (
  select * from events where {within subject_id}
),
subscription as not materialized (
  select * from subscriptions where {within id}
),
renewal as not materialized (
  select * from renewals where {within payment_id}
)
select
  payment.id,
  format('it has begun subscription %s, which is not there', payment.checkout -> 'subscription' ->> 'id') as difference
from payment
where payment.checkout -> 'subscription' ->> 'role' = 'new'
  and exists (
    select 1 from movement
    where movement.part = payment.part and movement.payment_id = payment.id and kind = 'reservation'
      and state = 'approved'
  )
  and not exists (
    select 1 from subscriptions
    where subscriptions.part = payment.part
      and subscriptions.id = (payment.checkout -> 'subscription' ->> 'id')::uuid
      and subscriptions.merchant_id = payment.merchant_id
  )
union all
select payment.id, format('it is a charge of subscription %s, which does not know it', checkout -> 'subscription' ->> 'id')
from payment
where payment.checkout -> 'subscription' ->> 'role' = 'renewal'
  and not exists (
    select 1 from renewal
    where renewal.part = payment.part and renewal.payment_id = payment.id
      and renewal.subscription_id = (payment.checkout -> 'subscription' ->> 'id')::uuid
  )
union all
select subscription.id, format('its card is of payment %s, which has no approved reservation', subscription.payment_id)
from subscription
where not exists (
  select 1 from movements
  where movements.part = ((get_byte(uuid_send(subscription.payment_id), 6) & 15) << 8)
      + get_byte(uuid_send(subscription.payment_id), 7)
    and movements.payment_id = subscription.payment_id and kind = 'reservation' and state = 'approved'
)
union all
select subscription.id, format('it was ended by the %s, but subscription.ended was told %s times', ended_by, found.times)
from subscription
cross join lateral (
  select count(*) as times from event
  where event.part = subscription.part and event.subject_id = subscription.id and event.name = 'subscription.ended'
) as found
where (subscription.state = 'ended') <> (found.times = 1)
  and not (found.times = 0 and exists (
    select 1 from event_counters as counter
    where counter.merchant_id = subscription.merchant_id and subscription.ended_at < counter.events_purged_before
  ))
union all
select event.subject_id, format('event %s is of a subscription that is not there', event.name)
from event
where event.name = 'subscription.ended' and not exists (
  select 1 from subscription where subscription.part = event.part and subscription.id = event.subject_id
    and subscription.merchant_id = event.merchant_id and subscription.version >= event.version
)
union all
select renewal.payment_id, format('it counts as a charge of subscription %s, and is none', renewal.subscription_id)
from renewal
join payment on payment.part = renewal.part and payment.id = renewal.payment_id
where payment.checkout -> 'subscription' ->> 'role' is distinct from 'renewal'
union all
select renewal.payment_id, format('it is a charge of subscription %s, which is another merchant''s',
  renewal.subscription_id)
from renewal
join payment on payment.part = renewal.part and payment.id = renewal.payment_id
join subscriptions on subscriptions.part = renewal.part and subscriptions.id = renewal.subscription_id
where payment.merchant_id <> subscriptions.merchant_id
union all
select payment.id, format('it is an entry of bulk %s, which does not know it', home.id)
from payment
cross join lateral (select (payment.checkout -> 'subscription' ->> 'bulkId')::uuid as id) as named
cross join lateral (
  select named.id, ((get_byte(uuid_send(named.id), 6) & 15) << 8) + get_byte(uuid_send(named.id), 7) as part
) as home
where home.id is not null
  and not exists (
    select 1 from bulk_entries
    where bulk_entries.part = home.part and bulk_entries.bulk_id = home.id and bulk_entries.payment_id = payment.id
  )
  and not exists (
    select 1 from bulks where bulks.part = home.part and bulks.id = home.id and forgotten_at is not null
  )
