-- online
-- runs with 1
-- What 034 is read by: each kind of payment in the order of time, of amounts, and of time within a step of amounts.
create index concurrently if not exists payment_facets_by_time
  on payment_facets (merchant_id, standing, method, currency, payment_id);
create index concurrently if not exists payment_facets_by_amount
  on payment_facets (merchant_id, standing, method, currency, amount, payment_id);
create index concurrently if not exists payment_facets_by_scale
  on payment_facets (merchant_id, standing, method, currency, scale, payment_id);
create index concurrently if not exists payment_facets_pending
  on payment_facets (part, payment_id) where standing = 'pending';
