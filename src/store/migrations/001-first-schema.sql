-- The first schema. What is in parts is reached by part and id; everything of a merchant lives in the merchant's own parts,
-- so that a sharded Postgres keeps it together. Times named created_at and recorded_at, and all that says when something is
-- due, are of the database's clock; happened_at, updated_at and terminated_at are of the process that made the change,
-- are shown, and are never compared with the others.

-- Acquirers on other machines, by the name that movements carry. Null with a merchant is the simulator in the process.
create table acquirers (
  name text primary key check (name ~ '^[a-z][a-z0-9-]{0,31}$' and name <> 'simulator'),
  url text not null check (url ~ '^https?://' and length(url) <= 2048),
  key text not null check (length(key) between 8 and 256),
  created_at timestamptz not null default now()
);
comment on table acquirers is 'Where the money is when it is not simulated here.';
comment on column acquirers.key is 'What we show to the acquirer; as it is, since it has to be sent.';

-- Merchants and their keys. Small tables that every process caches; on a sharded Postgres, reference tables.
create table merchants (
  id bigint primary key check (id between 100000000 and 999999999),
  name text not null check (length(name) between 1 and 128),
  live boolean not null,
  dialect text not null check (dialect in ('spec', 'nexi')),
  strict_items boolean not null default false,
  reserve_on_demand boolean not null default false check (not (live and reserve_on_demand)),
  acquirer text references acquirers (name),
  checkout_key text not null unique,
  parts smallint[] not null
    check (cardinality(parts) between 1 and 64 and 0 <= all (parts) and 4095 >= all (parts)),
  disabled_at timestamptz,
  created_at timestamptz not null default now(),
  constraint merchants_on_demand_simulated check (not reserve_on_demand or acquirer is null),
  constraint merchants_live_unsimulated check (not live or acquirer is null)
);
comment on table merchants is 'Whose payments they are. live and parts are for good.';
comment on column merchants.acquirer is 'Whose new reservations go where; a movement keeps the acquirer that it was made with.';
comment on column merchants.disabled_at is 'Since when none of its keys is taken; null while they are.';
comment on column merchants.parts is 'Where everything of the merchant lives; the first is its home. An idempotency key chooses by them, so they never change.';

create table secret_keys (
  hash bytea primary key check (octet_length(hash) = 32),
  id text not null unique,
  merchant_id bigint not null references merchants (id),
  hint text not null,
  created_at timestamptz not null default now(),
  revoked_at timestamptz
);
comment on table secret_keys is 'SHA-256 of the 32 hex digits of a secret key; the key itself is shown once.';
comment on column secret_keys.id is 'The name by which a key is listed and revoked; no secret.';
comment on column secret_keys.hint is 'The last four digits, to tell keys apart.';
create index secret_keys_of_merchant on secret_keys (merchant_id);

-- A payment: the current state of the aggregate. It lives in one of 4096 parts; its id carries the part's 12 bits.
create table payments (
  part smallint not null check (part between 0 and 4095),
  id uuid not null,
  merchant_id bigint not null,
  version integer not null check (version > 0),
  created_at timestamptz not null default now(),
  amount bigint not null check (amount between 1 and 1000000000000),
  currency text not null check (currency ~ '^[A-Z]{3}$'),
  reference text check (length(reference) between 1 and 128),
  my_reference text check (length(my_reference) between 1 and 36),
  items json not null,
  checkout_url text check (length(checkout_url) between 1 and 2048),
  checkout json not null,
  consumer json not null,
  method json,
  challenge json,
  hooks json,
  bytes integer not null default 0 check (bytes >= 0),
  terminated_at timestamptz,
  reserved bigint not null default 0 check (reserved >= 0),
  charged bigint not null default 0 check (charged >= 0),
  charging bigint not null default 0 check (charging >= 0),
  cancelled bigint not null default 0 check (cancelled >= 0),
  cancelling bigint not null default 0 check (cancelling >= 0),
  refunded bigint not null default 0 check (refunded >= 0),
  refunding bigint not null default 0 check (refunding >= 0),
  primary key (part, id),
  constraint payments_id_carries_part
    check (part = ((get_byte(uuid_send(id), 6) & 15) << 8) + get_byte(uuid_send(id), 7)),
  constraint payments_reserved_within_order check (reserved <= amount),
  constraint payments_taken_within_reserved check (charged + charging + cancelled + cancelling <= reserved),
  constraint payments_refunded_within_charged check (refunded + refunding <= charged),
  constraint payments_terminated_unreserved check (terminated_at is null or reserved = 0)
) with (fillfactor = 85);
comment on table payments is 'The aggregate''s state; totals are the sums of its movements, guarded by version.';
comment on column payments.consumer is 'The one place of personal data.';
comment on column payments.challenge is 'The latest 3-D Secure challenge; its source is opaque, its card only a mask.';
comment on column payments.hooks is 'Its own hooks, as publishing needs them: [{event, lane, n, endpoint}], n the place in the list that the shop gave.';
comment on column payments.bytes is 'About how much it holds with its movements, so that nobody reads too much at once.';
-- Ids begin with the time, so this lists a merchant's payments by age.
create index payments_of_merchant on payments (merchant_id, id);
create index payments_by_reference on payments (merchant_id, reference, id) where reference is not null;
-- For forgetting those that never held money. On a column that never changes, so that updates can stay on their page.
create index payments_by_age on payments (created_at);
-- What few payments come to is listed by indexes of its own. Only a change that brings it about writes to them: an update
-- that leaves these columns as they are stays on its page, so there is none for what every payment comes to.
create index payments_terminated on payments (merchant_id, id) where terminated_at is not null;
create index payments_refunded on payments (merchant_id, id) where refunded > 0;
create index payments_cancelled on payments (merchant_id, id) where cancelled > 0;

