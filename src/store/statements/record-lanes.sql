-- Records the results of lanes: every attempt, what is delivered, and when the rest is due. A run that returns after
-- its lease, or after someone requested the event again, only adds its attempts. A lane to which something was added
-- meanwhile is due immediately. Webhooks that failed for three days, or returned Gone, are disabled, with an event and
-- an audit record.
--
-- Returns the endpoints of lanes that are due immediately.
--
-- $1 deliveries, $2 lanes, $3 webhooks that were tried, $4 the days after which one is disabled. $5 how many attempts
-- are kept, the first and the last.
with locked as materialized (
  -- Lanes before deliveries, ordered by key, as everywhere.
  select change.*, lane.lease_number = change.lease_number as is_leased
  from json_to_recordset($2) as change (
    part smallint, subject_id uuid, subscriber text, lease_number integer, entry_count integer, wait_ms bigint,
    ended boolean
  )
  join lanes as lane on lane.part = change.part and lane.subject_id = change.subject_id
    and lane.subscriber = change.subscriber
  order by lane.part, lane.subject_id, lane.subscriber
  for update of lane
),
change as materialized (
  -- Lanes that no one has claimed since, and deliveries that no one has requested again.
  select
    change.*,
    lane.is_leased and delivery.state = 'pending' and delivery.redelivery_count = change.redelivery_count as is_ours
  from json_to_recordset($1) as change (
    part smallint, subject_id uuid, subscriber text, version integer, ordinal smallint,
    redelivery_count integer, state text, wait_ms bigint, attempts json
  )
  join locked as lane on lane.part = change.part and lane.subject_id = change.subject_id
    and lane.subscriber = change.subscriber
  join deliveries as delivery on delivery.part = change.part and delivery.subject_id = change.subject_id
    and delivery.subscriber = change.subscriber and delivery.version = change.version
    and delivery.ordinal = change.ordinal
  for update of delivery
),
answered as (
  update deliveries
  set
    state = case when change.is_ours then change.state else deliveries.state end,
    tries = case when change.is_ours then deliveries.tries + json_array_length(change.attempts) else deliveries.tries end,
    next_try_at = case
      when change.is_ours then now() + interval '1 millisecond' * change.wait_ms else deliveries.next_try_at
    end,
    attempt_count = deliveries.attempt_count + json_array_length(change.attempts),
    attempts = (
      select coalesce(jsonb_agg(attempt order by n), '[]')
      from (
        select attempt, n, count(*) over () as count
        from jsonb_array_elements(deliveries.attempts || change.attempts::jsonb) with ordinality as kept (attempt, n)
      ) as kept
      where n <= $5::int or n > count - $5::int
    )
  from change
  where deliveries.part = change.part and deliveries.subject_id = change.subject_id
    and deliveries.subscriber = change.subscriber and deliveries.version = change.version
    and deliveries.ordinal = change.ordinal
),
freed as (
  update lanes
  set
    leased = false,
    next_try_at = case
      when lanes.entry_count = locked.entry_count then now() + interval '1 millisecond' * locked.wait_ms else now()
    end,
    ended_at = case when locked.ended then coalesce(lanes.ended_at, now()) else lanes.ended_at end
  from locked
  where lanes.part = locked.part and lanes.subject_id = locked.subject_id and lanes.subscriber = locked.subscriber
    and locked.is_leased
  returning lanes.merchant_id, lanes.endpoint, lanes.next_try_at
),
watched as (
  update webhooks
  set
    version = webhooks.version + 1,
    failing_since = case
      when seen.ok then null when seen.gone then webhooks.failing_since else coalesce(webhooks.failing_since, now())
    end,
    disabled_at = case
      when seen.gone or (not seen.ok and webhooks.failing_since < now() - make_interval(days => $4::int)) then now()
    end,
    disabled_reason = case
      when seen.gone then 'gone'
      when not seen.ok and webhooks.failing_since < now() - make_interval(days => $4::int) then 'failing'
    end
  from json_to_recordset($3) as seen (part smallint, id uuid, ok boolean, gone boolean)
  where webhooks.part = seen.part and webhooks.id = seen.id and webhooks.disabled_at is null and (
    seen.gone
    or (seen.ok and webhooks.failing_since is not null)
    or (not seen.ok and webhooks.failing_since is null)
    or (not seen.ok and webhooks.failing_since < now() - make_interval(days => $4::int))
  )
  returning webhooks.*
),
told_off as (
  insert into events (part, subject_id, version, ordinal, name, happened_at, merchant_id, data, seal)
  select event.*, {seal events of event; movement_id null::uuid}
  from (
    select
      part, id as subject_id, version, 0 as ordinal, 'webhook.disabled' as name, disabled_at as happened_at, merchant_id,
      json_strip_nulls(json_build_object(
        'webhookId', replace(id::text, '-', ''), 'url', url, 'reason', disabled_reason,
        'failingSince', to_char(failing_since at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')
      )) as data
    from watched where disabled_at is not null
  ) as event
),
switched_off as (
  insert into audit_waits (part, subject_id, version, merchant_id, actor_kind, actor_id, actor_name, action, after)
  select
    part, id, version, merchant_id, 'system', 'kassa', 'Kassa', 'webhook.disable',
    json_build_object('url', url, 'reason', disabled_reason)
  from watched where disabled_at is not null
)
select distinct merchant_id, endpoint from freed where next_try_at <= now()
