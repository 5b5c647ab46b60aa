-- The first schema. What is in parts is reached by part and id; everything of a merchant lives in the merchant's own
-- parts, so that a sharded Postgres keeps it together. Times named created_at and recorded_at, and all that says when
-- something is due, are of the database's clock; happened_at, updated_at and terminated_at are of the process that made
-- the change, are shown, and are never compared with the others.

-- Acquirers on other machines, by the name that movements carry. Null with a merchant is the simulator in the process.
create table acquirers (
  name text primary key check (name ~ '^[a-z][a-z0-9-]{0,31}$' and name <> 'simulator'),
  url text not null check (url ~ '^https?://' and length(url) <= 2048),
  key text not null check (length(key) between 8 and 256),
  created_at timestamptz not null default now(),
  reconciled_at timestamptz,
  difference_count integer check (difference_count >= 0)
);
comment on table acquirers is 'Where the money is when it is not simulated here.';
comment on column acquirers.key is 'What we show to the acquirer; as it is, since it has to be sent.';
comment on column acquirers.reconciled_at is 'When our books were compared last; null as long as they never were.';
comment on column acquirers.difference_count is 'What that comparison found, whichever period it was of.';

-- Merchants and their keys. Small tables that every process caches; on a sharded Postgres, reference tables.
create table merchants (
  id bigint primary key check (id between 100000000 and 999999999),
  name text not null check (length(name) between 1 and 128),
  live boolean not null,
  dialect text not null check (dialect in ('spec', 'nexi')),
  strict_items boolean not null default false,
  reserve_on_demand boolean not null default false check (not (live and reserve_on_demand)),
  acquirer text references acquirers (name),
  refund_proof json check (json_typeof(refund_proof) = 'object' and octet_length(refund_proof::text) <= 1024),
  second_factor boolean,
  seller json check (json_typeof(seller) = 'object' and octet_length(seller::text) <= 4096),
  colour text check (colour ~ '^#[0-9a-f]{6}$'),
  logo text check (logo ~ '^[0-9a-f]{64}$'),
  checkout_key text not null unique,
  account_secret uuid not null default gen_random_uuid(),
  parts smallint[] not null
    check (cardinality(parts) between 1 and 64 and 0 <= all (parts) and 4095 >= all (parts)),
  clock_ahead_ms bigint not null default 0,
  disabled_at timestamptz,
  created_at timestamptz not null default now(),
  constraint merchants_on_demand_simulated check (not reserve_on_demand or acquirer is null),
  constraint merchants_live_unsimulated check (not live or acquirer is null),
  constraint merchants_clock_of_test
    check (clock_ahead_ms between 0 and 63072000000 and (clock_ahead_ms = 0 or not live))
);
comment on table merchants is 'Whose payments they are. live and parts are for good.';
comment on column merchants.acquirer is 'Whose new reservations go where; a movement keeps the acquirer that it was made with.';
comment on column merchants.refund_proof is 'By currency, in minor units; null where no refund asks for one.';
comment on column merchants.second_factor is 'Whether its people need a second factor; null: those of live merchants do.';
comment on column merchants.seller is 'What its invoices say of it: address, VAT number, bank account. Null where nothing was given.';
comment on column merchants.colour is 'Of the button and of what is chosen in its checkout.';
comment on column merchants.logo is 'SHA-256 of the bytes in merchant_logos.';
comment on column merchants.account_secret is 'The key of the references of its consumers'' cards; never shown.';
comment on column merchants.parts is 'Where everything of the merchant lives; the first is its home. An idempotency key chooses by them, so they never change.';
comment on column merchants.clock_ahead_ms is 'How far the clock of its payments is ahead, in milliseconds: never back, two years at most.';
comment on column merchants.disabled_at is 'Since when none of its keys is taken; null while they are.';

-- The bytes of a logo stand apart, since every process keeps merchants in memory; the merchant has their digest.
create table merchant_logos (
  merchant_id bigint primary key references merchants (id),
  type text not null check (type in ('image/png', 'image/jpeg')),
  bytes bytea not null check (octet_length(bytes) between 1 and 65536)
);
comment on table merchant_logos is 'One for a merchant that has one. Small; on a sharded Postgres, a reference table.';

create table clock_moves (
  merchant_id bigint not null references merchants (id),
  ahead_ms bigint not null check (ahead_ms > 0),
  key text check (length(key) between 1 and 64),
  request bytea check (octet_length(request) = 32),
  answer text,
  next_pull_at timestamptz,
  created_at timestamptz not null default now(),
  primary key (merchant_id, ahead_ms),
  unique (merchant_id, key),
  constraint clock_moves_keyed check ((key is null) = (request is null) and (key is null) = (answer is null))
);
comment on table clock_moves is 'A move of a test clock: until what waits for a time is made due, and as long as its Idempotency-Key is known.';
comment on column clock_moves.ahead_ms is 'How far ahead the clock was afterwards; every move is further than the one before.';
comment on column clock_moves.next_pull_at is 'When somebody else may take up making due what waits; null when that is done.';
create index clock_moves_to_pull on clock_moves (next_pull_at) where next_pull_at is not null;
create index clock_moves_by_age on clock_moves (created_at);

