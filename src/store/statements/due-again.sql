-- Which of these endpoints have due deliveries, each scanned from where its last scan stopped: so entries of finished
-- deliveries, which stay in the index while a session holds an old snapshot, are not read again.
--
-- $1 [{merchant_id, endpoint, since}], $2 how many seconds before `since` the scan begins.
--
-- Returns merchant and endpoint.
select wanted.merchant_id, wanted.endpoint
from json_to_recordset($1) as wanted (merchant_id bigint, endpoint text, since timestamptz)
cross join lateral (
  select 1 from lanes
  where lanes.merchant_id = wanted.merchant_id and lanes.endpoint = wanted.endpoint and lanes.next_try_at <= now()
    and lanes.next_try_at > wanted.since - make_interval(secs => $2::int)
  limit 1
) as due
