-- Looks for anything that the books forbid in the payments of a range: one row per difference. Every total is
-- recomputed from the movements. One statement sees one state of the database, so payments may change meanwhile.
--
-- {within …}: the condition of the range, by the id of the payment.
with payment as not materialized (
  select * from payments where {within id}
),
movement as not materialized (
  select * from movements where {within payment_id}
),
event as not materialized (
  select * from events where {within subject_id}
),
lane as not materialized (
  select * from lanes where {within subject_id}
),
delivery as not materialized (
  select * from deliveries where {within subject_id}
),
sums as (
  select
    part,
    payment_id,
    count(*) as movements,
    max(sequence) as last_sequence,
    count(*) filter (where kind = 'reservation' and state <> 'declined') as reservations,
    coalesce(sum(amount) filter (where kind = 'reservation' and state = 'approved'), 0) as reserved,
    coalesce(sum(amount) filter (where kind = 'charge' and state = 'approved'), 0) as charged,
    coalesce(sum(amount) filter (where kind = 'charge' and state = 'pending'), 0) as charging,
    coalesce(sum(amount) filter (where kind = 'cancel' and state = 'approved'), 0) as cancelled,
    coalesce(sum(amount) filter (where kind = 'cancel' and state = 'pending'), 0) as cancelling,
    coalesce(sum(amount) filter (where kind = 'refund' and state = 'approved'), 0) as refunded,
    coalesce(sum(amount) filter (where kind = 'refund' and state = 'pending'), 0) as refunding
  from movement
  group by part, payment_id
),
refund_sums as (
  select
    part,
    charge_id,
    coalesce(sum(amount) filter (where state = 'approved'), 0) as refunded,
    coalesce(sum(amount) filter (where state = 'pending'), 0) as refunding
  from movement
  where kind = 'refund'
  group by part, charge_id
),
total as (
  select payment.id, name, shown, coalesce(summed, 0) as summed
  from payment
  left join sums on sums.part = payment.part and sums.payment_id = payment.id
  cross join lateral (
    values
      ('reserved', payment.reserved, sums.reserved),
      ('charged', payment.charged, sums.charged),
      ('charging', payment.charging, sums.charging),
      ('cancelled', payment.cancelled, sums.cancelled),
      ('cancelling', payment.cancelling, sums.cancelling),
      ('refunded', payment.refunded, sums.refunded),
      ('refunding', payment.refunding, sums.refunding)
  ) as each (name, shown, summed)
),
told as (
  select part, subject_id, movement_id, name, count(*) as times
  from event
  where movement_id is not null
  group by part, subject_id, movement_id, name
),
event_names as (
  select *
  from (
    values
      ('reservation', 'approved', 'payment.reservation.created'),
      ('reservation', 'declined', 'payment.reservation.failed'),
      ('charge', 'approved', 'payment.charge.created'),
      ('charge', 'declined', 'payment.charge.failed'),
      ('refund', 'approved', 'payment.refund.completed'),
      ('refund', 'declined', 'payment.refund.failed'),
      ('cancel', 'approved', 'payment.cancel.created'),
      ('cancel', 'declined', 'payment.cancel.failed')
  ) as expected (kind, state, name)
)
select id, format('%s is %s, but its movements sum up to %s', name, shown, summed) as difference
from total
where shown <> summed
union all
select id, format('charged %s, charging %s, cancelled %s, cancelling %s exceed the reserved %s',
  charged, charging, cancelled, cancelling, reserved)
from payment
where charged + charging + cancelled + cancelling > reserved
union all
select id, format('reserved is %s, but the order''s amount is %s', reserved, amount)
from payment
where reserved not in (0, amount)
union all
select id, format('refunded %s and refunding %s exceed the charged %s', refunded, refunding, charged)
from payment
where refunded + refunding > charged
union all
select id, format('the amount is %s, but the items sum up to %s', amount, summed)
from payment
cross join lateral (
  select sum((item ->> 'grossTotalAmount')::bigint) as summed from json_array_elements(items) as item
) as each
where summed is distinct from amount
union all
select id, format('the id does not carry part %s', part)
from payment
where part <> ((get_byte(uuid_send(id), 6) & 15) << 8) + get_byte(uuid_send(id), 7)
union all
select id, 'it is terminated, but it was reserved'
from payment
join sums on sums.part = payment.part and sums.payment_id = payment.id
where terminated_at is not null and sums.reservations > 0
union all
select id, format('there is no merchant %s', merchant_id)
from payment
where not exists (select 1 from merchants where merchants.id = payment.merchant_id)
union all
select sums.payment_id, format('%s movements are numbered up to %s', movements, last_sequence)
from sums
where movements <> last_sequence
union all
select sums.payment_id, format('it has %s reservations', reservations)
from sums
where reservations > 1
union all
select coalesce(movement.payment_id, movement.id), format('movement %s has no payment', movement.id)
from movement
where not exists (
  select 1 from payment where payment.part = movement.part and payment.id = movement.payment_id
)
union all
select payment_id, format('charge %s has refunded %s and refunding %s, but its refunds sum up to %s and %s',
  movement.id, movement.refunded, movement.refunding, coalesce(refund_sums.refunded, 0),
  coalesce(refund_sums.refunding, 0))