create table secret_keys (
  hash bytea primary key check (octet_length(hash) = 32),
  id text not null unique,
  merchant_id bigint not null references merchants (id),
  hint text not null,
  name text check (length(name) between 1 and 64),
  scopes text[] check (scopes <@ array['read', 'money', 'webhooks', 'audit'] and cardinality(scopes) > 0),
  created_at timestamptz not null default now(),
  expires_at timestamptz,
  revoked_at timestamptz,
  last_used_at timestamptz
);
comment on table secret_keys is 'SHA-256 of the 32 hex digits of a secret key; the key itself is shown once.';
comment on column secret_keys.id is 'The name by which a key is listed and revoked; no secret.';
comment on column secret_keys.hint is 'The last four digits, to tell keys apart.';
comment on column secret_keys.scopes is 'What it may be used for; null for everything but the audit.';
comment on column secret_keys.expires_at is 'From when on it is not taken; null for never.';
comment on column secret_keys.last_used_at is 'A minute more or less; null while nobody has used it.';
create index secret_keys_of_merchant on secret_keys (merchant_id);

-- A payment: the current state of the aggregate. It lives in one of 4096 parts; its id carries the part's 12 bits. It
-- is changed a few times within minutes of its creation: half of each page is left for that, so that a change stays on
-- its page and writes to no index.
create table payments (
  part smallint not null check (part between 0 and 4095),
  id uuid not null,
  merchant_id bigint not null,
  version integer not null check (version > 0),
  created_at timestamptz not null default now(),
  created_by text check (length(created_by) between 1 and 64),
  amount bigint not null check (amount between 0 and 1000000000000),
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
  seal bytea,
  primary key (part, id),
  constraint payments_id_carries_part
    check (part = ((get_byte(uuid_send(id), 6) & 15) << 8) + get_byte(uuid_send(id), 7)),
  constraint payments_reserved_within_order check (reserved <= amount),
  constraint payments_taken_within_reserved check (charged + charging + cancelled + cancelling <= reserved),
  constraint payments_refunded_within_charged check (refunded + refunding <= charged),
  constraint payments_terminated_unreserved check (terminated_at is null or reserved = 0)
) with (fillfactor = 50);
comment on table payments is 'The aggregate''s state; totals are the sums of its movements, guarded by version.';
comment on column payments.created_by is 'The key that created it; null of what was created otherwise.';
comment on column payments.consumer is 'The one place of personal data.';
comment on column payments.challenge is 'The latest 3-D Secure challenge; its source is opaque, its card only a mask.';
comment on column payments.hooks is 'Its own hooks, as publishing needs them: [{event, lane, n, endpoint}], n the place in the list that the shop gave.';
comment on column payments.bytes is 'About how much it holds with its movements, so that nobody reads too much at once.';
comment on column payments.seal is 'Digest of the order, the consumer and how it is paid; null where nobody sealed it.';
-- Ids begin with the time, so this lists a merchant's payments by age.
create index payments_of_merchant on payments (merchant_id, id);
create index payments_by_reference on payments (merchant_id, reference, id) where reference is not null;
-- For forgetting those that never held money. On a column that never changes, so that updates can stay on their page.
create index payments_by_age on payments (created_at);
-- What few payments come to is listed by an index of its own. Only a change that brings it about writes to it. There is
-- none of a total, which every refund or cancel would write to: those are found by walking the merchant's payments.
create index payments_terminated on payments (merchant_id, id) where terminated_at is not null;
-- What people search payments by in the console. Each is in the order of time behind its key, so that a page of any
-- search is read as it is shown. A payment without the field writes nothing. consumer and method are written when a
-- payment is made and when it is paid: those changes write to these indexes, all later ones stay on their page. amount
-- and my_reference seldom change. Erasing a consumer changes the row, and with it what the indexes lead to.
create index payments_by_my_reference on payments (merchant_id, my_reference, id) where my_reference is not null;
create index payments_by_amount on payments (merchant_id, amount, id);
create index payments_by_email on payments (merchant_id, lower(consumer ->> 'email'), id)
  where consumer ->> 'email' is not null;
create index payments_by_phone on payments (
    merchant_id, right(regexp_replace(consumer -> 'phone' ->> 'number', '\D', '', 'g'), 7), id)
  where consumer -> 'phone' ->> 'number' is not null;
create index payments_by_name on payments (
    merchant_id, lower(coalesce(consumer -> 'company' ->> 'name', consumer -> 'person' ->> 'lastName')) collate "C", id)
  where coalesce(consumer -> 'company' ->> 'name', consumer -> 'person' ->> 'lastName') is not null;
-- A first and a last name together, and a first name alone.
create index payments_by_full_name on payments (
    merchant_id, lower(coalesce(consumer -> 'company' ->> 'name', consumer -> 'person' ->> 'lastName')) collate "C",
    lower(coalesce(consumer -> 'company' ->> 'firstName', consumer -> 'person' ->> 'firstName')) collate "C", id)
  where coalesce(consumer -> 'company' ->> 'name', consumer -> 'person' ->> 'lastName') is not null
    and coalesce(consumer -> 'company' ->> 'firstName', consumer -> 'person' ->> 'firstName') is not null;
create index payments_by_first_name on payments (
    merchant_id,
    lower(coalesce(consumer -> 'company' ->> 'firstName', consumer -> 'person' ->> 'firstName')) collate "C", id)
  where coalesce(consumer -> 'company' ->> 'firstName', consumer -> 'person' ->> 'firstName') is not null;
create index payments_by_last_four on payments (merchant_id, right(method ->> 'maskedPan', 4), id)
  where method ->> 'maskedPan' is not null;

