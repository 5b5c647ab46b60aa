-- runs with 1
-- How often an admin has unlocked a person's password sign-in: failed attempts are counted anew from then on. A process of
-- the version before counts by itself, with its own limits.
alter table people add column unlocks integer not null default 0 check (unlocks >= 0);
comment on column people.unlocks is 'How often password sign-in was unlocked; part of what failed attempts are counted by.';
