-- online
-- runs with 1
-- What 004 left for later: the check of the wider constraints, and indexes.
alter table payments validate constraint payments_amount_check;
alter table movements validate constraint movements_amount_check;
create index concurrently if not exists idempotency_records_passing on idempotency_records (created_at) where not lasting;
-- What is due is claimed merchant by merchant, so that a long bulk of one is not read to find those of another.
create index concurrently if not exists bulk_entries_due on bulk_entries (merchant_id, next_try_at) where state = 'pending';
create index concurrently if not exists renewals_of_subscription on renewals (part, subscription_id, card_payment_id);
