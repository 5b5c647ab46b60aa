-- runs with 1
-- A sign-in link for somebody who can sign in already is account recovery: who made it is kept with the link and with the
-- session that it begins, and told to the person. At a live merchant another admin approves it before; until then it is no
-- link, so that no process of the version before takes it.
alter table people add column recovery_by text check (length(recovery_by) <= 640),
  add column recovery_at timestamptz,
  add column by_company boolean not null default false;
comment on column people.recovery_by is 'Who made the last link for them while they could sign in already.';
comment on column people.by_company is 'Whether they have signed in by the company: then they can without a link.';
alter table sign_in_links add column recovery_by text;
comment on column sign_in_links.recovery_by is 'Who made it for somebody who can sign in already; null for everybody else.';
alter table sessions add column recovery_by text,
  add column is_told boolean not null default false;
comment on column sessions.recovery_by is 'Who made the recovery link that began it; null where none did.';
comment on column sessions.is_told is 'Whether the notice of a recovery link was closed in it.';

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