-- A movement of money on a payment. Pending from the moment its amount is set aside until its outcome is known.
create table movements (
  part smallint not null,
  id uuid not null,
  payment_id uuid not null,
  sequence integer not null check (sequence > 0),
  kind text not null check (kind in ('reservation', 'charge', 'refund', 'cancel')),
  state text not null check (state in ('pending', 'approved', 'declined')),
  amount bigint not null check (amount between 1 and 1000000000000),
  items json,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null,
  acquirer text not null,
  source text,
  charge_id uuid,
  refunded bigint not null default 0 check (refunded >= 0),
  refunding bigint not null default 0 check (refunding >= 0),
  invoice_number text check (invoice_number ~ '^[0-9]{24}$'),
  reason text,
  tries integer not null default 0 check (tries >= 0),
  next_try_at timestamptz,
  primary key (part, id),
  unique (part, payment_id, sequence),
  foreign key (part, payment_id) references payments (part, id),
  foreign key (part, charge_id) references movements (part, id),
  constraint movements_id_carries_part
    check (part = ((get_byte(uuid_send(id), 6) & 15) << 8) + get_byte(uuid_send(id), 7)),
  constraint movements_refunded_within_charge check (refunded + refunding <= amount),
  constraint movements_refunds_on_charges check (kind = 'charge' or refunded + refunding = 0),
  constraint movements_refund_names_charge check ((kind = 'refund') = (charge_id is not null)),
  constraint movements_charge_has_invoice check ((kind = 'charge') = (invoice_number is not null)),
  constraint movements_reservation_has_source check ((kind = 'reservation') = (source is not null)),
  constraint movements_declined_has_reason check ((state = 'declined') = (reason is not null))
);
comment on table movements is 'Reservation, charges, refunds and cancels: the books from which every total follows.';
comment on column movements.items is 'Null when the request named no items and is for the whole.';
comment on column movements.source is 'The acquirer''s opaque name of the card or account; never a card number.';
comment on column movements.next_try_at is 'When a pending one is asked about; whoever claims it moves that moment on, so nobody else asks meanwhile.';
create unique index movements_one_reservation on movements (part, payment_id)
  where kind = 'reservation' and state <> 'declined';
-- What is due is claimed acquirer by acquirer, so that a long row of one is not read to find those of another.
create index movements_due on movements (acquirer, next_try_at) where state = 'pending';

-- The first answer to a request with an Idempotency-Key. It lives in the part of its subject.
create table idempotency_records (
  part smallint not null,
  merchant_id bigint not null,
  operation text not null check (operation in ('create', 'charge', 'refund', 'cancel')),
  target uuid not null,
  key text not null check (length(key) between 1 and 64),
  subject_id uuid not null,
  request bytea not null check (octet_length(request) = 32),
  status smallint,
  answer text,
  movement_id uuid,
  created_at timestamptz not null default now(),
  primary key (part, merchant_id, operation, target, key)
);
comment on table idempotency_records is 'status is null while the outcome is not known.';
comment on column idempotency_records.subject_id is 'What was made or changed: the payment.';
comment on column idempotency_records.request is 'SHA-256 of the request''s JSON in a canonical order.';
comment on column idempotency_records.movement_id is 'While the outcome is not known: the movement that will be the answer.';
create index idempotency_records_by_age on idempotency_records (created_at);

