-- Looks for daily figures that do not match the books, of merchants with their home in a range of parts, for a range of
-- days: one row per difference. Walked movements that are not pending are in the figures once. Payments that never held
-- money are deleted after a time, so declines are not compared.
--
-- $1 first part, $2 last part, $3 first day, $4 the day after the last.
with kept as (
  select merchant_id, day, currency, kind, method, sum(count) as count, sum(amount) as amount
  from daily_figures
  where part between $1::int and $2::int and state = 'approved' and day >= $3::date and day < $4::date
  group by merchant_id, day, currency, kind, method
),
home as materialized (
  select merchants.id as merchant_id, part, walk.walked_at, walk.walked_id
  from merchants
  cross join unnest(merchants.parts) as part
  join figure_walks as walk using (part)
  where merchants.parts[1] between $1::int and $2::int
),
booked as (
  select home.merchant_id, (movement.created_at at time zone 'UTC')::date as day, payment.currency,
    movement.kind, coalesce(payment.method ->> 'paymentMethod', '') as method, count(*) as count,
    sum(movement.amount) as amount
  from home
  -- With an offset of its own, so that nothing is read but the movements of these parts.
  cross join lateral (
    select part, id, payment_id, kind, amount, created_at from movements
    where movements.part = home.part and state = 'approved'
      and created_at >= $3::date::timestamp at time zone 'UTC'
      and created_at < $4::date::timestamp at time zone 'UTC'
      and (created_at, id) <= (home.walked_at, home.walked_id)
    offset 0
  ) as movement
  join payments as payment on payment.part = movement.part and payment.id = movement.payment_id
  where payment.merchant_id = home.merchant_id
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
