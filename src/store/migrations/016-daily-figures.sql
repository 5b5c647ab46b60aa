-- runs with 1
-- Daily figures: how much of what was asked for on a day, summed up as the movements of each part are walked over, from its
-- very first one, so what was there before is counted as well; a process of the version before changes nothing of this, and
-- what it writes is met by the walk.
create table daily_figures (
  part smallint not null,
  merchant_id bigint not null references merchants (id),
  day date not null,
  currency text not null check (currency ~ '^[A-Z]{3}$'),
  kind text not null check (kind in ('reservation', 'charge', 'refund', 'cancel')),
  state text not null check (state in ('approved', 'declined')),
  method text not null,
  reason text not null,
  count integer not null check (count > 0),
  amount bigint not null check (amount >= 0),
  primary key (part, merchant_id, day, currency, kind, state, method, reason)
) with (fillfactor = 70);
comment on table daily_figures is 'Movements by the UTC day on which they were asked for. In the merchant''s home part. Holds no personal data.';
comment on column daily_figures.method is 'Of an approved one how it was paid, such as Visa; empty otherwise.';
comment on column daily_figures.reason is 'Of a declined one why; empty otherwise.';

create table figure_walks (
  part smallint primary key check (part between 0 and 4095),
  walked_at timestamptz not null default '-infinity',
  walked_id uuid not null default '00000000-0000-0000-0000-000000000000',
  stepped_at timestamptz not null default '-infinity'
);
comment on table figure_walks is 'How far the movements of a part are in the daily figures.';
comment on column figure_walks.walked_at is 'Movements up to this one, by created_at and id, have been met.';
comment on column figure_walks.stepped_at is 'Whose turn it is: the one that waits longest comes first.';

create table figure_waits (
  part smallint not null,
  movement_id uuid not null,
  primary key (part, movement_id)
);
comment on table figure_waits is 'Movements that were pending when the walk met them: counted once their outcome is known.';
