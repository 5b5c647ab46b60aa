-- Looks for daily figures that are not what the books say, of merchants with their home in a range of parts and of a
-- range of days: one row a difference. What was walked over and is not waited for is in the figures once. What never held
-- money is forgotten after a time, so declines are not compared.
-- $1 first part, $2 last part, $3 first day, $4 the day after the last.
with kept as (
  select merchant_id, day, currency, kind, method, sum(count) as count, sum(amount) as amount
  from daily_figures
  where part between $1::int and $2::int and state = 'approved' and day >= $3::date and day < $4::date
  group by merchant_id, day, currency, kind, method
),
booked as (
  select merchants.id as merchant_id, (movement.created_at at time zone 'UTC')::date as day, payment.currency,
    movement.kind, coalesce(payment.method ->> 'paymentMethod', '') as method, count(*) as count,
    sum(movement.amount) as amount
  from merchants
  cross join unnest(merchants.parts) as home (part)
  join figure_walks as walk on walk.part = home.part
  join movements as movement on movement.part = home.part
  join payments as payment on payment.part = movement.part and payment.id = movement.payment_id
  where merchants.parts[1] between $1::int and $2::int and payment.merchant_id = merchants.id
    and movement.state = 'approved'
    and movement.created_at >= $3::date::timestamp at time zone 'UTC'
    and movement.created_at < $4::date::timestamp at time zone 'UTC'
    and (movement.created_at, movement.id) <= (walk.walked_at, walk.walked_id)
    and not exists (
      select 1 from figure_waits where figure_waits.part = movement.part and figure_waits.movement_id = movement.id)
  group by 1, 2, 3, 4, 5
)
select null::uuid as id, format(
  'figures of merchant %s on %s: approved %s in %s by "%s" sum up to %s in %s, but the books say %s in %s',
  merchant_id, day, kind, currency, method, coalesce(kept.amount, 0), coalesce(kept.count, 0),
  coalesce(booked.amount, 0), coalesce(booked.count, 0)) as difference
from kept full join booked using (merchant_id, day, currency, kind, method)
where kept.amount is distinct from booked.amount or kept.count is distinct from booked.count