from movement
left join refund_sums on refund_sums.part = movement.part and refund_sums.charge_id = movement.id
where movement.kind = 'charge'
  and (movement.refunded <> coalesce(refund_sums.refunded, 0)
    or movement.refunding <> coalesce(refund_sums.refunding, 0))
union all
select payment_id, format('charge %s of %s has %s refunded and %s refunding', id, amount, refunded, refunding)
from movement
where refunded + refunding > amount
union all
select movement.payment_id, format('refund %s is not of an approved charge of its payment', movement.id)
from movement
where kind = 'refund'
  and not exists (
    select 1
    from movement as charge
    where charge.part = movement.part and charge.id = movement.charge_id and charge.kind = 'charge'
      and charge.state = 'approved' and charge.payment_id = movement.payment_id
  )
union all
select payment_id, format('%s %s is %s, but its items sum up to %s', kind, id, amount, summed)
from movement
cross join lateral (
  select sum((item ->> 'grossTotalAmount')::bigint) as summed from json_array_elements(items) as item
) as each
where summed <> amount
union all
select payment_id, format('the id of movement %s does not carry part %s', id, part)
from movement
where part <> ((get_byte(uuid_send(id), 6) & 15) << 8) + get_byte(uuid_send(id), 7)
union all
select movement.payment_id, format('%s %s is %s, but %s was told %s times', movement.kind, movement.id, movement.state,
  event_names.name, coalesce(told.times, 0))
from movement
join event_names on event_names.kind = movement.kind and event_names.state = movement.state
left join told on told.part = movement.part and told.subject_id = movement.payment_id
  and told.movement_id = movement.id and told.name = event_names.name
where coalesce(told.times, 0) <> 1
  -- Unless it is so old that its event may be deleted.
  and not (told.times is null and exists (
    select 1 from payment
    join event_counters as counter on counter.merchant_id = payment.merchant_id
    where payment.part = movement.part and payment.id = movement.payment_id
      and movement.created_at < counter.events_purged_before
  ))
union all
select event.subject_id, format('event %s is of version %s, later than its payment', event.name, event.version)
from event
left join payment on payment.part = event.part and payment.id = event.subject_id
where (payment.id is null and event.data is null) or event.version > payment.version
union all
select delivery.subject_id, format('event %s of version %s is to be delivered to %s, and nobody will', delivery.ordinal,
  delivery.version, delivery.subscriber)
from delivery
join lane on lane.part = delivery.part and lane.subject_id = delivery.subject_id
  and lane.subscriber = delivery.subscriber
where delivery.state = 'pending' and lane.next_try_at is null
union all
select event.subject_id, format('nobody was told of event %s of version %s, though hook %s asks for it', event.name,
  event.version, hook.n)
from event
join payment on payment.part = event.part and payment.id = event.subject_id
join event_counters as counter on counter.merchant_id = event.merchant_id
cross join lateral json_to_recordset(payment.hooks) as hook (event text, lane smallint, n smallint)
where hook.event = event.name and event.position > counter.deliveries_purged_to
  and not exists (
    select 1 from delivery
    where delivery.part = event.part and delivery.subject_id = event.subject_id
      and delivery.subscriber = 'hook-' || hook.lane and delivery.version = event.version
      and delivery.ordinal = event.ordinal
  )
  -- An endpoint that is gone receives nothing more, until someone requests a redelivery to it.
  and not exists (
    select 1 from lane
    where lane.part = event.part and lane.subject_id = event.subject_id and lane.subscriber = 'hook-' || hook.lane
      and lane.ended_at is not null
  )
  and not exists (
    select 1 from delivery
    where delivery.part = event.part and delivery.subject_id = event.subject_id
      and delivery.subscriber = 'hook-' || hook.lane and delivery.redelivery_count > 0
  )
union all
select id, 'it is without the list of its own hooks, so nobody is told'
from payment
where hooks is null and json_typeof(checkout -> 'webHooks') = 'array'
union all
select event.subject_id, format('event %s tells of a movement that is not there', event.name)
from event
where movement_id is not null
  and not exists (
    select 1 from movement
    where movement.part = event.part and movement.id = event.movement_id and movement.payment_id = event.subject_id
  )
union all
select movement.payment_id, format('%s %s is pending, and nobody will ask about it', movement.kind, movement.id)
from movement
where state = 'pending' and next_try_at is null
