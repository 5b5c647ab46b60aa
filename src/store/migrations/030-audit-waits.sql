-- runs with 1
-- Acts that are done and wait for their audit record: written in the commit of money and of deliveries, which must not wait
-- for the one before in a merchant's chain. Whoever asked adds the record right after, or the housekeeping does. A process
-- of the version before writes none here and leaves those that are there.
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
