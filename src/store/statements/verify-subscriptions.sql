-- Looks for anything of subscriptions and bulks in a range of parts that the books forbid: one row a difference. What lives
-- in another part than what names it is looked up by its id, which says where it lives.
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
bulk as not materialized (
  select * from bulks where part between $1::int and $2::int
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
select renewal.payment_id, format('it counts as a charge of subscription %s, and is none', renewal.subscription_id)
from renewal
join payment on payment.part = renewal.part and payment.id = renewal.payment_id
where payment.checkout -> 'subscription' ->> 'role' is distinct from 'renewal'
union all
select renewal.payment_id, format('it is a charge of subscription %s, which is another merchant''s',
  renewal.subscription_id)
from renewal
join payment on payment.part = renewal.part and payment.id = renewal.payment_id
join subscription on subscription.part = renewal.part and subscription.id = renewal.subscription_id
where payment.merchant_id <> subscription.merchant_id
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
union all
select bulk.id, format('the bulk has %s entries of %s', found.entries, bulk.entry_count)
from bulk
cross join lateral (
  select count(*) as entries from entry where entry.part = bulk.part and entry.bulk_id = bulk.id
) as found
where bulk.forgotten_at is null and found.entries <> bulk.entry_count
union all
select bulk.id, format('the bulk is done and forgotten, but it has %s entries', found.entries)
from bulk
cross join lateral (
  select count(*) as entries from entry where entry.part = bulk.part and entry.bulk_id = bulk.id
) as found
where bulk.forgotten_at is not null and found.entries > 0
union all
select entry.payment_id, format('an entry of bulk %s is pending, and nobody will do it', entry.bulk_id)
from entry
where state = 'pending' and next_try_at is null
union all
select entry.payment_id, format('it is an entry of %s bulks', count(*))
from entry
group by entry.payment_id
having count(*) > 1
union all
select entry.payment_id, format('an entry of bulk %s is of subscription %s, which is not there', entry.bulk_id,
  entry.subscription_id)
from entry
where not exists (
  select 1 from subscriptions
  where subscriptions.part = ((get_byte(uuid_send(entry.subscription_id), 6) & 15) << 8)
      + get_byte(uuid_send(entry.subscription_id), 7)
    and subscriptions.id = entry.subscription_id and subscriptions.merchant_id = entry.merchant_id
)
union all
select entry.payment_id, format('an entry of bulk %s says that it is charged, and names no charge', entry.bulk_id)
from entry
join bulk on bulk.part = entry.part and bulk.id = entry.bulk_id
where purpose = 'charge' and state = 'succeeded' and charge_id is null
union all
select entry.payment_id, format('an entry of bulk %s says that it was declined, but it has no payment', entry.bulk_id)
from entry
join bulk on bulk.part = entry.part and bulk.id = entry.bulk_id
where purpose = 'charge' and state = 'failed' and source = 'Issuer'
  and not exists (
    select 1 from payments where payments.part = entry.payment_part and payments.id = entry.payment_id
  )
  -- It never held money, so it may be forgotten.
  and not exists (
    select 1 from housekeeping where job = 'purge' and purged_before is not null and bulk.created_at < purged_before
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
