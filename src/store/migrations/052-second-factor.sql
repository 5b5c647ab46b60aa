-- runs with 1
-- Whether people of a merchant need a second factor, and whether a session that began with a link has shown one since. A
-- process of the version before asks for none.
alter table merchants add column second_factor boolean;
comment on column merchants.second_factor is 'Whether its people need a second factor; null: those of live merchants do.';
alter table sessions add column is_strong boolean not null default false;
comment on column sessions.is_strong is 'Whether a passkey or a code was shown or registered in it; one that began with either is strong anyway.';
