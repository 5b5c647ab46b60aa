-- online
-- runs with 1
create index concurrently if not exists audit_records_by_action on audit_records (part, merchant_id, action, number);
create index concurrently if not exists audit_records_by_actor on audit_records (part, merchant_id, actor_id, number);
