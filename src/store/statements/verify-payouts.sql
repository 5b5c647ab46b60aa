-- Looks for errors in payouts: one row per difference. A payout is the sum of its actions; each is an approved charge
-- or refund of its merchant; and none of the walked ones is missing.
--
-- {within …}: the condition of the range, by the id of the payment, or of the payout.
with movement as not materialized (
  select * from movements where {within payment_id}
),
payout as not materialized (
  select * from payouts where {within id}
)
select payout.id, format('payout of %s: charged %s and refunded %s in %s, but its actions sum up to %s and %s in %s',
  payout.day, payout.charged, payout.refunded, payout.action_count, summed.charged, summed.refunded, summed.count
) as difference
from payout
join merchants on merchants.id = payout.merchant_id
cross join lateral (
  select coalesce(sum(movements.amount) filter (where kind = 'charge'), 0) as charged,
    coalesce(sum(movements.amount) filter (where kind = 'refund'), 0) as refunded, count(*) as count,
    count(*) filter (where kind = 'charge') as charges
  from payout_actions
  join movements on movements.part = payout_actions.part and movements.id = payout_actions.movement_id
  where payout_actions.part = any (merchants.parts) and payout_actions.payout_id = payout.id
) as summed
where payout.charged <> summed.charged or payout.refunded <> summed.refunded or payout.action_count <> summed.count
  or payout.charge_count <> summed.charges
union all
select movement.payment_id, format('%s %s is %s, but it is in a payout', movement.kind, movement.id, movement.state)
from movement
join payout_actions as action on action.part = movement.part and action.movement_id = movement.id
where action.payout_id is not null and (movement.state <> 'approved' or movement.kind not in ('charge', 'refund'))
union all
select movement.payment_id, format('%s %s is in a payout of another merchant or currency', movement.kind, movement.id)
from movement
join payout_actions as action on action.part = movement.part and action.movement_id = movement.id
-- By key: the planner expects one row of a range, and would read all of it for each movement.
join payments as payment on payment.part = movement.part and payment.id = movement.payment_id
join merchants on merchants.id = payment.merchant_id
where action.payout_id is not null and not exists (
  select 1 from payouts
  where payouts.part = merchants.parts[1] and payouts.id = action.payout_id
    and payouts.merchant_id = payment.merchant_id and payouts.currency = payment.currency
)
union all
select movement.payment_id, format('%s %s is in no payout, though later ones are', movement.kind, movement.id)
from movement
join payout_walks on payout_walks.part = movement.part
where movement.kind in ('charge', 'refund') and movement.state = 'approved'
  and (movement.created_at, movement.id) <= (payout_walks.walked_at, payout_walks.walked_id)
  and not exists (
    select 1 from payout_actions as action where action.part = movement.part and action.movement_id = movement.id
  )