-- Changes of a payment that move no money.
create table payment_changes (
  part smallint not null,
  payment_id uuid not null,
  version integer not null check (version > 1),
  kind text not null check (kind in ('cart', 'reference', 'termination')),
  happened_at timestamptz not null,
  key_id text check (length(key_id) between 1 and 64),
  person_id text check (length(person_id) between 1 and 64),
  before json not null,
  after json not null,
  seal bytea,
  primary key (part, payment_id, version),
  foreign key (part, payment_id) references payments (part, id)
);
comment on table payment_changes is 'Changes of cart and references, and terminations: who, when, and what it was before and after. Holds no personal data.';
comment on column payment_changes.version is 'The one that the change has made.';
comment on column payment_changes.key_id is 'The key that asked for it; without a key and a person it was the consumer.';

-- A movement of money on a payment. Pending from the moment its amount is set aside until its outcome is known. An
-- order of 0, which registers a card and moves no money, has a reservation of 0.
create table movements (
  part smallint not null,
  id uuid not null,
  payment_id uuid not null,
  sequence integer not null check (sequence > 0),
  kind text not null check (kind in ('reservation', 'charge', 'refund', 'cancel')),
  state text not null check (state in ('pending', 'approved', 'declined')),
  amount bigint not null,
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
  details json,
  tries integer not null default 0 check (tries >= 0),
  next_try_at timestamptz,
  seal bytea,
  primary key (part, id),
  unique (part, payment_id, sequence),
  foreign key (part, payment_id) references payments (part, id),
  foreign key (part, charge_id) references movements (part, id),
  constraint movements_amount_check
    check (amount between 0 and 1000000000000 and (amount > 0 or kind = 'reservation')),
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
comment on column movements.details is 'The shop''s own reference, the parcel, that a charge is the last one. Holds no personal data.';
comment on column movements.next_try_at is 'When to ask about a pending one. A claim moves that moment on, so that no other process asks meanwhile.';
comment on column movements.seal is 'Digest of what is final with its outcome; null before that, and where nobody sealed it.';
create unique index movements_one_reservation on movements (part, payment_id)
  where kind = 'reservation' and state <> 'declined';
-- What is due is claimed acquirer by acquirer, so that a long row of one is not read to find those of another.
create index movements_due on movements (acquirer, next_try_at) where state = 'pending';
-- All movements of a part in the order in which they were written, for the walks of payouts, figures and facets. On
-- columns that never change, so that updates can stay on their page.
create index movements_in_turn on movements (part, created_at, id);

-- The number of each invoice and credit note in its merchant's series. It is given when the event that tells of its
-- charge or refund is published: the merchant's counter is locked then anyway.
create table invoice_numbers (
  part smallint not null,
  movement_id uuid not null,
  payment_id uuid not null,
  merchant_id bigint not null,
  number bigint not null check (number > 0),
  seller json not null check (json_typeof(seller) = 'object'),
  created_at timestamptz not null default now(),
  seal bytea,
  primary key (part, movement_id),
  unique (part, payment_id, movement_id),
  unique (part, merchant_id, number),
  foreign key (part, movement_id) references movements (part, id)
);
comment on table invoice_numbers is 'The invoice of a charge, the credit note of a refund: its number, from 1 and without gaps for its merchant. Kept as long as the movement.';
comment on column invoice_numbers.seller is 'What was known of the seller when it was issued: a later change does not alter it.';

-- The first answer to a request with an Idempotency-Key. It lives in the part of its subject.
create table idempotency_records (
  part smallint not null,
  merchant_id bigint not null,
  operation text not null check (operation in ('create', 'charge', 'refund', 'cancel', 'webhook')),
  target uuid not null,
  key text not null check (length(key) between 1 and 64),
  subject_id uuid not null,
  request bytea not null check (octet_length(request) = 32),
  status smallint,
  answer text,
  movement_id uuid,
  lasting boolean not null default false,
  created_at timestamptz not null default now(),
  seal bytea,
  primary key (part, merchant_id, operation, target, key)
);
comment on table idempotency_records is 'status is null while the outcome is not known.';
comment on column idempotency_records.subject_id is 'What was made or changed: the payment, or the webhook.';
comment on column idempotency_records.request is 'SHA-256 of the request''s JSON in a canonical order.';
comment on column idempotency_records.movement_id is 'While the outcome is not known: the movement that will be the answer.';
comment on column idempotency_records.lasting is 'Kept as long as its payment: the key of a charge of a subscription can be asked about for good.';
comment on column idempotency_records.seal is 'Digest of the answer and what was asked; null while there is none, and where nobody sealed it.';
create index idempotency_records_by_age on idempotency_records (created_at);
create index idempotency_records_passing on idempotency_records (created_at) where not lasting;

-- The outbox: each event is written by the commit that made it true. Publishing an event gives it its position among
-- the merchant's events and makes its deliveries; until then it is only there.
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
  seal bytea,
  primary key (part, subject_id, version, ordinal)
) with (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 1000);
comment on table events is 'The outbox and the log. Holds no personal data: bodies are completed when they are delivered.';
comment on column events.subject_id is 'What it is about: a payment, or a webhook.';
comment on column events.position is 'Counts the merchant''s events from 1, in the order in which they can be read.';
comment on column events.data is 'What it says, of an event that is of no payment; holds no personal data.';
comment on column events.seal is 'Digest of all but its position and when it was recorded; null where nobody sealed it.';
create index events_of_merchant on events (merchant_id, position) where position is not null;
create index events_unpublished on events (part, subject_id, version, ordinal) where position is null;

