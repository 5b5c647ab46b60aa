-- online
-- runs with 1
-- What 007 is walked by. On columns that never change, so that updates of movements can stay on their page.
create index concurrently if not exists movements_by_age on movements (part, created_at, id)
  where kind in ('charge', 'refund');
create index concurrently if not exists payout_actions_waiting on payout_actions (part) where payout_id is null;
