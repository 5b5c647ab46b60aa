-- runs with 1
-- How a merchant's checkout looks. The bytes of a logo stand apart, since every process keeps merchants in memory; the
-- merchant has their digest. Null is the look that everybody has: so it is for a process of the version before.
alter table merchants
  add column colour text check (colour ~ '^#[0-9a-f]{6}$'),
  add column logo text check (logo ~ '^[0-9a-f]{64}$');
comment on column merchants.colour is 'Of the button and of what is chosen in its checkout.';
comment on column merchants.logo is 'SHA-256 of the bytes in merchant_logos.';

create table merchant_logos (
  merchant_id bigint primary key references merchants (id),
  type text not null check (type in ('image/png', 'image/jpeg')),
  bytes bytea not null check (octet_length(bytes) between 1 and 65536)
);
comment on table merchant_logos is 'One for a merchant that has one. Small; on a sharded Postgres, a reference table.';
