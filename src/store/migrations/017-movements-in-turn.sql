-- online
-- runs with 1
-- What 016 is walked by: all movements of a part in the order in which they were written. It begins like the one that it
-- replaces, and serves whoever used that. On columns that never change, so updates of movements can stay on their page.
create index concurrently if not exists movements_in_turn on movements (part, created_at, id);
drop index concurrently if exists movements_by_age;