-- What there is to tell the merchant, written by the commit that made it true. Publishing an event gives it its position
-- among the merchant's events and makes its deliveries; until then it is only there.
create table events (
  part smallint not null,
  subject_id uuid not null,
  version integer not null,
  ordinal smallint not null,
  merchant_id bigint not null,
  name text not null,
  happened_at timestamptz not null,
  recorded_at timestamptz not null default now(),
  movement_id uuid,
  position bigint check (position > 0),
  data json,
  primary key (part, subject_id, version, ordinal)
) with (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 1000);
comment on table events is 'The outbox and the log. Holds no personal data: bodies are completed when they are delivered.';
comment on column events.subject_id is 'What it is about: a payment, or a webhook.';
comment on column events.position is 'Counts the merchant''s events from 1, in the order in which they can be read.';
comment on column events.data is 'What it says, of an event that is of no payment; holds no personal data.';
create index events_of_merchant on events (merchant_id, position) where position is not null;
create index events_unpublished on events (part, subject_id, version, ordinal) where position is null;

-- A merchant's last position. Its row is locked while events get theirs, so that a lower one never shows up after a higher.
create table event_counters (
  part smallint not null,
  merchant_id bigint not null references merchants (id),
  last bigint not null check (last >= 0),
  events_purged_to bigint not null default 0 check (events_purged_to >= 0),
  deliveries_purged_to bigint not null default 0 check (deliveries_purged_to >= 0),
  events_purged_before timestamptz,
  deliveries_purged_before timestamptz,
  primary key (part, merchant_id)
) with (fillfactor = 50);
comment on table event_counters is 'The last position given to an event of a merchant, in the merchant''s home part.';
comment on column event_counters.events_purged_to is 'Events up to this position are forgotten, as their time was over.';
comment on column event_counters.deliveries_purged_to is 'Deliveries of events up to this position are forgotten.';
comment on column event_counters.events_purged_before is 'No event that was recorded before then need be there any more.';
comment on column event_counters.deliveries_purged_before is 'No delivery of an event that was recorded before then need be there any more.';

-- Whom a merchant wants to be told, for all its payments. In the merchant's home part.
create table webhooks (
  part smallint not null,
  id uuid not null,
  merchant_id bigint not null references merchants (id),
  slot smallint not null check (slot between 1 and 20),
  version integer not null default 1 check (version > 0),
  url text not null check (url ~ '^https?://' and length(url) <= 2048),
  events text[] check (cardinality(events) > 0),
  after_position bigint not null check (after_position >= 0),
  secret text not null check (secret ~ '^whsec_[A-Za-z0-9+/]+=*$'),
  old_secret text check (old_secret ~ '^whsec_[A-Za-z0-9+/]+=*$'),
  old_secret_until timestamptz,
  failing_since timestamptz,
  disabled_at timestamptz,
  disabled_reason text check (disabled_reason in ('asked', 'gone', 'failing')),
  created_at timestamptz not null default now(),
  primary key (part, id),
  unique (part, merchant_id, slot),
  constraint webhooks_id_carries_part
    check (part = ((get_byte(uuid_send(id), 6) & 15) << 8) + get_byte(uuid_send(id), 7)),
  constraint webhooks_old_secret_ends check ((old_secret is null) = (old_secret_until is null)),
  constraint webhooks_disabled_for_a_reason check ((disabled_at is null) = (disabled_reason is null))
);
comment on table webhooks is 'Endpoints of merchants. Secrets are kept as they are, since they have to sign.';
comment on column webhooks.slot is 'Each has one of its merchant''s: so there are never more than can be, whoever makes them at once.';
comment on column webhooks.events is 'Names of the events that it wants; null: all.';
comment on column webhooks.after_position is 'The merchant''s last event when it was made: it is told of what comes after.';
comment on column webhooks.failing_since is 'The first failure since the last success.';
create index webhooks_of_merchant on webhooks (merchant_id, id);

-- A lane is the way of one subject's events to one endpoint. It is claimed whole, so that they arrive in order.
create table lanes (
  part smallint not null,
  subject_id uuid not null,
  subscriber text not null check (subscriber ~ '^([0-9a-f]{32}|hook-[0-9]{1,2})$'),
  merchant_id bigint not null,
  endpoint text not null,
  entry_count integer not null check (entry_count > 0),
  lease_number integer not null default 0 check (lease_number >= 0),
  leased boolean not null default false,
  next_try_at timestamptz,
  ended_at timestamptz,
  primary key (part, subject_id, subscriber)
) with (fillfactor = 70, autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 1000);
comment on table lanes is 'The way of one subject''s events to one endpoint: to a webhook, or to one of a payment''s own hooks.';
comment on column lanes.subscriber is 'The webhook''s id, or hook-N: the payment''s own hooks with the address of the Nth.';
comment on column lanes.endpoint is 'What a merchant''s lanes share that must not hold up others: the webhook, or the origin of the hook.';
comment on column lanes.entry_count is 'Counts what was put into the lane: who loaded it sees by it whether that was all.';
comment on column lanes.lease_number is 'Counts the leases: who comes back after its lease was over sees by it that it is too late.';
comment on column lanes.next_try_at is 'When there is something to do; of a leased lane, when the lease is over.';
create index lanes_due on lanes (merchant_id, endpoint, next_try_at) where next_try_at is not null;

