-- runs with 1
-- Lists of payments that a person has given a name. They go with the membership. A process of the version before knows of
-- none.
create table saved_views (
  person_id text not null,
  merchant_id bigint not null,
  name text not null check (length(name) between 1 and 60),
  query text not null check (length(query) <= 4096),
  created_at timestamptz not null default now(),
  primary key (person_id, merchant_id, name),
  foreign key (person_id, merchant_id) references memberships (person_id, merchant_id) on delete cascade
);
comment on table saved_views is 'What a person lists often, by a name of theirs; a searched text may name a consumer.';
comment on column saved_views.query is 'What stands in the address after its path.';
