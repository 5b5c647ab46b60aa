-- runs with 1
-- What the console filters payments by, one narrow row a payment, apart from payments so that no commit writes to it: a
-- walk keeps it up, from the very first payment on, and meets what a process of the version before writes as well. What is
-- too new for the walk is found by whoever reads.
create table payment_facets (
  part smallint not null,
  payment_id uuid not null,
  merchant_id bigint not null,
  version integer not null check (version > 0),
  standing text not null check (standing in (
    'unpaid', 'pending', 'reserved', 'partly charged', 'charged', 'partly refunded', 'refunded', 'cancelled', 'terminated',
    'card saved')),
  method text not null,
  currency text not null check (currency ~ '^[A-Z]{3}$'),
  amount bigint not null check (amount >= 0),
  scale smallint not null check (scale >= 0),
  primary key (part, payment_id),
  foreign key (part, payment_id) references payments (part, id) on delete cascade
);
comment on table payment_facets is 'What payments are filtered by in the console. Holds no personal data.';
comment on column payment_facets.version is 'Of the payment, when these were read: they are replaced by those of a later one only.';
comment on column payment_facets.standing is 'What does not hang on the hour: unpaid is created or expired, reserved may have expired.';
comment on column payment_facets.method is 'Such as CARD/Visa; empty when nobody has tried to pay.';
comment on column payment_facets.scale is 'In which tenth of which decade the amount is, so that a range of amounts is a few of them.';

create table facet_walks (
  part smallint primary key check (part between 0 and 4095),
  walked_at timestamptz not null,
  walked_id uuid not null default '00000000-0000-0000-0000-000000000000',
  stepped_at timestamptz not null default '-infinity'
);
comment on table facet_walks is 'How far the payments of a part''s movements are in the facets.';
comment on column facet_walks.walked_at is 'Movements up to this one, by created_at and id, have been met; payments are walked apart from that.';
comment on column facet_walks.stepped_at is 'Whose turn it is: the one that waits longest comes first.';

create table facet_touches (
  part smallint not null,
  payment_id uuid not null,
  version integer not null,
  primary key (part, payment_id, version)
);
comment on table facet_touches is 'Payments that were changed without a movement: another cart, or terminated. Until the walk has met them.';

-- Payments are walked by their creation: those that are new, and, now and then, all of them once more.
insert into housekeeping (job, walked_to) values ('facets', '-infinity'), ('facets again', 'infinity');
