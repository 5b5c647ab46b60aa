-- runs with 1
-- The reservation of which something is left to be charged, so that those which end soon are counted in an index.
alter table payment_facets add column reservation_id uuid;
comment on column payment_facets.reservation_id is 'Of which something is left that was neither charged nor cancelled; null when nothing is.';

-- Payments that were met before are met once more.
update housekeeping set walked_to = '-infinity' where job = 'facets';
