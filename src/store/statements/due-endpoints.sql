-- Endpoints with pending deliveries, and how long they have been due. Steps from one endpoint to the next through the
-- index, so that one with very many lanes costs no more than another; and only so many of each merchant, so that one
-- with very many endpoints does not delay the others. $1 the merchant to begin after, $2 the maximum number of
-- merchants, $3 the maximum number of endpoints of each, $4 [{merchant_id, after}]: where to continue with those that
-- have more.
--
-- Returns merchant, endpoint, and for how many seconds its oldest delivery has been due; negative if it will be due.
with recursive merchant as (
  (select merchant_id, 1 as n from lanes where next_try_at is not null and merchant_id > $1 order by merchant_id limit 1)
  union all
  select (
    select lanes.merchant_id from lanes
    where lanes.next_try_at is not null and lanes.merchant_id > merchant.merchant_id
    order by lanes.merchant_id limit 1
  ), merchant.n + 1
  from merchant where merchant.merchant_id is not null and merchant.n < $2::int
)
select
  merchant.merchant_id,
  step.endpoint,
  (
    select extract(epoch from now() - lanes.next_try_at) from lanes
    where lanes.merchant_id = merchant.merchant_id and lanes.endpoint = step.endpoint and lanes.next_try_at is not null
    order by lanes.next_try_at limit 1
  )
from merchant
left join json_to_recordset($4) as place (merchant_id bigint, after text) on place.merchant_id = merchant.merchant_id
cross join lateral (
  with recursive step as (
    (
      select lanes.endpoint, 1 as n from lanes
      where lanes.merchant_id = merchant.merchant_id and lanes.next_try_at is not null
        and lanes.endpoint > coalesce(place.after, '')
      order by lanes.endpoint limit 1
    )
    union all
    select (
      select lanes.endpoint from lanes
      where lanes.merchant_id = merchant.merchant_id and lanes.next_try_at is not null
        and lanes.endpoint > step.endpoint
      order by lanes.endpoint limit 1
    ), step.n + 1
    from step where step.endpoint is not null and step.n < $3::int
  )
  select step.endpoint from step where step.endpoint is not null
) as step
where merchant.merchant_id is not null
order by merchant.merchant_id, step.endpoint
