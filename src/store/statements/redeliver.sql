-- One step of a redelivery: the next few events for its webhook are due again, and its position moves behind them. It
-- is one statement, so both happen or neither does; meanwhile the row lock keeps other processes away, and if one dies,
-- another does the step. Lanes are locked before deliveries, ordered by key, as everywhere.
--
-- $1 the part and $2 the id of the redelivery, or null for the next in turn; $3 the maximum number of events; $4 how
-- many lanes may be due at the webhook at once; $5 and $6 the milliseconds until its next turn: after a step, and if
-- enough is due already.
--
-- Returns the redelivery as it is now, and how many deliveries this step created.
with mine as materialized (
  select * from redeliveries
  where ended_at is null and case when $2::uuid is null then next_step_at <= now() else part = $1::int and id = $2::uuid end
  order by next_step_at
  limit 1
  for update skip locked
),
webhook as materialized (
  select
    webhooks.id, webhooks.events, webhooks.disabled_at, replace(webhooks.id::text, '-', '') as subscriber,
    (
      select count(*) from (
        select 1 from lanes
        where lanes.merchant_id = webhooks.merchant_id and lanes.endpoint = replace(webhooks.id::text, '-', '')
          and lanes.next_try_at <= now()
        limit $4::int
      ) as due
    ) as due
  from mine join webhooks on webhooks.part = mine.part and webhooks.id = mine.webhook_id
),
page as materialized (
  select event.*, webhook.subscriber
  from mine
  cross join webhook
  cross join lateral (
    select * from events
    where events.merchant_id = mine.merchant_id and events.position > mine.position
      and events.position <= mine.last_position
    order by events.position
    limit $3::int
    -- Waits for a concurrent deletion.
    for key share
  ) as event
  where webhook.disabled_at is null and webhook.due < $4::int
),
wanted as materialized (
  select page.*
  from page
  cross join mine
  cross join webhook
  where page.subject_id <> webhook.id
    and page.recorded_at >= mine.since and (mine.until is null or page.recorded_at <= mine.until)
    and (webhook.events is null or page.name = any (webhook.events))
    and (mine.event_names is null or page.name = any (mine.event_names))
    -- By its state, so that each is looked up; for `exists` all of them might be read at once.
    and not (mine.only_failed and coalesce((
      select deliveries.state from deliveries
      where deliveries.part = page.part and deliveries.subject_id = page.subject_id
        and deliveries.subscriber = page.subscriber and deliveries.version = page.version
        and deliveries.ordinal = page.ordinal
    ), '') = 'delivered')
),
laned as (
  insert into lanes (part, subject_id, subscriber, merchant_id, endpoint, entry_count, next_try_at)
  select part, subject_id, subscriber, merchant_id, subscriber, count(*), now()
  from wanted
  group by part, subject_id, subscriber, merchant_id
  order by part, subject_id, subscriber
  on conflict (part, subject_id, subscriber) do update
  set
    entry_count = lanes.entry_count + excluded.entry_count,
    ended_at = null,
    next_try_at = case when lanes.leased then lanes.next_try_at else excluded.next_try_at end
  returning part, subject_id, subscriber
),
revived as (
  insert into deliveries (part, subject_id, subscriber, version, ordinal, state, next_try_at)
  select wanted.part, wanted.subject_id, wanted.subscriber, wanted.version, wanted.ordinal, 'pending', now()
  from wanted
  join laned on laned.part = wanted.part and laned.subject_id = wanted.subject_id
    and laned.subscriber = wanted.subscriber
  on conflict (part, subject_id, subscriber, version, ordinal) do update
  set
    state = 'pending', redelivery_count = deliveries.redelivery_count + 1, tries = 0,
    next_try_at = excluded.next_try_at
  returning 1
),
step as materialized (
  select
    mine.part, mine.id,
    (select count(*) from page) as looked_at,
    (select count(*) from revived) as made,
    (select max(position) from page) as reached,
    case
      when webhook.id is null then 'webhook_deleted'
      when webhook.disabled_at is not null then 'webhook_disabled'
      when webhook.due < $4::int and (select count(*) from page) < $3::int then 'completed'
    end as outcome,
    webhook.due >= $4::int as is_enough
  from mine left join webhook on true
)
update redeliveries
set
  position = greatest(redeliveries.position, coalesce(step.reached, redeliveries.position)),
  event_count = redeliveries.event_count + step.looked_at,
  delivery_count = redeliveries.delivery_count + step.made,
  state = coalesce(step.outcome, 'running'),
  ended_at = case when step.outcome is not null then now() end,
  next_step_at = now() + interval '1 millisecond' * (case when step.is_enough then $6::int else $5::int end)
from step
where redeliveries.part = step.part and redeliveries.id = step.id
returning redeliveries.*, step.made
