-- online
-- runs with 1
-- What a first and a last name are searched by together, in the order of time behind them. Written when the index of names
-- is: by a create that names the consumer, by whoever pays and typed something, and by erasing.
create index concurrently if not exists payments_by_full_name on payments (
    merchant_id, lower(coalesce(consumer -> 'company' ->> 'name', consumer -> 'person' ->> 'lastName')) collate "C",
    lower(coalesce(consumer -> 'company' ->> 'firstName', consumer -> 'person' ->> 'firstName')) collate "C", id)
  where coalesce(consumer -> 'company' ->> 'name', consumer -> 'person' ->> 'lastName') is not null
    and coalesce(consumer -> 'company' ->> 'firstName', consumer -> 'person' ->> 'firstName') is not null;
