-- The endpoints that have something to do now, of the next so many after one. Steps from one to the next through the
-- index, so that an endpoint with very many lanes costs no more than another; and not through all at once, since those
-- that only wait are passed as well. $1 the endpoint to begin after, $2 how many steps at most.
-- Returns each endpoint, and whether it is due.
with recursive step as (
  (select endpoint, 1 as n from lanes where next_try_at is not null and endpoint > $1 order by endpoint limit 1)
  union all
  select (
    select lanes.endpoint from lanes
    where lanes.next_try_at is not null and lanes.endpoint > step.endpoint
    order by lanes.endpoint limit 1
  ), step.n + 1
  from step where step.endpoint is not null and step.n < $2::int
)
select
  endpoint,
  exists (select 1 from lanes where lanes.endpoint = step.endpoint and lanes.next_try_at <= now()) as is_due
from step where endpoint is not null
