-- runs with 1
-- When a subscription was ended, and by whom. A process of the version before ends none, and refuses to charge one that
-- was.
alter table subscriptions add column ended_at timestamptz, add column ended_by text;
alter table subscriptions add constraint subscriptions_ended_by_check
  check (ended_by in ('consumer', 'merchant')) not valid;
alter table subscriptions add constraint subscriptions_ended_says_when
  check ((state = 'ended') = (ended_at is not null) and (ended_at is null) = (ended_by is null)) not valid;
comment on column subscriptions.ended_at is 'When it was ended, before its time was over: nothing is charged from then on.';
comment on column subscriptions.ended_by is 'Who ended it: the consumer on their page, or the merchant.';
