-- online
-- runs with 1
-- The payments of a period in the order of their amounts: ids that begin alike are of one span of time, of 4.7 hours with
-- six digits and of 3.1 days with five, and a period is a few of them.
create index concurrently if not exists payment_facets_by_span
  on payment_facets (merchant_id, left(payment_id::text, 6), amount, payment_id);
create index concurrently if not exists payment_facets_by_long_span
  on payment_facets (merchant_id, left(payment_id::text, 5), amount, payment_id);
