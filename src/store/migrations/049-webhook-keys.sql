-- runs with 1
-- The answers to requests for a webhook are kept by their keys as well. The check of the version before takes such an
-- answer for one whose payment is missing.
alter table idempotency_records drop constraint idempotency_records_operation_check;
alter table idempotency_records add constraint idempotency_records_operation_check
  check (operation in ('create', 'charge', 'refund', 'cancel', 'webhook')) not valid;
comment on column idempotency_records.subject_id is 'What was made or changed: the payment, or the webhook.';
