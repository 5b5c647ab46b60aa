-- runs with 1
-- The merchants' people: who may enter the console, in which role, and how they came in. A process of the version before
-- knows of none and has no console. Small tables, like those of merchants.
create table people (
  id text primary key check (id ~ '^person_[0-9a-f]{16}$'),
  email text not null unique check (length(email) between 3 and 254 and email = lower(email)),
  created_at timestamptz not null default now()
);
comment on table people is 'Who may enter the console. Their acts stay in the audit records when they are removed.';

create table memberships (
  person_id text not null references people (id) on delete cascade,
  merchant_id bigint not null references merchants (id),
  role text not null check (role in ('viewer', 'operator', 'developer', 'admin')),
  created_at timestamptz not null default now(),
  primary key (person_id, merchant_id)
);
comment on table memberships is 'What a person may do for a merchant.';

create table sign_in_links (
  hash bytea primary key check (octet_length(hash) = 32),
  person_id text not null references people (id) on delete cascade,
  created_at timestamptz not null default now(),
  expires_at timestamptz not null
);
comment on table sign_in_links is 'SHA-256 of a secret that lets a person in once; its row goes with its use.';

create table sessions (
  hash bytea primary key check (octet_length(hash) = 32),
  id text not null unique check (id ~ '^session_[0-9a-f]{16}$'),
  person_id text not null references people (id) on delete cascade,
  created_at timestamptz not null default now(),
  seen_at timestamptz not null default now(),
  proved_at timestamptz not null default now(),
  method text not null check (method in ('link', 'password', 'passkey', 'oidc')),
  address text not null check (length(address) <= 64),
  agent text not null check (length(agent) <= 256)
) with (fillfactor = 70);
comment on table sessions is 'SHA-256 of what the browser holds; id is its name in lists, and no secret.';
comment on column sessions.seen_at is 'The last use, a minute more or less: idle ones end.';
comment on column sessions.proved_at is 'When the person last proved to be there, by a passkey or a code: some acts ask for it anew.';
