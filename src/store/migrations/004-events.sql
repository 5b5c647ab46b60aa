-- Events are told to whoever subscribed. Publishing an event gives it its place among the merchant's events and makes
-- its deliveries; until then it is only there. Only additions: a Kassa of the version before goes on writing events.
alter table events drop constraint events_part_payment_id_fkey;
alter table events add column merchant_id bigint;
alter table events add column position bigint check (position > 0);
alter table events add column data json;
-- What is published leaves the index of what is not: it must not fill up with the dead.
alter table events set (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 1000);
alter table events add constraint events_published_of_somebody check (position is null or merchant_id is not null);
comment on column events.payment_id is 'Of an event of a webhook, which is of no payment: the webhook''s id.';
comment on column events.position is 'Counts the merchant''s events from 1, in the order in which they can be read.';
comment on column events.data is 'What it says, of an event that is of no payment; holds no personal data.';

-- A merchant's last position. Its row is locked while events get theirs, so that a lower one never shows up after a higher.
create table event_positions (
  merchant_id bigint primary key references merchants (id),
  last bigint not null check (last >= 0)
);
comment on table event_positions is 'The last position given to an event of a merchant.';

create index events_of_merchant on events (merchant_id, position) where position is not null;
create index events_unpublished on events (part, payment_id, version, ordinal) where position is null;

-- What publishing needs of a payment's own hooks, and no more: it is read for every event.
alter table payments add column hooks json;
comment on column payments.hooks is 'Its own hooks: [{event, lane, n, endpoint}], n the place in the list that the shop gave.';

-- Whom a merchant wants to be told, for all its payments.
create table webhooks (
  id uuid primary key,
  merchant_id bigint not null references merchants (id),
  version integer not null default 1 check (version > 0),
  url text not null check (url ~ '^https?://' and length(url) <= 2048),
  events text[] check (cardinality(events) > 0),
  secret text not null check (secret ~ '^whsec_[A-Za-z0-9+/]+=*$'),
  old_secret text check (old_secret ~ '^whsec_[A-Za-z0-9+/]+=*$'),
  old_secret_until timestamptz,
  failing_since timestamptz,
  disabled_at timestamptz,
  disabled_reason text check (disabled_reason in ('asked', 'gone', 'failing')),
  created_at timestamptz not null,
  constraint webhooks_old_secret_ends check ((old_secret is null) = (old_secret_until is null)),
  constraint webhooks_disabled_for_a_reason check ((disabled_at is null) = (disabled_reason is null))
);
comment on table webhooks is 'Endpoints of merchants. Secrets are kept as they are, since they have to sign.';
comment on column webhooks.events is 'Names of the events that it wants; null: all.';
comment on column webhooks.failing_since is 'The first failure since the last success.';
create index webhooks_of_merchant on webhooks (merchant_id, id);

-- A lane is the way of one payment's events to one endpoint. It is claimed whole, so that they arrive in order.
create table lanes (
  part smallint not null,
  payment_id uuid not null,
  subscriber text not null check (subscriber ~ '^([0-9a-f]{32}|hook-[0-9]{1,2})$'),
  merchant_id bigint not null,
  endpoint text not null,
  added integer not null check (added > 0),
  claims integer not null default 0 check (claims >= 0),
  leased boolean not null default false,
  next_try_at timestamptz,
  ended_at timestamptz,
  primary key (part, payment_id, subscriber)
) with (fillfactor = 70, autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 1000);
comment on table lanes is 'The way of one payment''s events to one endpoint: to a webhook, or to one of its own hooks.';
comment on column lanes.subscriber is 'The webhook''s id, or hook-N: the payment''s own hooks with the address of the Nth.';
comment on column lanes.endpoint is 'What lanes share that must not hold up others: the webhook, or the host of the hook.';
comment on column lanes.added is 'Counts what was put into the lane: who loaded it sees by it whether that was all.';
comment on column lanes.claims is 'Counts the claims: who comes back after its lease was over sees by it that it is too late.';
comment on column lanes.next_try_at is 'When there is something to do; of a leased lane, when the lease is over.';
create index lanes_due on lanes (endpoint, next_try_at) where next_try_at is not null;

-- One event on its way through a lane, and all that was tried.
create table deliveries (
  part smallint not null,
  payment_id uuid not null,
  subscriber text not null,
  version integer not null,
  ordinal smallint not null,
  hook smallint,
  state text not null check (state in ('pending', 'delivered', 'failed', 'dropped')),
  asked integer not null default 0 check (asked >= 0),
  tries integer not null default 0 check (tries >= 0),
  next_try_at timestamptz,
  attempts jsonb not null default '[]',
  primary key (part, payment_id, subscriber, version, ordinal),
  foreign key (part, payment_id, subscriber) references lanes (part, payment_id, subscriber),
  foreign key (part, payment_id, version, ordinal) references events (part, payment_id, version, ordinal),
  constraint deliveries_pending_is_due check ((state = 'pending') = (next_try_at is not null))
) with (fillfactor = 70);
comment on table deliveries is 'One event on its way to one subscriber, with every attempt.';
comment on column deliveries.hook is 'Which of the payment''s own hooks it is sent for.';
comment on column deliveries.asked is 'How often somebody asked for it again: what was begun before that does not answer it.';
comment on column deliveries.attempts is 'An array of {at, ms, status?, error?, answer}.';
