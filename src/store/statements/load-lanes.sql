-- The deliveries in claimed lanes. A statement of its own, after the claim, so that its counts and its lists are
-- consistent.
--
-- $1 [{part, subject_id, subscriber}].
select
  lane.part, lane.subject_id, lane.subscriber, lane.endpoint, lane.merchant_id, lane.lease_number, lane.entry_count,
  lane.ended_at is not null,
  case when webhook.id is not null then json_build_array(
    webhook.url, webhook.secret, case when webhook.old_secret_until > now() then webhook.old_secret end,
    webhook.disabled_at is not null
  ) end,
  (
    select json_agg(json_build_array(
      delivery.version, delivery.ordinal, delivery.hook, delivery.redelivery_count, delivery.tries,
      greatest(0, ceil(extract(epoch from delivery.next_try_at - now()) * 1000)), event.name, event.happened_at,
      event.movement_id, event.position, event.data
    ) order by delivery.version, delivery.ordinal)
    from deliveries as delivery
    join events as event on event.part = delivery.part and event.subject_id = delivery.subject_id
      and event.version = delivery.version and event.ordinal = delivery.ordinal
    where delivery.part = lane.part and delivery.subject_id = lane.subject_id
      and delivery.subscriber = lane.subscriber and delivery.state = 'pending'
  )
from json_to_recordset($1) as wanted (part smallint, subject_id uuid, subscriber text)
join lanes as lane on lane.part = wanted.part and lane.subject_id = wanted.subject_id
  and lane.subscriber = wanted.subscriber
left join webhooks as webhook
  on webhook.id = case when lane.subscriber ~ '^[0-9a-f]{32}$' then lane.subscriber::uuid end
  and webhook.part = case
    when lane.subscriber ~ '^[0-9a-f]{32}$' then ('x' || substr(lane.subscriber, 14, 3))::bit(12)::int
  end
