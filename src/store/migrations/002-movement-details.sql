-- runs with 1
-- What else is known of a movement, beside the money: what the shop said of it, and why it came to nothing. Null where
-- there is nothing, so also where a process of the version before has written the row; it settles a final charge without
-- cancelling the rest.
alter table movements add column details json;
comment on column movements.details is 'The shop''s own reference, the parcel, that a charge is the last one. Holds no personal data.';