-- A merchant's last position. Its row is locked while events get theirs, so that a lower one never shows up after a
-- higher.
create table event_counters (
  part smallint not null,
  merchant_id bigint not null references merchants (id),
  last bigint not null check (last >= 0),
  invoices bigint not null default 0 check (invoices >= 0),
  events_purged_to bigint not null default 0 check (events_purged_to >= 0),
  deliveries_purged_to bigint not null default 0 check (deliveries_purged_to >= 0),
  events_purged_before timestamptz,
  deliveries_purged_before timestamptz,
  primary key (part, merchant_id)
) with (fillfactor = 50);
comment on table event_counters is 'The last position given to an event of a merchant, in the merchant''s home part.';
comment on column event_counters.invoices is 'The last number given to an invoice or credit note of the merchant.';
comment on column event_counters.events_purged_to is 'Events up to this position are forgotten, as their time was over.';
comment on column event_counters.deliveries_purged_to is 'Deliveries of events up to this position are forgotten.';
comment on column event_counters.events_purged_before is 'No event that was recorded before then need be there any more.';
comment on column event_counters.deliveries_purged_before is 'No delivery of an event that was recorded before then need be there any more.';

-- Endpoints for the events of all payments of a merchant. In the merchant's home part.
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
comment on column webhooks.slot is 'Each has one of its merchant''s: so there are never more than can be, also when several are made at once.';
comment on column webhooks.events is 'Names of the events that it wants; null: all.';
comment on column webhooks.after_position is 'The merchant''s last event when it was made: it is sent those that come after.';
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
-- the processes that deliver. In the merchant's home part.
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

-- A consumer's card that a merchant may charge again, each charge a payment of its own.
create table subscriptions (
  part smallint not null check (part between 0 and 4095),
  id uuid not null,
  merchant_id bigint not null references merchants (id),
  kind text not null check (kind in ('scheduled', 'unscheduled')),
  version integer not null default 1 check (version > 0),
  created_at timestamptz not null default now(),
  began_on date not null,
  interval_days integer check (interval_days between 0 and 36500),
  ends_at timestamptz,
  allow_variable_amount boolean,
  state text not null default 'active' check (state in ('active', 'needs_card', 'ended')),
  ended_at timestamptz,
  ended_by text check (ended_by in ('consumer', 'merchant')),
  payment_id uuid not null,
  acquirer text not null,
  source text not null check (length(source) between 1 and 200),
  method json not null,
  consent json not null,
  secret text not null check (secret ~ '^[0-9a-f]{32}$'),
  seal bytea,
  primary key (part, id),
  constraint subscriptions_id_carries_part
    check (part = ((get_byte(uuid_send(id), 6) & 15) << 8) + get_byte(uuid_send(id), 7)),
  constraint subscriptions_scheduled_has_interval
    check ((kind = 'scheduled') = (interval_days is not null) and (kind = 'scheduled') = (ends_at is not null)),
  constraint subscriptions_ended_says_when
    check ((state = 'ended') = (ended_at is not null) and (ended_at is null) = (ended_by is null))
) with (fillfactor = 85);
comment on table subscriptions is 'A card that may be charged again, with what its consumer agreed to. Holds no personal data.';
comment on column subscriptions.version is 'Counts its charges and changes: a charge is committed only on the version that it was decided on.';
comment on column subscriptions.began_on is 'The UTC day from which the first interval counts, by the clock of the process; shown and compared with days of processes alone.';
comment on column subscriptions.state is 'needs_card: the issuer will never take this card again, and the payment that said so is forgotten; while it is there, it says it.';
comment on column subscriptions.ended_at is 'When it was ended, before its time was over: nothing is charged from then on.';
comment on column subscriptions.ended_by is 'Who ended it: the consumer on their page, or the merchant.';
comment on column subscriptions.payment_id is 'The payment that brought the card of now; its consumer is copied to each charge.';
comment on column subscriptions.source is 'The acquirer''s token of the card; never a card number.';
comment on column subscriptions.consent is 'What the consumer was shown and agreed to on the page, and when.';
comment on column subscriptions.secret is 'Part of the address at which the consumer sees and ends it: who has it was given it.';
comment on column subscriptions.seal is 'Digest of the card, its terms, the consent and the end; null where nobody sealed it.';
create index subscriptions_of_merchant on subscriptions (merchant_id, created_at, id);

-- Which payment is a charge of which subscription, and on which day. Whether it came to anything, its movements say.
create table renewals (
  part smallint not null,
  payment_id uuid not null,
  subscription_id uuid not null,
  day date not null,
  card_payment_id uuid not null,
  seal bytea,
  primary key (part, payment_id),
  unique (part, subscription_id, day, payment_id),
  foreign key (part, payment_id) references payments (part, id),
  foreign key (part, subscription_id) references subscriptions (part, id)
);
comment on table renewals is 'A payment that is a charge of a subscription.';
comment on column renewals.day is 'UTC, by the clock of the process.';
comment on column renewals.card_payment_id is 'The payment that had brought the card which was charged.';
create index renewals_of_subscription on renewals (part, subscription_id, card_payment_id);

