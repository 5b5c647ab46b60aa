-- runs with 1
-- By which key a bulk was asked for, so that its charges say so. A process of the version before writes none: whose bulk it
-- was is not told then.
alter table bulks add column created_by text check (length(created_by) between 1 and 64);
comment on column bulks.created_by is 'The key that asked for it; null of what was asked for before this was kept.';
