-- What is due is claimed acquirer by acquirer, so that a long row of one is not read to find those of another.
drop index movements_due;
create index movements_due on movements (acquirer, next_try_at) where state = 'pending';
