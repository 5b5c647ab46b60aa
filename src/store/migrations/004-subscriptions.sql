-- runs with 1
-- Subscriptions: a consumer's card that a merchant may charge again, each charge a payment of its own; and bulks, lists of
-- such charges that are worked off in the background. An order of 0, which registers a card and moves no money, has a
-- reservation of 0. A process of the version before knows nothing of all this: it goes on serving payments, and only a
-- checkout with a subscription that it finishes lacks its row here, which `kassa verify` tells.
alter table payments drop constraint payments_amount_check;
alter table payments add constraint payments_amount_check check (amount between 0 and 1000000000000) not valid;
alter table movements drop constraint movements_amount_check;
alter table movements add constraint movements_amount_check
  check (amount between 0 and 1000000000000 and (amount > 0 or kind = 'reservation')) not valid;

-- The answer to a charge of a subscription can be asked for by its key for good, so such a record is never forgotten.
alter table idempotency_records add column lasting boolean not null default false;
comment on column idempotency_records.lasting is 'Kept as long as its payment: the key of a charge of a subscription can be asked about for good.';

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
  payment_id uuid not null,
  acquirer text not null,
  source text not null check (length(source) between 1 and 200),
  method json not null,
  consent json not null,
  secret text not null check (secret ~ '^[0-9a-f]{32}$'),
  primary key (part, id),
  constraint subscriptions_id_carries_part
    check (part = ((get_byte(uuid_send(id), 6) & 15) << 8) + get_byte(uuid_send(id), 7)),
  constraint subscriptions_scheduled_has_interval
    check ((kind = 'scheduled') = (interval_days is not null) and (kind = 'scheduled') = (ends_at is not null))
) with (fillfactor = 85);
comment on table subscriptions is 'A card that may be charged again, with what its consumer agreed to. Holds no personal data.';
comment on column subscriptions.version is 'Counts its charges and changes: a charge is committed only on the version that it was decided on.';
comment on column subscriptions.began_on is 'The UTC day from which the first interval counts, by the clock of the process; shown and compared with days of processes alone.';
comment on column subscriptions.state is 'needs_card: the issuer will never take this card again, and the payment that said so is forgotten; while it is there, it says it.';
comment on column subscriptions.payment_id is 'The payment that brought the card of now; its consumer is copied to each charge.';
comment on column subscriptions.source is 'The acquirer''s token of the card; never a card number.';
comment on column subscriptions.secret is 'Part of the address at which the consumer sees and ends it: who has it was given it.';
comment on column subscriptions.consent is 'What the consumer was shown and agreed to on the page, and when.';

-- Which payment is a charge of which subscription, and on which day. Whether it came to anything, its movements say.
create table renewals (
  part smallint not null,
  payment_id uuid not null,
  subscription_id uuid not null,
  day date not null,
  card_payment_id uuid not null,
  primary key (part, payment_id),
  unique (part, subscription_id, day, payment_id),
  foreign key (part, payment_id) references payments (part, id),
  foreign key (part, subscription_id) references subscriptions (part, id)
);
comment on table renewals is 'A payment that is a charge of a subscription.';
comment on column renewals.day is 'UTC, by the clock of the process.';
comment on column renewals.card_payment_id is 'The payment that had brought the card which was charged.';

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
  primary key (part, bulk_id, place),
  unique (part, bulk_id, subscription_id, place),
  foreign key (part, bulk_id) references bulks (part, id),
  constraint bulk_entries_pending_is_due check ((state = 'pending') = (next_try_at is not null))
) with (fillfactor = 70);
comment on table bulk_entries is 'One charge or verification of a bulk, done once by whichever process claims it.';
comment on column bulk_entries.payment_id is 'The id of the payment that it makes, drawn when it was asked for: so it is made once. Of a verification, the id of the question.';
comment on column bulk_entries.purchase is 'The order of a charge.';
comment on column bulk_entries.next_try_at is 'When it is due; whoever claims it moves that moment on, so nobody else does it meanwhile.';
