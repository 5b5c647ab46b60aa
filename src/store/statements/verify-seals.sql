-- Looks for rows that were changed since they were written: one row per difference. Rows without a seal are not checked
-- (seals.ts).
--
-- {within …}: the condition of the range, by the id of the payment or other subject.
select subject_id as id, format('event %s of version %s was changed after it was written', name, version) as difference
from events as event
where {within subject_id} and seal <> {seal events of event}
union all
select payment_id, format('%s %s was changed after its outcome was written', kind, id)
from movements as movement
where {within payment_id} and seal <> {seal movements of movement}
union all
select id, 'it was changed after it was written: order, consumer, method or terms are not what they were'
from payments as payment
where {within id} and seal <> {seal payments of payment}
union all
select id, 'the subscription was changed after it was written: card, terms or consent are not what they were'
from subscriptions as subscription
where {within id} and seal <> {seal subscriptions of subscription}
union all
select payment_id, format('the record of a change of its %s was changed after it was written', kind)
from payment_changes as change
where {within payment_id} and seal <> {seal payment_changes of change}
union all
select payment_id, format('what it says as a charge of subscription %s was changed after it was written', subscription_id)
from renewals as renewal
where {within payment_id} and seal <> {seal renewals of renewal}
union all
select payment_id, format('invoice %s was changed after it was issued', number)
from invoice_numbers as invoice
where {within payment_id} and seal <> {seal invoice_numbers of invoice}
union all
select id, format('the payout of %s was changed after it was made', day)
from payouts as payout
where {within id} and seal <> {seal payouts of payout}
union all
select movement.payment_id, format('%s %s was changed after it was paid out: its place or its tax', kind, movement.id)
from movements as movement
join payout_actions as action on action.part = movement.part and action.movement_id = movement.id
where {within movement.payment_id} and action.seal <> {seal payout_actions of action}
union all
select id, 'the bulk was changed after it was asked for'
from bulks as bulk
where {within id} and seal <> {seal bulks of bulk}
union all
select payment_id, format('an entry of bulk %s was changed after it was asked for', bulk_id)
from bulk_entries as entry
where {within bulk_id} and seal <> {seal bulk_entries of entry}
union all
-- Deliveries change as long as they are tried: the state of one must follow from its attempts, of which the first and
-- the last 20 are kept. An attempt of a run that returned late is not a try, and decides nothing.
select subject_id,
  format('the delivery of event %s of version %s to %s is %s, after %s tries and %s attempts, %s of them kept',
    ordinal, version, subscriber, state, tries, attempt_count, kept)
from (
  select *, jsonb_array_length(attempts) as kept,
    jsonb_path_exists(attempts, '$[*] ? (@.status >= 200 && @.status < 300)') as taken
  from deliveries where {within subject_id}
) as delivery
where kept <> least(attempt_count, 40) or tries > attempt_count
  or (state = 'delivered' and not taken and attempt_count <= 40)
  or (state <> 'delivered' and taken and redelivery_count = 0 and tries = attempt_count)
union all
select delivery.subject_id, format('event %s of version %s is delivered to %s for hook %s, which does not ask for it',
  delivery.ordinal, delivery.version, delivery.subscriber, delivery.hook)
from deliveries as delivery
left join events as event on event.part = delivery.part and event.subject_id = delivery.subject_id
  and event.version = delivery.version and event.ordinal = delivery.ordinal
left join payments as payment on payment.part = delivery.part and payment.id = delivery.subject_id
where {within delivery.subject_id} and case when delivery.hook is null then delivery.subscriber like 'hook-%'
  else not exists (
    select 1 from json_to_recordset(payment.hooks) as hook (event text, lane smallint, n smallint)
    where hook.event = event.name and hook.n = delivery.hook and 'hook-' || hook.lane = delivery.subscriber
  ) end
