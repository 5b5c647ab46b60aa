-- Acquirers on other machines, by the name that movements carry. Null with a merchant is the simulator in the process.
create table acquirers (
  name text primary key check (name ~ '^[a-z][a-z0-9-]{0,31}$' and name <> 'simulator'),
  url text not null check (url ~ '^https?://' and length(url) <= 2048),
  key text not null check (length(key) between 8 and 256),
  created_at timestamptz not null
);
comment on table acquirers is 'Where the money is when it is not simulated here.';
comment on column acquirers.key is 'What we show to the acquirer; as it is, since it has to be sent.';

alter table merchants add column acquirer text references acquirers (name);
alter table merchants add constraint merchants_on_demand_simulated check (not reserve_on_demand or acquirer is null);
alter table merchants add constraint merchants_live_unsimulated check (not live or acquirer is null);
comment on column merchants.acquirer is 'Whose new reservations go where; a movement keeps the acquirer that it was made with.';

-- A pending movement is asked about when it is due. Whoever claims it moves that moment on, so nobody else asks meanwhile.
alter table movements add column tries integer not null default 0 check (tries >= 0);
alter table movements add column next_try_at timestamptz;
drop index movements_pending;
create index movements_due on movements (next_try_at) where state = 'pending';

-- While the outcome is not known, the record names the movement that will be the answer.
alter table idempotency add column movement_id uuid;
