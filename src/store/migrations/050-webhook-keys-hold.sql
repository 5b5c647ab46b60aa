-- online
-- runs with 1
-- What 049 left for later.
alter table idempotency_records validate constraint idempotency_records_operation_check;
