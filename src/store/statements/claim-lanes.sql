-- Claims lanes that have something to do, for each endpoint as many as there is room for. Nobody else gets them until
-- the lease is over. $1 [{endpoint, room}], $2 the lease in seconds.
update lanes
set leased = true, lease_number = lanes.lease_number + 1, next_try_at = now() + interval '1 second' * $2::int
from (
  select lane.part, lane.subject_id, lane.subscriber
  from json_to_recordset($1) as wanted (endpoint text, room integer)
  cross join lateral (
    select part, subject_id, subscriber from lanes
    where lanes.endpoint = wanted.endpoint and lanes.next_try_at <= now()
    order by lanes.next_try_at
    limit wanted.room
    for update skip locked
  ) as lane
) as due
where lanes.part = due.part and lanes.subject_id = due.subject_id and lanes.subscriber = due.subscriber
returning lanes.part, lanes.subject_id, lanes.subscriber, lanes.lease_number