-- A list of subscriptions to be charged, or whose cards are to be verified. In the merchant's home part.
create table bulks (
  part smallint not null,
  id uuid not null,
  merchant_id bigint not null references merchants (id),
  kind text not null check (kind in ('scheduled', 'unscheduled')),
  purpose text not null check (purpose in ('charge', 'verification')),
  external_id text check (length(external_id) between 1 and 64),
  key text check (length(key) between 1 and 64),
  request bytea not null check (octet_length(request) = 32),
  web_hooks json,
  entry_count integer not null check (entry_count between 1 and 1000),
  created_at timestamptz not null default now(),
  created_by text check (length(created_by) between 1 and 64),
  forgotten_at timestamptz,
  seal bytea,
  primary key (part, id),
  unique (part, merchant_id, kind, purpose, external_id),
  unique (part, merchant_id, kind, purpose, key),
  constraint bulks_id_carries_part
    check (part = ((get_byte(uuid_send(id), 6) & 15) << 8) + get_byte(uuid_send(id), 7))
);
comment on table bulks is 'A list of charges or verifications that was asked for at once. Its name is the merchant''s for good.';
comment on column bulks.external_id is 'The merchant''s own name of it: the same again is the same bulk.';
comment on column bulks.key is 'The Idempotency-Key that it came with.';
comment on column bulks.request is 'SHA-256 of the request''s JSON in a canonical order.';
comment on column bulks.web_hooks is 'Of each payment that it makes.';
comment on column bulks.created_by is 'The key that asked for it; null of what was asked for otherwise.';
comment on column bulks.forgotten_at is 'When its entries were forgotten; its name is the merchant''s for good.';
create index bulks_to_forget on bulks (created_at) where forgotten_at is null;

create table bulk_entries (
  part smallint not null,
  bulk_id uuid not null,
  place integer not null check (place >= 0),
  merchant_id bigint not null,
  subscription_id uuid not null,
  payment_id uuid not null,
  purchase json,
  my_reference text check (length(my_reference) between 1 and 36),
  state text not null default 'pending' check (state in ('pending', 'succeeded', 'failed')),
  charge_id uuid,
  code text,
  message text,
  source text,
  tries integer not null default 0 check (tries >= 0),
  next_try_at timestamptz,
  seal bytea,
  primary key (part, bulk_id, place),
  unique (part, bulk_id, subscription_id, place),
  foreign key (part, bulk_id) references bulks (part, id),
  constraint bulk_entries_pending_is_due check ((state = 'pending') = (next_try_at is not null))
) with (fillfactor = 70);
comment on table bulk_entries is 'One charge or verification of a bulk, done once by whichever process claims it.';
comment on column bulk_entries.payment_id is 'The id of the payment that it makes, drawn when it was asked for: so it is made once. Of a verification, the id of the question.';
comment on column bulk_entries.purchase is 'The order of a charge.';
comment on column bulk_entries.next_try_at is 'When it is due. A claim moves that moment on, so that no other process does it meanwhile.';
-- In the order in which entries are claimed, merchant by merchant, so that a few are found without reading the
-- thousands beside them, and a long bulk of one is not read to find those of another.
create index bulk_entries_in_turn on bulk_entries (merchant_id, next_try_at, bulk_id, place) where state = 'pending';

-- Payouts: what a merchant is paid for a day in a currency, gathered from the movements of its payments once the day is
-- over. A part is walked movement by movement.
create table payouts (
  part smallint not null,
  id uuid not null,
  merchant_id bigint not null references merchants (id),
  day date not null,
  currency text not null check (currency ~ '^[A-Z]{3}$'),
  charged bigint not null check (charged >= 0),
  refunded bigint not null check (refunded >= 0),
  charge_count integer not null check (charge_count >= 0),
  action_count integer not null check (action_count >= charge_count),
  created_at timestamptz not null default now(),
  seal bytea,
  primary key (part, id),
  unique (part, merchant_id, day, currency),
  constraint payouts_id_carries_part
    check (part = ((get_byte(uuid_send(id), 6) & 15) << 8) + get_byte(uuid_send(id), 7))
);
comment on table payouts is 'What a merchant is paid for a UTC day in a currency. In the merchant''s home part. Holds no personal data.';
comment on column payouts.action_count is 'How many charges and refunds it is made of: each has a place below it.';
comment on column payouts.seal is 'Digest of whose it is, its day and its currency; null where nobody sealed it.';

-- Lives in the part of its movement, which is in one payout at most.
create table payout_actions (
  part smallint not null,
  movement_id uuid not null,
  payout_id uuid,
  place integer check (place >= 0),
  vat bigint,
  seal bytea,
  primary key (part, movement_id),
  unique (part, payout_id, place),
  foreign key (part, movement_id) references movements (part, id),
  constraint payout_actions_place_in_payout check ((payout_id is null) = (place is null))
);
comment on table payout_actions is 'A charge or refund that was met by the walk: in a payout, or pending then.';
comment on column payout_actions.payout_id is 'Null while its outcome is not known: it goes into the payout of the day on which it is.';
create index payout_actions_waiting on payout_actions (part) where payout_id is null;

create table payout_walks (
  part smallint primary key check (part between 0 and 4095),
  day date not null,
  walked_at timestamptz not null default '-infinity',
  walked_id uuid not null default '00000000-0000-0000-0000-000000000000',
  stepped_at timestamptz not null default '-infinity'
);
comment on table payout_walks is 'How far the movements of a part are in payouts.';
comment on column payout_walks.day is 'The UTC day that is not over, or not all walked: the payouts of those before are whole.';
comment on column payout_walks.walked_at is 'Movements up to this one, by created_at and id, have been met.';
comment on column payout_walks.stepped_at is 'Whose turn it is: the one that waits longest comes first.';

-- Daily figures: how much of what was asked for on a day, summed up as the movements of each part are walked over.
create table daily_figures (
  part smallint not null,
  merchant_id bigint not null references merchants (id),
  day date not null,
  currency text not null check (currency ~ '^[A-Z]{3}$'),
  kind text not null check (kind in ('reservation', 'charge', 'refund', 'cancel')),
  state text not null check (state in ('approved', 'declined')),
  method text not null,
  reason text not null,
  count integer not null check (count > 0),
  amount bigint not null check (amount >= 0),
  primary key (part, merchant_id, day, currency, kind, state, method, reason)
) with (fillfactor = 70);
comment on table daily_figures is 'Movements by the UTC day on which they were asked for. In the merchant''s home part. Holds no personal data.';
comment on column daily_figures.method is 'Of an approved one how it was paid, such as Visa; empty otherwise.';
comment on column daily_figures.reason is 'Of a declined one why; empty otherwise.';

