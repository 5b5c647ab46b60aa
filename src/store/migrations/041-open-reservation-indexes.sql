-- online
-- runs with 1
create index concurrently if not exists payment_facets_open
  on payment_facets (merchant_id, reservation_id, payment_id) where reservation_id is not null;
