-- online
-- runs with 1
-- What 010 left for later, and the list of a merchant's subscriptions.
alter table subscriptions validate constraint subscriptions_ended_by_check;
alter table subscriptions validate constraint subscriptions_ended_says_when;
create index concurrently if not exists subscriptions_of_merchant on subscriptions (merchant_id, created_at, id);
