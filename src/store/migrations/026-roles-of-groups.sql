-- runs with 1
-- Roles that a directory's groups gave, as opposed to those that somebody gave by hand. Nobody knows of those that are
-- there; the next sign-in at the provider notes it. A process of the version before lets them be used by any session.
alter table memberships add column by_groups boolean not null default false;
comment on column memberships.by_groups is 'Given by the groups of the sign-in provider: of use only to who came in by it.';
