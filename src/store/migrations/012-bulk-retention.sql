-- runs with 1
-- The entries of a bulk are forgotten after a time; its name stays. A process of the version before shows such a bulk as
-- done, with no entries.
alter table bulks add column forgotten_at timestamptz;
comment on column bulks.forgotten_at is 'When its entries were forgotten; its name is the merchant''s for good.';
