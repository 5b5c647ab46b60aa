-- runs with 1
-- What the last `kassa reconcile` with an acquirer found of a merchant, for whoever looks after its payments.
create table reconcile_outcomes (
  part smallint not null,
  merchant_id bigint not null references merchants (id),
  acquirer text not null,
  difference_count integer not null check (difference_count > 0),
  payment_ids uuid[] not null check (cardinality(payment_ids) between 1 and 20),
  reconciled_at timestamptz not null default now(),
  primary key (part, merchant_id, acquirer)
);
comment on table reconcile_outcomes is 'Differences that the last comparison with an acquirer found; in the home part.';
comment on column reconcile_outcomes.payment_ids is 'The first of the payments that they are of.';