-- One event on its way through a lane, and all that was tried.
create table deliveries (
  part smallint not null,
  subject_id uuid not null,
  subscriber text not null,
  version integer not null,
  ordinal smallint not null,
  hook smallint,
  state text not null check (state in ('pending', 'delivered', 'failed', 'dropped')),
  redelivery_count integer not null default 0 check (redelivery_count >= 0),
  tries integer not null default 0 check (tries >= 0),
  next_try_at timestamptz,
  attempt_count integer not null default 0 check (attempt_count >= 0),
  attempts jsonb not null default '[]' check (jsonb_array_length(attempts) <= 40),
  primary key (part, subject_id, subscriber, version, ordinal),
  foreign key (part, subject_id, subscriber) references lanes (part, subject_id, subscriber),
  foreign key (part, subject_id, version, ordinal) references events (part, subject_id, version, ordinal),
  constraint deliveries_pending_is_due check ((state = 'pending') = (next_try_at is not null))
) with (fillfactor = 70);
comment on table deliveries is 'One event on its way to one subscriber, with its attempts.';
comment on column deliveries.hook is 'Which of the payment''s own hooks it is sent for.';
comment on column deliveries.redelivery_count is 'How often somebody asked for it again: what was begun before that does not answer it.';
comment on column deliveries.attempt_count is 'All attempts there ever were.';
comment on column deliveries.attempts is 'The first 20 and the last 20 of them: {at, ms, status?, error?, answer}.';

-- Sending a webhook again what happened since a time: work with a place in the merchant's log, done in small steps by
-- whoever delivers. In the merchant's home part.
create table redeliveries (
  part smallint not null,
  id uuid not null,
  merchant_id bigint not null references merchants (id),
  webhook_id uuid not null,
  since timestamptz not null,
  until timestamptz,
  event_names text[] check (cardinality(event_names) > 0),
  only_failed boolean not null,
  state text not null default 'running'
    check (state in ('running', 'completed', 'cancelled', 'webhook_disabled', 'webhook_deleted')),
  first_position bigint not null check (first_position >= 0),
  position bigint not null,
  last_position bigint not null,
  event_count integer not null default 0 check (event_count >= 0),
  delivery_count integer not null default 0 check (delivery_count >= 0),
  next_step_at timestamptz not null default now(),
  created_at timestamptz not null default now(),
  ended_at timestamptz,
  primary key (part, id),
  constraint redeliveries_id_carries_part
    check (part = ((get_byte(uuid_send(id), 6) & 15) << 8) + get_byte(uuid_send(id), 7)),
  constraint redeliveries_within_the_log check (position between first_position and last_position),
  constraint redeliveries_end check ((state = 'running') = (ended_at is null))
) with (fillfactor = 70);
comment on table redeliveries is 'Events that are sent to a webhook once more: how far that is, and how it ended.';
comment on column redeliveries.webhook_id is 'The webhook, which may be gone since.';
comment on column redeliveries.position is 'Events up to here are done; those after it and up to last_position are not.';
comment on column redeliveries.event_count is 'Events that were looked at; delivery_count of them are sent again.';
comment on column redeliveries.next_step_at is 'Whose turn it is: the one that waits longest comes first.';
create unique index redeliveries_under_way on redeliveries (part, webhook_id) where ended_at is null;
create index redeliveries_due on redeliveries (next_step_at) where ended_at is null;
create index redeliveries_of_webhook on redeliveries (part, webhook_id, id);
create index redeliveries_ended on redeliveries (ended_at) where ended_at is not null;

-- What is known of endpoints from one process to the next. One that is not here is new. In the merchant's home part.
create table endpoints (
  part smallint not null,
  merchant_id bigint not null references merchants (id),
  endpoint text not null,
  standing text not null check (standing in ('proven', 'failing')),
  changed_at timestamptz not null default now(),
  primary key (part, merchant_id, endpoint)
);
comment on table endpoints is 'Whether an endpoint takes what it is sent; written when that changes.';
comment on column endpoints.endpoint is 'As in lanes.';
create index endpoints_changed on endpoints (changed_at);

-- What is done now and then by one process for all. Whoever finds it due moves that moment on, so nobody else does it.
create table housekeeping (
  job text primary key,
  next_run_at timestamptz not null default now(),
  walked_to timestamptz not null default '-infinity',
  walk_began_at timestamptz not null default now(),
  purged_before timestamptz
);
comment on table housekeeping is 'Work of one process for all, and how far it has got.';
comment on column housekeeping.next_run_at is 'When it is due; while somebody is at it, when another may take it over.';
comment on column housekeeping.walked_to is 'Payments created until then have been looked at, in this walk.';
comment on column housekeeping.purged_before is 'A payment created before then, which never held money, need not be there any more.';
insert into housekeeping (job) values ('purge');
