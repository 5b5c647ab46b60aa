-- Looks for anything in a range of parts that subscriptions and bulks forbid: one row a difference, as in verify.sql.
-- $1 first part, $2 last part.
with payment as not materialized (
  select * from payments where part between $1::int and $2::int
),
movement as not materialized (
  select * from movements where part between $1::int and $2::int
),
event as not materialized (
  select * from events where part between $1::int and $2::int
),
subscription as not materialized (
  select * from subscriptions where part between $1::int and $2::int
),
renewal as not materialized (
  select * from renewals where part between $1::int and $2::int
),
entry as not materialized (
  select *, ((get_byte(uuid_send(payment_id), 6) & 15) << 8) + get_byte(uuid_send(payment_id), 7) as payment_part
  from bulk_entries where part between $1::int and $2::int
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
    select 1 from subscription
    where subscription.part = payment.part
      and subscription.id = (payment.checkout -> 'subscription' ->> 'id')::uuid
      and subscription.merchant_id = payment.merchant_id
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
-- A process of the version before begins subscriptions without telling of it, so only what was ended has to be told.
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
select entry.payment_id, format('an entry of bulk %s says that charge %s was made', entry.bulk_id, entry.charge_id)
from entry
where entry.charge_id is not null and not exists (
  select 1 from movements
  where movements.part = entry.payment_part
    and movements.id = entry.charge_id and movements.payment_id = entry.payment_id and kind = 'charge'
    and state = 'approved'
)
union all
select entry.payment_id, format('an entry of bulk %s says that it failed, but it is charged', entry.bulk_id)
from entry
where entry.state = 'failed' and exists (
  select 1 from movements
  where movements.part = entry.payment_part
    and movements.payment_id = entry.payment_id and kind = 'charge' and state = 'approved'
)
