-- online
-- runs with 1
-- What a first name alone is searched by, in the order of time behind it. Written when the index of full names is: by a
-- create that names the consumer, by whoever pays and typed something, and by erasing.
create index concurrently if not exists payments_by_first_name on payments (
    merchant_id,
    lower(coalesce(consumer -> 'company' ->> 'firstName', consumer -> 'person' ->> 'firstName')) collate "C", id)
  where coalesce(consumer -> 'company' ->> 'firstName', consumer -> 'person' ->> 'firstName') is not null;
