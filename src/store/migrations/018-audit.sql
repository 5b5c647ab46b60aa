-- runs with 1
-- Who changed what: every act of a person and every change of merchants, keys, webhooks, people and settings. A process of
-- the version before records nothing. In the merchant's home part; what belongs to no merchant is told of at merchant 0.
create table audit_heads (
  part smallint not null check (part between 0 and 4095),
  merchant_id bigint not null,
  number bigint not null check (number >= 0),
  hash bytea not null check (octet_length(hash) = 32),
  primary key (part, merchant_id)
) with (fillfactor = 50);
comment on table audit_heads is 'The last audit record of a merchant: whoever adds one locks this row, so that they queue.';

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
