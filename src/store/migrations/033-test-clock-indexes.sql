-- online
-- runs with 1
create index concurrently if not exists clock_moves_to_pull on clock_moves (next_pull_at) where next_pull_at is not null;
create index concurrently if not exists clock_moves_by_age on clock_moves (created_at);
