-- online
-- runs with 1
create index concurrently if not exists request_log_by_request on request_log (part, merchant_id, request_id, id);
create index concurrently if not exists request_log_by_payment on request_log (part, merchant_id, payment_id, id)
  where payment_id is not null;
-- What failed is what people look for, and mostly little.
create index concurrently if not exists request_log_failed on request_log (part, merchant_id, id) where status >= 400;
-- By which they are forgotten.
create index concurrently if not exists request_log_by_age on request_log (logged_at);
create index concurrently if not exists request_log_omissions_by_age on request_log_omissions (logged_at);
