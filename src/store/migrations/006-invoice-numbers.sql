-- runs with 1
-- Invoices that can be paid and booked: who sells, and the number of each invoice and credit note in its merchant's series.
-- A number is given when the event that tells of its charge or refund is published: the merchant's counter is locked then
-- anyway. Payments that a version before has reserved carry no mark in their method (`invoice.numbered`) and keep the long
-- number as their only one. Where a process of that version publishes the event of a marked one, its number is given when
-- it is read first.
alter table merchants add column seller json
  check (json_typeof(seller) = 'object' and octet_length(seller::text) <= 4096);
comment on column merchants.seller is 'What its invoices say of it: address, VAT number, bank account. Null where nothing was given.';

alter table event_counters add column invoices bigint not null default 0 check (invoices >= 0);
comment on column event_counters.invoices is 'The last number given to an invoice or credit note of the merchant.';

create table invoice_numbers (
  part smallint not null,
  movement_id uuid not null,
  payment_id uuid not null,
  merchant_id bigint not null,
  number bigint not null check (number > 0),
  seller json not null check (json_typeof(seller) = 'object'),
  created_at timestamptz not null default now(),
  primary key (part, movement_id),
  unique (part, payment_id, movement_id),
  unique (part, merchant_id, number),
  foreign key (part, movement_id) references movements (part, id)
);
comment on table invoice_numbers is 'The invoice of a charge, the credit note of a refund: its number, from 1 and without gaps for its merchant. Kept as long as the movement.';
comment on column invoice_numbers.seller is 'What was known of the seller when it was issued: a later change does not alter it.';
