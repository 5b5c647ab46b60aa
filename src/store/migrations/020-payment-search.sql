-- online
-- runs with 1
-- What people search payments by in the console. Each is in the order of time behind its key, so that a page of any search
-- is read as it is shown. A payment without the field writes nothing. consumer and method are written when a payment is
-- made and when it is paid: those changes write to these indexes, all later ones stay on their page as before. amount and
-- my_reference seldom change. Erasing a consumer changes the row, and with it what the indexes lead to.
create index concurrently if not exists payments_by_my_reference on payments (merchant_id, my_reference, id)
  where my_reference is not null;
create index concurrently if not exists payments_by_amount on payments (merchant_id, amount, id);
create index concurrently if not exists payments_by_email on payments (merchant_id, lower(consumer ->> 'email'), id)
  where consumer ->> 'email' is not null;
create index concurrently if not exists payments_by_phone
  on payments (merchant_id, right(regexp_replace(consumer -> 'phone' ->> 'number', '\D', '', 'g'), 7), id)
  where consumer -> 'phone' ->> 'number' is not null;
create index concurrently if not exists payments_by_name on payments (
    merchant_id, lower(coalesce(consumer -> 'company' ->> 'name', consumer -> 'person' ->> 'lastName')) collate "C", id)
  where coalesce(consumer -> 'company' ->> 'name', consumer -> 'person' ->> 'lastName') is not null;
create index concurrently if not exists payments_by_last_four
  on payments (merchant_id, right(method ->> 'maskedPan', 4), id)
  where method ->> 'maskedPan' is not null;
