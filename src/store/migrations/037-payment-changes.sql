-- runs with 1
-- Changes of a payment that move no money, and by which key a payment was created. A process of the version before writes
-- neither: what it changes is not told of.
create table payment_changes (
  part smallint not null,
  payment_id uuid not null,
  version integer not null check (version > 1),
  kind text not null check (kind in ('cart', 'reference', 'termination')),
  happened_at timestamptz not null,
  key_id text check (length(key_id) between 1 and 64),
  person_id text check (length(person_id) between 1 and 64),
  before json not null,
  after json not null,
  primary key (part, payment_id, version),
  foreign key (part, payment_id) references payments (part, id)
);
comment on table payment_changes is 'Changes of cart and references, and terminations: who, when, and what it was before and after. Holds no personal data.';
comment on column payment_changes.version is 'The one that the change has made.';
comment on column payment_changes.key_id is 'The key that asked for it; without a key and a person it was the consumer.';

alter table payments add column created_by text check (length(created_by) between 1 and 64);
comment on column payments.created_by is 'The key that created it; null of what was created otherwise, or before this was kept.';
