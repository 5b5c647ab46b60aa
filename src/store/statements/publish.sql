-- Publishes the events of subjects: gives each event its position among its merchant's events and creates its
-- deliveries. The cost depends only on what is to be published: events are looked up subject by subject, and nothing
-- else is read. Merchants whose counter is locked by another process are left to a later call. The counter's row is
-- locked until the commit, so positions become visible in order; if two calls see the same unpublished event, the
-- second finds it published when it writes.
--
-- The event of a charge or a refund of an invoice issues its invoice or credit note: under the same lock it gets the
-- merchant's next number, without duplicates or gaps, with the current data of the seller.
--
-- $1 [{part, subject_id}], $2 the maximum number of events.
--
-- Returns how many were waiting, how many were published, the merchants whose counter was locked, and the endpoints
-- with deliveries that are due now.
with waiting as materialized (
  select
    event.part, event.subject_id, event.version, event.ordinal, event.merchant_id, event.home, payment.hooks,
    event.name in ('payment.charge.created', 'payment.refund.completed') and payment.method -> 'invoice' is not null
      as issues,
    -- Within a subject by version, whatever the clocks of two processes say.
    max(event.happened_at) over (partition by event.part, event.subject_id order by event.version, event.ordinal)
      as told_at
  from (
    select
      unpublished.part, unpublished.subject_id, unpublished.version, unpublished.ordinal, unpublished.merchant_id,
      unpublished.happened_at, unpublished.name, unpublished.movement_id, merchant.parts[1] as home
    from json_to_recordset($1) as wanted (part smallint, subject_id uuid)
    -- With a limit, so that each is looked up instead of joined to all unpublished events.
    cross join lateral (
      select part, subject_id, version, ordinal, merchant_id, happened_at, name, movement_id from events
      where events.part = wanted.part and events.subject_id = wanted.subject_id and events.position is null
      order by version, ordinal
      limit $2::int
    ) as unpublished
    join merchants as merchant on merchant.id = unpublished.merchant_id
    order by unpublished.part, unpublished.subject_id, unpublished.version, unpublished.ordinal
    limit $2::int
  ) as event
  left join payments as payment on payment.part = event.part and payment.id = event.subject_id
),
turn as materialized (
  select counter.part, counter.merchant_id, counter.last, counter.invoices
  from (select distinct home, merchant_id from waiting) as wanted
  join event_counters as counter on counter.part = wanted.home and counter.merchant_id = wanted.merchant_id
  for update of counter skip locked
),
numbered as materialized (
  select
    waiting.part, waiting.subject_id, waiting.version, waiting.ordinal, waiting.merchant_id, waiting.hooks, waiting.home,
    waiting.issues, turn.invoices,
    turn.last + row_number() over (
      partition by waiting.merchant_id
      order by waiting.told_at, waiting.part, waiting.subject_id, waiting.version, waiting.ordinal
    ) as position
  from waiting join turn on turn.part = waiting.home and turn.merchant_id = waiting.merchant_id
),
published as (
  update events set position = numbered.position
  from numbered
  where events.part = numbered.part and events.subject_id = numbered.subject_id
    and events.version = numbered.version and events.ordinal = numbered.ordinal
    -- Still unpublished. Written so that rows are looked up by key, and not in the list of all unpublished events.
    and coalesce(events.position, 0) = 0
  returning
    events.part, events.subject_id, events.version, events.ordinal, events.name, events.position, events.merchant_id,
    events.movement_id, numbered.hooks, numbered.home, numbered.issues, numbered.invoices
),
issued as (
  insert into invoice_numbers (part, movement_id, payment_id, merchant_id, number, seller, seal)
  select invoice.*, {seal invoice_numbers of invoice}
  from (
    select
      published.part, published.movement_id, published.subject_id as payment_id, published.merchant_id,
      published.invoices + row_number() over (partition by published.merchant_id order by published.position) as number,
      (jsonb_build_object('name', merchant.name) || coalesce(merchant.seller::jsonb, '{}'))::json as seller
    from published
    join merchants as merchant on merchant.id = published.merchant_id
    where published.issues
  ) as invoice
  returning merchant_id
),
advanced as (
  update event_counters
  set last = event_counters.last + given.count, invoices = event_counters.invoices + coalesce(invoiced.count, 0)
  from (select home, merchant_id, count(*) as count from numbered group by home, merchant_id) as given
  left join (select merchant_id, count(*) as count from issued group by merchant_id) as invoiced
    on invoiced.merchant_id = given.merchant_id
  where event_counters.part = given.home and event_counters.merchant_id = given.merchant_id
),
wanted as (
  select
    published.part, published.subject_id, published.version, published.ordinal, published.merchant_id,
    replace(webhook.id::text, '-', '') as subscriber, replace(webhook.id::text, '-', '') as endpoint,
    null::smallint as hook
  from published
  join webhooks as webhook on webhook.merchant_id = published.merchant_id
  where webhook.disabled_at is null
    and (webhook.events is null or published.name = any (webhook.events))
    -- A webhook receives no events about itself, nor earlier ones.
    and webhook.id <> published.subject_id
    and webhook.after_position < published.position
  union all
  select
    published.part, published.subject_id, published.version, published.ordinal, published.merchant_id,
    'hook-' || hook.lane, hook.endpoint, hook.n
  from published
  cross join lateral json_to_recordset(published.hooks) as hook (event text, lane smallint, n smallint, endpoint text)
  where hook.event = published.name
),
subscribed as (
  select wanted.* from wanted
  left join lanes on lanes.part = wanted.part and lanes.subject_id = wanted.subject_id
    and lanes.subscriber = wanted.subscriber
  where lanes.ended_at is null
),
laned as (
  insert into lanes (part, subject_id, subscriber, merchant_id, endpoint, entry_count, next_try_at)
  select part, subject_id, subscriber, merchant_id, endpoint, count(*), now()
  from subscribed
  group by part, subject_id, subscriber, merchant_id, endpoint
  order by part, subject_id, subscriber
  on conflict (part, subject_id, subscriber) do update
  set
    entry_count = lanes.entry_count + excluded.entry_count,
    next_try_at = case when lanes.leased then lanes.next_try_at else excluded.next_try_at end
  returning merchant_id, endpoint
),
delivered as (
  insert into deliveries (part, subject_id, subscriber, version, ordinal, hook, state, next_try_at)
  select part, subject_id, subscriber, version, ordinal, hook, 'pending', now()
  from subscribed
  on conflict do nothing
)
select
  (select count(*) from waiting), (select count(*) from published),
  (select json_agg(distinct merchant_id) from waiting where merchant_id not in (select merchant_id from turn)),
  (select json_agg(distinct jsonb_build_array(merchant_id, endpoint)) from laned)
