-- Publishes events: gives each its position among its merchant's and makes its deliveries. Whose counter another process
-- holds at this moment is left to it. The counter's row is locked until this is committed, so positions become visible
-- in their order; and of two who saw the same event unpublished, the second finds it published when it comes to write.
-- $1 the part to begin with, $2 how many events at most.
-- Returns how many were waiting, how many were published, for how many merchants a counter had to be made first, and the
-- endpoints that have something to do now.
with waiting as materialized (
  select
    event.part, event.payment_id, event.version, event.ordinal, event.at,
    coalesce(event.merchant_id, payment.merchant_id) as merchant_id,
    payment.hooks,
    -- Within a payment by version, whatever the clocks of two processes said.
    max(event.at) over (partition by event.part, event.payment_id order by event.version, event.ordinal) as told_at
  from (
    select part, payment_id, version, ordinal, at, merchant_id from events
    where position is null and part >= $1::int
    order by part, payment_id, version, ordinal
    limit $2::int
  ) as event
  left join payments as payment on payment.part = event.part and payment.id = event.payment_id
),
opened as (
  insert into event_positions (merchant_id, last)
  select distinct merchant_id, 0 from waiting
  on conflict do nothing
  returning merchant_id
),
turn as materialized (
  select counter.merchant_id, counter.last
  from (select distinct merchant_id from waiting) as wanted
  join event_positions as counter on counter.merchant_id = wanted.merchant_id
  for update of counter skip locked
),
numbered as materialized (
  select
    waiting.part, waiting.payment_id, waiting.version, waiting.ordinal, waiting.merchant_id, waiting.hooks,
    turn.last + row_number() over (
      partition by waiting.merchant_id
      order by waiting.told_at, waiting.part, waiting.payment_id, waiting.version, waiting.ordinal
    ) as position
  from waiting join turn on turn.merchant_id = waiting.merchant_id
),
advanced as (
  update event_positions set last = event_positions.last + given.count
  from (select merchant_id, count(*) as count from numbered group by merchant_id) as given
  where event_positions.merchant_id = given.merchant_id
),
published as (
  update events set position = numbered.position, merchant_id = numbered.merchant_id
  from numbered
  where events.part = numbered.part and events.payment_id = numbered.payment_id
    and events.version = numbered.version and events.ordinal = numbered.ordinal
    -- Still unpublished. Spelled so that rows are looked up by their key, and not in the list of all that wait.
    and coalesce(events.position, 0) = 0
  returning
    events.part, events.payment_id, events.version, events.ordinal, events.name, events.at, events.merchant_id,
    numbered.hooks
),
wanted as (
  select
    published.part, published.payment_id, published.version, published.ordinal, published.merchant_id,
    replace(webhook.id::text, '-', '') as subscriber, replace(webhook.id::text, '-', '') as endpoint,
    null::smallint as hook
  from published
  join webhooks as webhook on webhook.merchant_id = published.merchant_id
  where webhook.disabled_at is null
    and (webhook.events is null or published.name = any (webhook.events))
    -- Nobody is told of itself, nor of what was before it; clocks may differ by a minute.
    and webhook.id <> published.payment_id
    and webhook.created_at <= published.at + interval '1 minute'
  union all
  select
    published.part, published.payment_id, published.version, published.ordinal, published.merchant_id,
    'hook-' || hook.lane, hook.endpoint, hook.n
  from published
  cross join lateral json_to_recordset(published.hooks) as hook (event text, lane smallint, n smallint, endpoint text)
  where hook.event = published.name
),
subscribed as (
  select wanted.* from wanted
  left join lanes on lanes.part = wanted.part and lanes.payment_id = wanted.payment_id
    and lanes.subscriber = wanted.subscriber
  where lanes.ended_at is null
),
laned as (
  insert into lanes (part, payment_id, subscriber, merchant_id, endpoint, added, next_try_at)
  select part, payment_id, subscriber, merchant_id, endpoint, count(*), now()
  from subscribed
  group by part, payment_id, subscriber, merchant_id, endpoint
  order by part, payment_id, subscriber
  on conflict (part, payment_id, subscriber) do update
  set
    added = lanes.added + excluded.added,
    next_try_at = case when lanes.leased then lanes.next_try_at else excluded.next_try_at end
  returning endpoint
),
delivered as (
  insert into deliveries (part, payment_id, subscriber, version, ordinal, hook, state, next_try_at)
  select part, payment_id, subscriber, version, ordinal, hook, 'pending', now()
  from subscribed
  on conflict do nothing
)
select
  (select count(*) from waiting), (select count(*) from published), (select count(*) from opened),
  (select json_agg(distinct endpoint) from laned)
