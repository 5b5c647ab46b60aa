-- Looks for anything that the books forbid in bulks: one row per difference. What an entry refers to is looked up in
-- the part of its id. {within …}: the condition of the range, by the id of the bulk.
with bulk as not materialized (
  select * from bulks where {within id}
),
entry as not materialized (
  select *, ((get_byte(uuid_send(payment_id), 6) & 15) << 8) + get_byte(uuid_send(payment_id), 7) as payment_part
  from bulk_entries where {within bulk_id}
)
select bulk.id, format('the bulk has %s entries of %s', found.entries, bulk.entry_count) as difference
from bulk
cross join lateral (
  select count(*) as entries from entry where entry.part = bulk.part and entry.bulk_id = bulk.id
) as found
where bulk.forgotten_at is null and found.entries <> bulk.entry_count
union all
select bulk.id, format('the bulk is done and forgotten, but it has %s entries', found.entries)
from bulk
cross join lateral (
  select count(*) as entries from entry where entry.part = bulk.part and entry.bulk_id = bulk.id
) as found
where bulk.forgotten_at is not null and found.entries > 0
union all
select entry.payment_id, format('an entry of bulk %s is pending, and nobody will do it', entry.bulk_id)
from entry
where state = 'pending' and next_try_at is null
union all
select entry.payment_id, format('an entry of bulk %s is of subscription %s, which is not there', entry.bulk_id,
  entry.subscription_id)
from entry
where not exists (
  select 1 from subscriptions
  where subscriptions.part = ((get_byte(uuid_send(entry.subscription_id), 6) & 15) << 8)
      + get_byte(uuid_send(entry.subscription_id), 7)
    and subscriptions.id = entry.subscription_id and subscriptions.merchant_id = entry.merchant_id
)
union all
select entry.payment_id, format('an entry of bulk %s says that it is charged, and names no charge', entry.bulk_id)
from entry
join bulk on bulk.part = entry.part and bulk.id = entry.bulk_id
where purpose = 'charge' and state = 'succeeded' and charge_id is null
union all
select entry.payment_id, format('an entry of bulk %s says that it was declined, but it has no payment', entry.bulk_id)
from entry
join bulk on bulk.part = entry.part and bulk.id = entry.bulk_id
where purpose = 'charge' and state = 'failed' and source = 'Issuer'
  and not exists (
    select 1 from payments where payments.part = entry.payment_part and payments.id = entry.payment_id
  )
  -- It never held money, so it may be deleted.
  and not exists (
    select 1 from housekeeping where job = 'purge' and purged_before is not null and bulk.created_at < purged_before
  )
union all
select entry.payment_id, format('an entry of bulk %s says that charge %s was made', entry.bulk_id, entry.charge_id)
from entry
where entry.charge_id is not null and not exists (
  select 1 from movements
  where movements.part = entry.payment_part
    and movements.id = entry.charge_id and movements.payment_id = entry.payment_id and kind = 'charge'
    and state = 'approved'
)
union all
select entry.payment_id, format('an entry of bulk %s says that it failed, but it is charged', entry.bulk_id)
from entry
where entry.state = 'failed' and exists (
  select 1 from movements
  where movements.part = entry.payment_part
    and movements.payment_id = entry.payment_id and kind = 'charge' and state = 'approved'
)
