-- runs with 1
-- What the last comparison of our books with an acquirer's found in all, also of payments that nobody knows here, and that
-- there was one: for whoever watches. A process of the version before leaves both as they are.
alter table acquirers add column reconciled_at timestamptz,
  add column difference_count integer check (difference_count >= 0);
comment on column acquirers.reconciled_at is 'When our books were compared last; null as long as they never were.';
comment on column acquirers.difference_count is 'What that comparison found, whichever period it was of.';
