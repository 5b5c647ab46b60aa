-- runs with 1
-- Ways into the console beside a link. A process of the version before knows of none and lets in by links alone.
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
comment on column passkeys.counter is 'As the authenticator last told it: a copy of it would fall behind.';
comment on column passkeys.challenged_at is 'When the challenge that was last answered was made, in microseconds: each is answered once.';

create table sign_in_tries (
  key bytea primary key check (octet_length(key) = 32),
  count int not null check (count > 0),
  began_at timestamptz not null default now()
) with (fillfactor = 70);
comment on table sign_in_tries is 'Failed tries of the last minutes, by SHA-256 of who tried what from where.';

create table console_secret (
  id int primary key default 1 check (id = 1),
  secret bytea not null check (octet_length(secret) = 32)
);
comment on table console_secret is 'What challenges and marks of known browsers are signed with, in every process.';
insert into console_secret (secret)
  values (decode(replace(gen_random_uuid()::text || gen_random_uuid()::text, '-', ''), 'hex'));
