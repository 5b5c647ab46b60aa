-- online
-- runs with 1
create index concurrently if not exists passkeys_of_person on passkeys (person_id);
create index concurrently if not exists sign_in_tries_by_age on sign_in_tries (began_at);
