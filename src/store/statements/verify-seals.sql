-- Looks for rows that are not as they were written: one row a difference. What has no seal is not asked (seals.ts).
-- {within …}: what is in the range, by the id of the payment or whatever else it is of.
select subject_id as id, format('event %s of version %s was changed after it was written', name, version) as difference
from events as event
where {within subject_id} and seal <> {seal events of event}
union all
select payment_id, format('%s %s was changed after its outcome was written', kind, id)
from movements as movement
where {within payment_id} and seal <> {seal movements of movement}
