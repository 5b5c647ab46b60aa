-- runs with 1
-- Payouts: what a merchant is paid for a day in a currency, gathered from the movements of its payments once the day is
-- over. A part is walked movement by movement, from its very first one, so what was there before is paid out as well; a
-- process of the version before changes nothing of this, and what it writes is met by the walk.
create table payouts (
  part smallint not null,
  id uuid not null,
  merchant_id bigint not null references merchants (id),
  day date not null,
  currency text not null check (currency ~ '^[A-Z]{3}$'),
  charged bigint not null check (charged >= 0),
  refunded bigint not null check (refunded >= 0),
  charge_count integer not null check (charge_count >= 0),
  action_count integer not null check (action_count >= charge_count),
  created_at timestamptz not null default now(),
  primary key (part, id),
  unique (part, merchant_id, day, currency),
  constraint payouts_id_carries_part
    check (part = ((get_byte(uuid_send(id), 6) & 15) << 8) + get_byte(uuid_send(id), 7))
);
comment on table payouts is 'What a merchant is paid for a UTC day in a currency. In the merchant''s home part. Holds no personal data.';
comment on column payouts.action_count is 'How many charges and refunds it is made of: each has a place below it.';

-- Lives in the part of its movement, which is in one payout at most.
create table payout_actions (
  part smallint not null,
  movement_id uuid not null,
  payout_id uuid,
  place integer check (place >= 0),
  vat bigint,
  primary key (part, movement_id),
  unique (part, payout_id, place),
  foreign key (part, movement_id) references movements (part, id),
  constraint payout_actions_place_in_payout check ((payout_id is null) = (place is null))
);
comment on table payout_actions is 'A charge or refund that was met by the walk: in a payout, or pending then.';
comment on column payout_actions.payout_id is 'Null while its outcome is not known: it goes into the payout of the day on which it is.';

create table payout_walks (
  part smallint primary key check (part between 0 and 4095),
  day date not null,
  walked_at timestamptz not null default '-infinity',
  walked_id uuid not null default '00000000-0000-0000-0000-000000000000',
  stepped_at timestamptz not null default '-infinity'
);
comment on table payout_walks is 'How far the movements of a part are in payouts.';
comment on column payout_walks.day is 'The UTC day that is not over, or not all walked: the payouts of those before are whole.';
comment on column payout_walks.walked_at is 'Movements up to this one, by created_at and id, have been met.';
comment on column payout_walks.stepped_at is 'Whose turn it is: the one that waits longest comes first.';
