-- runs with 1
-- A digest of what does not change once it is written, for `kassa verify`: of events, of movements whose outcome is known
-- and of answers that were given. Rows that are there have none and are not checked; a process of the version before writes
-- none, and changes nothing that one covers.
alter table events add column seal bytea;
alter table movements add column seal bytea;
alter table idempotency_records add column seal bytea;
comment on column events.seal is 'Digest of all but its position and when it was recorded; null where nobody sealed it.';
comment on column movements.seal is 'Digest of what is final with its outcome; null before that, and where nobody sealed it.';
comment on column idempotency_records.seal is 'Digest of the answer and what was asked; null while there is none, and where nobody sealed it.';
