-- runs with 1
-- A scope that lets a key read the audit, which no key has unless it names it.
alter table secret_keys drop constraint secret_keys_scopes_check;
alter table secret_keys add constraint secret_keys_scopes_check
  check (scopes <@ array['read', 'money', 'webhooks', 'audit'] and cardinality(scopes) > 0) not valid;
comment on column secret_keys.scopes is 'What it may be used for; null for everything but the audit.';