create table figure_walks (
  part smallint primary key check (part between 0 and 4095),
  walked_at timestamptz not null default '-infinity',
  walked_id uuid not null default '00000000-0000-0000-0000-000000000000',
  stepped_at timestamptz not null default '-infinity'
);
comment on table figure_walks is 'How far the movements of a part are in the daily figures.';
comment on column figure_walks.walked_at is 'Movements up to this one, by created_at and id, have been met.';
comment on column figure_walks.stepped_at is 'Whose turn it is: the one that waits longest comes first.';

create table figure_waits (
  part smallint not null,
  movement_id uuid not null,
  primary key (part, movement_id)
);
comment on table figure_waits is 'Movements that were pending when the walk met them: counted once their outcome is known.';

-- What the console filters payments by, one narrow row a payment, apart from payments so that no commit writes to it: a
-- walk keeps it up. Readers find what is too new for the walk.
create table payment_facets (
  part smallint not null,
  payment_id uuid not null,
  merchant_id bigint not null,
  version integer not null check (version > 0),
  standing text not null check (standing in (
    'unpaid', 'pending', 'reserved', 'partly charged', 'charged', 'partly refunded', 'refunded', 'cancelled',
    'card saved')),
  method text not null,
  currency text not null check (currency ~ '^[A-Z]{3}$'),
  reservation_id uuid,
  primary key (part, payment_id),
  foreign key (part, payment_id) references payments (part, id) on delete cascade
);
comment on table payment_facets is 'What payments are filtered and counted by in the console. Holds no personal data.';
comment on column payment_facets.version is 'Of the payment, when these were read: they are replaced by those of a later one only.';
comment on column payment_facets.standing is 'What does not hang on the hour: unpaid is created, expired or terminated, reserved may have expired.';
comment on column payment_facets.method is 'Such as CARD/Visa; empty when nobody has tried to pay.';
comment on column payment_facets.reservation_id is 'Of which something is left that was neither charged nor cancelled; null when nothing is.';
-- Each kind of payment in the order of time.
create index payment_facets_by_time on payment_facets (merchant_id, standing, method, currency, payment_id);
create index payment_facets_pending on payment_facets (part, payment_id) where standing = 'pending';
-- The open reservations of a merchant, those that end first at the beginning.
create index payment_facets_open on payment_facets (merchant_id, reservation_id) where reservation_id is not null;

create table facet_walks (
  part smallint primary key check (part between 0 and 4095),
  walked_at timestamptz not null,
  walked_id uuid not null default '00000000-0000-0000-0000-000000000000',
  stepped_at timestamptz not null default '-infinity'
);
comment on table facet_walks is 'How far the payments of a part''s movements are in the facets.';
comment on column facet_walks.walked_at is 'Movements up to this one, by created_at and id, have been met; payments are walked apart from that.';
comment on column facet_walks.stepped_at is 'Whose turn it is: the one that waits longest comes first.';

-- What the last `kassa reconcile` with an acquirer found of a merchant.
create table reconcile_outcomes (
  part smallint not null,
  merchant_id bigint not null references merchants (id),
  acquirer text not null,
  difference_count integer not null check (difference_count > 0),
  payment_ids uuid[] not null check (cardinality(payment_ids) between 1 and 20),
  reconciled_at timestamptz not null default now(),
  primary key (part, merchant_id, acquirer)
);
comment on table reconcile_outcomes is 'Differences that the last comparison with an acquirer found; in the home part.';
comment on column reconcile_outcomes.payment_ids is 'The first of the payments that they are of.';

-- The merchants' people: who may enter the console, in which role, and how they come in. Small tables, like those of
-- merchants.
create table people (
  id text primary key check (id ~ '^person_[0-9a-f]{16}$'),
  email text not null unique check (length(email) between 3 and 254 and email = lower(email)),
  language text check (language ~ '^[a-z]{2}$'),
  by_company boolean not null default false,
  unlocks integer not null default 0 check (unlocks >= 0),
  recovery_by text check (length(recovery_by) <= 640),
  recovery_at timestamptz,
  created_at timestamptz not null default now()
);
comment on table people is 'Who may enter the console. Their acts stay in the audit records when they are removed.';
comment on column people.language is 'Two letters; null: what the browser asks for.';
comment on column people.by_company is 'Whether they have signed in by the company: then they can without a link.';
comment on column people.unlocks is 'How often password sign-in was unlocked; part of what failed attempts are counted by.';
comment on column people.recovery_by is 'Who made the last link for them while they could sign in already.';

create table memberships (
  person_id text not null references people (id) on delete cascade,
  merchant_id bigint not null references merchants (id),
  role text not null check (role in ('viewer', 'operator', 'developer', 'admin')),
  by_groups boolean not null default false,
  created_at timestamptz not null default now(),
  primary key (person_id, merchant_id)
);
comment on table memberships is 'What a person may do for a merchant.';
comment on column memberships.by_groups is 'Given by the groups of the sign-in provider: of use only to who came in by it.';
create index memberships_of_merchant on memberships (merchant_id);

