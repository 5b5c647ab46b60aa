-- Claims lanes that are due, for each endpoint as many as there is room for. No other process gets them until the lease
-- ends. $1 [{merchant_id, endpoint, room, since}], $2 the lease in seconds, $3 how many seconds before `since` the
-- claim begins: by then everything that was in progress at that time is committed.
--
-- Returns the lanes, and in a last row the time.
with claimed as (
  update lanes
  set leased = true, lease_number = lanes.lease_number + 1, next_try_at = now() + interval '1 second' * $2::int
  from (
    select lane.part, lane.subject_id, lane.subscriber
    from json_to_recordset($1) as wanted (merchant_id bigint, endpoint text, room integer, since timestamptz)
    cross join lateral (
      select part, subject_id, subscriber from lanes
      where lanes.merchant_id = wanted.merchant_id and lanes.endpoint = wanted.endpoint
        and lanes.next_try_at <= now()
        and lanes.next_try_at > coalesce(wanted.since - make_interval(secs => $3::int), '-infinity')
      order by lanes.next_try_at
      limit wanted.room
      for update skip locked
    ) as lane
  ) as due
  where lanes.part = due.part and lanes.subject_id = due.subject_id and lanes.subscriber = due.subscriber
  returning lanes.part, lanes.subject_id, lanes.subscriber
)
select part, subject_id, subscriber, null from claimed
union all
select null, null, null, now()
