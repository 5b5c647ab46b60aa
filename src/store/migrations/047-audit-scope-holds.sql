-- online
-- runs with 1
-- What 046 left for later.
alter table secret_keys validate constraint secret_keys_scopes_check;
