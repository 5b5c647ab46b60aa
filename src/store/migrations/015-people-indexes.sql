-- online
-- runs with 1
create index concurrently if not exists memberships_of_merchant on memberships (merchant_id);
create index concurrently if not exists sign_in_links_of_person on sign_in_links (person_id);
create index concurrently if not exists sign_in_links_expired on sign_in_links (expires_at);
create index concurrently if not exists sessions_of_person on sessions (person_id);
create index concurrently if not exists sessions_by_age on sessions (seen_at);
