-- runs with 1
-- The clock of a test merchant, which can be moved ahead of the real one. A process of the version before knows of none:
-- it goes by the real time until it is stopped.
alter table merchants add column clock_ahead_ms bigint not null default 0
  constraint merchants_clock_of_test check (clock_ahead_ms between 0 and 63072000000 and (clock_ahead_ms = 0 or not live));
comment on column merchants.clock_ahead_ms is 'How far the clock of its payments is ahead, in milliseconds: never back, two years at most.';

create table clock_moves (
  merchant_id bigint not null references merchants (id),
  ahead_ms bigint not null check (ahead_ms > 0),
  key text check (length(key) between 1 and 64),
  request bytea check (octet_length(request) = 32),
  answer text,
  next_pull_at timestamptz,
  created_at timestamptz not null default now(),
  primary key (merchant_id, ahead_ms),
  unique (merchant_id, key),
  constraint clock_moves_keyed check ((key is null) = (request is null) and (key is null) = (answer is null))
);
comment on table clock_moves is 'A move of a test clock: until what waits for a time is made due, and as long as its Idempotency-Key is known.';
comment on column clock_moves.ahead_ms is 'How far ahead the clock was afterwards; every move is further than the one before.';
comment on column clock_moves.next_pull_at is 'When somebody else may take up making due what waits; null when that is done.';
