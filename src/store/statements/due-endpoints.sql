-- The endpoints that have something to do now. Steps from one to the next through the index, so that an endpoint with
-- very many lanes costs no more than another.
with recursive step as (
  (select endpoint from lanes where next_try_at is not null order by endpoint limit 1)
  union all
  select (
    select lanes.endpoint from lanes
    where lanes.next_try_at is not null and lanes.endpoint > step.endpoint
    order by lanes.endpoint limit 1
  )
  from step where step.endpoint is not null
)
select endpoint from step
where endpoint is not null
  and exists (select 1 from lanes where lanes.endpoint = step.endpoint and lanes.next_try_at <= now())
