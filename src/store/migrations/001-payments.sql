-- Merchants and their keys. Small tables that every process caches; on a sharded Postgres, reference tables.
create table merchants (
  id bigint primary key check (id between 100000000 and 999999999),
  name text not null check (length(name) between 1 and 128),
  live boolean not null,
  dialect text not null check (dialect in ('spec', 'nexi')),
  strict_items boolean not null default false,
  reserve_on_demand boolean not null default false check (not (live and reserve_on_demand)),
  checkout_key text not null unique,
  created_at timestamptz not null
);
comment on table merchants is 'Whose payments they are. live is for good.';

create table secret_keys (
  hash bytea primary key check (octet_length(hash) = 32),
  id text not null unique,
  merchant_id bigint not null references merchants (id),
  hint text not null,
  created_at timestamptz not null,
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
  created_at timestamptz not null,
  amount bigint not null check (amount between 1 and 1000000000000),
  currency text not null check (currency ~ '^[A-Z]{3}$'),
  reference text check (length(reference) between 1 and 128),
  my_reference text check (length(my_reference) between 1 and 36),
  items json not null,
  checkout_url text check (length(checkout_url) between 1 and 2048),
  checkout json not null,
  consumer json not null,
  method json,
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
-- Ids begin with the time, so this lists a merchant's payments by age.
create index payments_of_merchant on payments (merchant_id, id);
create index payments_by_reference on payments (merchant_id, reference, id) where reference is not null;

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
  created_at timestamptz not null,
  updated_at timestamptz not null,
  acquirer text not null,
  source text,
  charge_id uuid,
  refunded bigint not null default 0 check (refunded >= 0),
  refunding bigint not null default 0 check (refunding >= 0),
  invoice_number text check (invoice_number ~ '^[0-9]{24}$'),
  reason text,
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
create unique index movements_one_reservation on movements (part, payment_id)
  where kind = 'reservation' and state <> 'declined';
create index movements_pending on movements (created_at) where state = 'pending';

-- What there is to tell the merchant, written by the commit that made it true, in order per payment.
create table events (
  part smallint not null,
  payment_id uuid not null,
  version integer not null,
  ordinal smallint not null,
  name text not null,
  at timestamptz not null,
  movement_id uuid,
  primary key (part, payment_id, version, ordinal),
  foreign key (part, payment_id) references payments (part, id)
);
comment on table events is 'The outbox. Holds no personal data: bodies are completed when they are delivered.';

-- The first answer to a request with an Idempotency-Key. It lives in its payment's part.
create table idempotency (
  part smallint not null,
  merchant_id bigint not null,
  operation text not null check (operation in ('create', 'charge', 'refund', 'cancel')),
  target uuid not null,
  key text not null check (length(key) between 1 and 64),
  payment_id uuid not null,
  request bytea not null check (octet_length(request) = 32),
  status smallint,
  answer text,
  created_at timestamptz not null,
  primary key (part, merchant_id, operation, target, key),
  foreign key (part, payment_id) references payments (part, id)
);
comment on table idempotency is 'status is null while the outcome is not known.';
comment on column idempotency.request is 'SHA-256 of the request''s JSON in a canonical order.';
create index idempotency_by_age on idempotency (created_at);
