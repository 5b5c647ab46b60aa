-- runs with 1
-- Seals, as 051 has them, of what a consumer and a shop agreed on and of what was paid out. Rows that are there have none
-- and are not checked, until they are changed. A process of the version before writes none; a payment or a subscription
-- that it changes has a later version than was sealed.
alter table payments add column seal bytea, add column sealed_version integer;
alter table subscriptions add column seal bytea, add column sealed_version integer;
alter table payment_changes add column seal bytea;
alter table renewals add column seal bytea;
alter table invoice_numbers add column seal bytea;
alter table payouts add column seal bytea;
alter table payout_actions add column seal bytea;
alter table bulks add column seal bytea;
alter table bulk_entries add column seal bytea;
comment on column payments.seal is 'Digest of the order, the consumer and how it is paid; null where nobody sealed it.';
comment on column payments.sealed_version is 'Up to this version the seal was kept. Behind the version of the payment it is not checked.';
comment on column subscriptions.seal is 'Digest of the card, its terms, the consent and the end; null where nobody sealed it.';
comment on column subscriptions.sealed_version is 'Up to this version the seal was kept. Behind the version of the subscription it is not checked.';
comment on column payouts.seal is 'Digest of whose it is, its day and its currency; null where nobody sealed it.';
