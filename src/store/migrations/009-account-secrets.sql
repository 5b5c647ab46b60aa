-- runs with 1
-- A secret of each merchant, by which the references of cards are made that its shop sees. The database draws it: also of
-- merchants that are there already, and of those that a process of the version before goes on making.
alter table merchants add column account_secret uuid not null default gen_random_uuid();
comment on column merchants.account_secret is 'The key of the references of its consumers'' cards; never shown.';
