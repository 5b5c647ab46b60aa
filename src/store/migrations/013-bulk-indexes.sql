-- online
-- runs with 1
-- In the order in which entries are claimed, so that a few are found without reading the thousands beside them. It begins
-- like the one that it replaces, and serves whoever used that.
create index concurrently if not exists bulk_entries_in_turn on bulk_entries (merchant_id, next_try_at, bulk_id, place)
  where state = 'pending';
drop index concurrently if exists bulk_entries_due;
create index concurrently if not exists bulks_to_forget on bulks (created_at) where forgotten_at is null;