-- Lists of payments that a person has given a name. They go with the membership.
create table saved_views (
  person_id text not null,
  merchant_id bigint not null,
  name text not null check (length(name) between 1 and 60),
  query text not null check (length(query) <= 4096),
  created_at timestamptz not null default now(),
  primary key (person_id, merchant_id, name),
  foreign key (person_id, merchant_id) references memberships (person_id, merchant_id) on delete cascade
);
comment on table saved_views is 'What a person lists often, by a name of theirs; a searched text may name a consumer.';
comment on column saved_views.query is 'What stands in the address after its path.';

-- A sign-in link for somebody who can sign in already is account recovery: who made it is kept with the link and with
-- the session that it begins, and the person is notified.
create table sign_in_links (
  hash bytea primary key check (octet_length(hash) = 32),
  person_id text not null references people (id) on delete cascade,
  recovery_by text,
  created_at timestamptz not null default now(),
  expires_at timestamptz not null
);
comment on table sign_in_links is 'SHA-256 of a secret that lets a person in once; its row goes with its use.';
comment on column sign_in_links.recovery_by is 'Who made it for somebody who can sign in already; null for everybody else.';
create index sign_in_links_of_person on sign_in_links (person_id);
create index sign_in_links_expired on sign_in_links (expires_at);

-- At a live merchant another admin approves a recovery link before; until then it is no link.
create table link_requests (
  id text primary key check (id ~ '^request_[0-9a-f]{16}$'),
  hash bytea not null unique check (octet_length(hash) = 32),
  person_id text not null unique references people (id) on delete cascade,
  merchant_id bigint not null references merchants (id),
  asked_by_id text not null check (length(asked_by_id) <= 64),
  asked_by text not null check (length(asked_by) <= 320),
  asked_at timestamptz not null default now(),
  expires_at timestamptz not null
);
comment on table link_requests is 'Recovery links that wait until another admin approves them; one for a person at a time.';

create table sessions (
  hash bytea primary key check (octet_length(hash) = 32),
  id text not null unique check (id ~ '^session_[0-9a-f]{16}$'),
  person_id text not null references people (id) on delete cascade,
  created_at timestamptz not null default now(),
  seen_at timestamptz not null default now(),
  proved_at timestamptz not null default now(),
  method text not null check (method in ('link', 'password', 'passkey', 'oidc')),
  is_strong boolean not null default false,
  recovery_by text,
  is_told boolean not null default false,
  address text not null check (length(address) <= 64),
  agent text not null check (length(agent) <= 256)
) with (fillfactor = 70);
comment on table sessions is 'SHA-256 of what the browser holds; id is its name in lists, and no secret.';
comment on column sessions.seen_at is 'The last use, a minute more or less: idle ones end.';
comment on column sessions.proved_at is 'When the person last proved to be there, by a passkey or a code: some acts ask for it anew.';
comment on column sessions.is_strong is 'Whether a passkey or a code was shown or registered in it; one that began with either is strong anyway.';
comment on column sessions.recovery_by is 'Who made the recovery link that began it; null where none did.';
comment on column sessions.is_told is 'Whether the notice of a recovery link was closed in it.';
create index sessions_of_person on sessions (person_id);
create index sessions_by_age on sessions (seen_at);

create table passwords (
  person_id text primary key references people (id) on delete cascade,
  hash text not null check (hash like '$argon2id$%' and length(hash) <= 256),
  totp_secret bytea not null check (octet_length(totp_secret) between 20 and 64),
  totp_step bigint not null check (totp_step >= 0),
  changed_at timestamptz not null default now()
);
comment on table passwords is 'A password as its Argon2id, and the app whose codes go with it: neither lets in alone.';
comment on column passwords.totp_step is 'The step of the last code that was taken: each is taken once.';

create table recovery_codes (
  person_id text not null references people (id) on delete cascade,
  hash bytea not null check (octet_length(hash) = 32),
  primary key (person_id, hash)
);
comment on table recovery_codes is 'SHA-256 of a code that stands in for the app once; its row goes with its use.';

create table passkeys (
  id text primary key check (length(id) between 1 and 1400),
  person_id text not null references people (id) on delete cascade,
  name text not null check (length(name) between 1 and 60),
  public_key bytea not null check (octet_length(public_key) between 1 and 4096),
  counter bigint not null check (counter >= 0),
  transports text[] not null,
  challenged_at bigint not null default 0,
  created_at timestamptz not null default now(),
  used_at timestamptz
);
comment on table passkeys is 'The public half of a passkey; its id is the one that the authenticator gave it.';
comment on column passkeys.counter is 'As the authenticator last sent it: a copy of it would fall behind.';
comment on column passkeys.challenged_at is 'When the challenge that was last answered was made, in microseconds: each is answered once.';
create index passkeys_of_person on passkeys (person_id);

create table sign_in_tries (
  key bytea primary key check (octet_length(key) = 32),
  count int not null check (count > 0),
  began_at timestamptz not null default now()
) with (fillfactor = 70);
comment on table sign_in_tries is 'Failed tries of the last minutes, by SHA-256 of who tried what from where.';
create index sign_in_tries_by_age on sign_in_tries (began_at);

create table console_secret (
  id int primary key default 1 check (id = 1),
  secret bytea not null check (octet_length(secret) = 32)
);
comment on table console_secret is 'What challenges and marks of known browsers are signed with, in every process.';
insert into console_secret (secret)
  values (decode(replace(gen_random_uuid()::text || gen_random_uuid()::text, '-', ''), 'hex'));

