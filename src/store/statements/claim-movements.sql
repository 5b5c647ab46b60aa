-- Claims pending movements that are due, and postpones their next try: 1 s, 2 s, 4 s, … up to a minute, with jitter, so
-- that several processes do not ask in step. Movements that another process is claiming are skipped. Each acquirer has
-- slots of its own: however many wait at one, those of the others are claimed.
--
-- $1 the maximum by acquirer, $2 the maximum of any other acquirer.
--
-- Returns the movements, and in a last row in how many milliseconds the first pending one is due, before the claim;
-- null if there is none.
with claimed as (
  update movements
  set
    tries = movements.tries + 1,
    next_try_at = now() + interval '1 second' * least(60, power(2, least(movements.tries, 6))) * (0.75 + random() / 2)
  from (
    select due.part, due.id
    from acquirers
    cross join lateral (
      select part, id from movements
      where state = 'pending' and acquirer = acquirers.name and next_try_at <= now()
      order by next_try_at
      limit coalesce(($1::json ->> acquirers.name)::int, $2::int)
      for update skip locked
    ) as due
  ) as due
  where movements.part = due.part and movements.id = due.id
  returning movements.payment_id, movements.id, movements.acquirer
)
select payment_id, id, acquirer, null from claimed
union all
select
  null, null, null,
  (
    select extract(epoch from min(first.next_try_at) - now()) * 1000
    from acquirers
    cross join lateral (
      select next_try_at from movements
      where state = 'pending' and acquirer = acquirers.name
      order by next_try_at
      limit 1
    ) as first
  )
