-- Claims pending movements that are due, and moves their next try on: 1 s, 2 s, 4 s, … up to a minute, with jitter, so
-- that several processes do not ask in step. Who is claimed by another process at this moment is left to it.
-- $1 how many at most.
update movements
set
  tries = movements.tries + 1,
  next_try_at = now() + interval '1 second' * least(60, power(2, least(movements.tries, 6))) * (0.75 + random() / 2)
from (
  select part, id from movements
  where state = 'pending' and next_try_at <= now()
  order by next_try_at
  limit $1::int
  for update skip locked
) as due
where movements.part = due.part and movements.id = due.id
returning movements.payment_id, movements.id