-- Who changed what: every act of a person and every change of merchants, keys, webhooks, people and settings. In the
-- merchant's home part; what belongs to no merchant is recorded for merchant 0.
create table audit_heads (
  part smallint not null check (part between 0 and 4095),
  merchant_id bigint not null,
  number bigint not null check (number >= 0),
  hash bytea not null check (octet_length(hash) = 32),
  primary key (part, merchant_id)
) with (fillfactor = 50);
comment on table audit_heads is 'The last audit record of a merchant. Adding one locks this row, so that writers queue.';

create table audit_records (
  part smallint not null check (part between 0 and 4095),
  merchant_id bigint not null,
  number bigint not null check (number > 0),
  at timestamptz not null,
  actor_kind text not null check (actor_kind in ('person', 'cli', 'key', 'system')),
  actor_id text not null check (length(actor_id) between 1 and 320),
  actor_name text not null check (length(actor_name) between 1 and 320),
  address text check (length(address) <= 64),
  action text not null check (length(action) between 1 and 64),
  subject text not null check (length(subject) <= 320),
  before json,
  after json,
  previous_hash bytea not null check (octet_length(previous_hash) = 32),
  hash bytea not null check (octet_length(hash) = 32),
  primary key (part, merchant_id, number)
);
comment on table audit_records is 'Who did what, from 1 and without gaps for a merchant, each with the hash of the one before. Never changed, never deleted. Holds the e-mail addresses of people.';
comment on column audit_records.at is 'By the database''s clock, in whole milliseconds, as they are hashed.';
comment on column audit_records.before is 'What was changed, as it was; without secrets. Null where there was nothing before.';
create index audit_records_by_action on audit_records (part, merchant_id, action, number);
create index audit_records_by_actor on audit_records (part, merchant_id, actor_id, number);

-- Acts that are done and wait for their audit record: written in the commit of money and of deliveries, which must not
-- wait for the one before in a merchant's chain. The caller adds the record right after, or the housekeeping does.
create table audit_waits (
  part smallint not null check (part between 0 and 4095),
  subject_id uuid not null,
  version integer not null check (version > 0),
  merchant_id bigint not null,
  at timestamptz not null default now(),
  actor_kind text not null check (actor_kind in ('person', 'system')),
  actor_id text not null,
  actor_name text not null,
  address text,
  action text not null check (length(action) between 1 and 64),
  after json,
  primary key (part, subject_id, version)
);
comment on table audit_waits is 'What was done to a payment or a webhook with this version of it; gone as soon as its record is in the chain.';

-- The requests to the API of the last days, for the merchant's developers. In the merchant's home part. Bodies are
-- masked before they come here.
create table request_log (
  part smallint not null,
  merchant_id bigint not null,
  id uuid not null,
  logged_at timestamptz not null default now(),
  request_id text not null check (length(request_id) between 1 and 64),
  method text not null check (length(method) between 1 and 16),
  route text not null check (length(route) between 1 and 128),
  path text not null check (octet_length(path) between 1 and 1024),
  status smallint not null check (status between 100 and 599),
  duration_us bigint not null check (duration_us >= 0),
  key_id text not null check (length(key_id) between 1 and 64),
  address text not null check (length(address) between 1 and 64),
  idempotency_key text check (length(idempotency_key) between 1 and 64),
  replayed boolean not null,
  user_agent text check (octet_length(user_agent) between 1 and 256),
  content_type text check (octet_length(content_type) between 1 and 128),
  payment_id uuid,
  request_body text check (octet_length(request_body) between 1 and 8192),
  request_bytes integer not null check (request_bytes >= 0),
  request_cut boolean not null,
  answer_body text check (octet_length(answer_body) between 1 and 8192),
  answer_bytes integer not null check (answer_bytes >= 0),
  answer_cut boolean not null,
  primary key (part, merchant_id, id),
  constraint request_log_id_carries_part
    check (part = ((get_byte(uuid_send(id), 6) & 15) << 8) + get_byte(uuid_send(id), 7))
);
comment on table request_log is 'Requests to the API with masked bodies, kept for days. Holds no personal data, and no secrets.';
comment on column request_log.id is 'Says when the request began, by the clock of the process that answered it.';
comment on column request_log.logged_at is 'When it was written, by the database''s clock: what it is forgotten by.';
comment on column request_log.key_id is 'The key that was used, without its digits.';
comment on column request_log.payment_id is 'The payment that it was about, where there was one; it need not be there, and need not be the merchant''s.';
comment on column request_log.request_bytes is 'How large it was that came; what is kept of it is masked, and at most 8192 bytes.';
create index request_log_by_request on request_log (part, merchant_id, request_id, id);
create index request_log_by_payment on request_log (part, merchant_id, payment_id, id) where payment_id is not null;
-- What failed is what people look for, and mostly little.
create index request_log_failed on request_log (part, merchant_id, id) where status >= 400;
-- By which they are forgotten.
create index request_log_by_age on request_log (logged_at);

create table request_log_omissions (
  part smallint not null check (part between 0 and 4095),
  merchant_id bigint not null,
  minute timestamptz not null,
  logged_at timestamptz not null default now(),
  count integer not null check (count > 0),
  primary key (part, merchant_id, minute)
) with (fillfactor = 70);
comment on table request_log_omissions is 'How many requests of a minute are not in the request log, since there were too many.';
comment on column request_log_omissions.minute is 'By the clock of the processes, as the ids of the requests are.';
create index request_log_omissions_by_age on request_log_omissions (logged_at);

-- What is done now and then by one process for all. The process that finds it due moves that moment on, so that no other
-- does it.
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
-- Payments are walked for their facets by their creation: those that are new and, now and then, all of them once more.
insert into housekeeping (job, walked_to)
  values ('purge', '-infinity'), ('facets', '-infinity'), ('facets again', 'infinity');
