-- runs with 1
-- Keys with a name, scopes and an expiry. Those that are there have all scopes and no end. A process of the version before
-- knows neither: it takes every key for everything until it is stopped.
alter table secret_keys add column name text check (length(name) between 1 and 64);
alter table secret_keys add column scopes text[]
  check (scopes <@ array['read', 'money', 'webhooks'] and cardinality(scopes) > 0);
alter table secret_keys add column expires_at timestamptz;
alter table secret_keys add column last_used_at timestamptz;
comment on column secret_keys.scopes is 'What it may be used for; null for everything.';
comment on column secret_keys.expires_at is 'From when on it is not taken; null for never.';
comment on column secret_keys.last_used_at is 'A minute more or less; null while nobody has used it.';
