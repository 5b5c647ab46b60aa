-- Writes a group of changes in one statement, and so in one transaction. Each change depends on its gate: a create on
-- the insert of its idempotency record (if it has a key) and of its payment, any other change on the version that it
-- was decided on. A change whose gate returned no row writes nothing and is missing from the result. A common table
-- expression does not see what another one wrote, so everything else refers to the rows that the gates returned; with
-- `in`, which stops at the first match and reads each list once, where a join would read it again for every gate. A
-- charge of a subscription is a create that depends on the version of its subscription. A new card replaces that of a
-- subscription that has not ended meanwhile, and only then there is an event.
--
-- $1 creates, $2 alterations, $3 new movements, $4 altered movements, $5 events, $6 idempotency records of creates, $7
-- all others, $8 new subscriptions, $9 new cards of subscriptions, $10 charges of subscriptions, $11 actions for the
-- audit outbox, $12 changes that move no money.
--
-- A group that has nothing for some of these parts is written without them (commit-statement.ts).
with keyed as (
  insert into idempotency_records (
    part, merchant_id, operation, target, key, subject_id, request, status, answer, seal
  )
  select part, merchant_id, operation, target, key, subject_id, decode(request, 'hex'), status, answer,
    case when status is not null then {seal idempotency_records of record; request decode(record.request, 'hex');
      movement_id null::uuid; lasting false} end
  from json_to_recordset($6) as record (
    part smallint, merchant_id bigint, operation text, target uuid, key text, subject_id uuid, request text,
    status smallint, answer text
  )
  on conflict do nothing
  returning part, subject_id
),
renewing as (
  update subscriptions
  set version = subscriptions.version + 1
  from json_to_recordset($10) as renewal (part smallint, id uuid, version integer, payment_id uuid)
  where subscriptions.part = renewal.part and subscriptions.id = renewal.id
    and subscriptions.version = renewal.version
  returning renewal.part, renewal.payment_id
),
created as (
  insert into payments (
    part, id, merchant_id, version, amount, currency, reference, my_reference, items, checkout_url,
    checkout, consumer, method, hooks, bytes, reserved, charged, charging, cancelled, cancelling, refunded, refunding,
    created_by, seal
  )
  select
    part, id, merchant_id, version, amount, currency, reference, my_reference, items, checkout_url,
    checkout, consumer, method, hooks, bytes, reserved, charged, charging, cancelled, cancelling, refunded, refunding,
    created_by, {seal payments of payment; challenge null::json; terminated_at null::timestamptz}
  from json_to_recordset($1) as payment (
    part smallint, id uuid, merchant_id bigint, version integer, amount bigint, currency text, reference text,
    my_reference text, items json, checkout_url text, checkout json, consumer json, method json, hooks json,
    bytes integer, reserved bigint, charged bigint, charging bigint, cancelled bigint, cancelling bigint,
    refunded bigint, refunding bigint, created_by text, keyed boolean, is_renewal boolean
  )
  where (
    not payment.keyed
    or exists (select 1 from keyed where keyed.part = payment.part and keyed.subject_id = payment.id)
  ) and (
    not payment.is_renewal
    or exists (select 1 from renewing where renewing.part = payment.part and renewing.payment_id = payment.id)
  )
  on conflict do nothing
  returning part, id
),
altered as (
  update payments
  set
    version = payments.version + 1,
    amount = change.amount,
    reference = change.reference,
    my_reference = change.my_reference,
    items = coalesce(change.items, payments.items),
    checkout_url = change.checkout_url,
    checkout = coalesce(change.checkout, payments.checkout),
    consumer = coalesce(change.consumer, payments.consumer),
    method = coalesce(change.method, payments.method),
    challenge = coalesce(change.challenge, payments.challenge),
    bytes = change.bytes,
    terminated_at = change.terminated_at,
    reserved = change.reserved,
    charged = change.charged,
    charging = change.charging,
    cancelled = change.cancelled,
    cancelling = change.cancelling,
    refunded = change.refunded,
    refunding = change.refunding,
    seal = case when change.reseals
      then {seal payments of payments; amount change.amount; reference change.reference;
        my_reference change.my_reference; items coalesce(change.items, payments.items);
        checkout_url change.checkout_url; checkout coalesce(change.checkout, payments.checkout);
        consumer coalesce(change.consumer, payments.consumer); method coalesce(change.method, payments.method);
        challenge coalesce(change.challenge, payments.challenge); terminated_at change.terminated_at}
      else payments.seal
    end
  from json_to_recordset($2) as change (
    part smallint, id uuid, version integer, decided_on bigint[], amount bigint, reference text, my_reference text,
    items json, checkout_url text, checkout json, consumer json, method json, challenge json, bytes integer,
    terminated_at timestamptz, reserved bigint, charged bigint, charging bigint, cancelled bigint, cancelling bigint,
    refunded bigint, refunding bigint, reseals boolean, settles uuid[]
  )
  where payments.part = change.part and payments.id = change.id and payments.version = change.version
    -- After a failover that lost commits, another change may have created the same version again: with other sums, or
    -- without the movements.
    and change.decided_on = array[
      payments.amount, payments.reserved, payments.charged, payments.charging, payments.cancelled, payments.cancelling,
      payments.refunded, payments.refunding
    ]
    and (
      change.settles is null
      or cardinality(change.settles) = (
        select count(*) from movements where movements.part = change.part and movements.id = any (change.settles)
      )
    )
  returning payments.part, payments.id
),
gate as (
  select part, id from created
  union all
  select part, id from altered
),
moved as (
  insert into movements (
    part, id, payment_id, sequence, kind, state, amount, items, updated_at, acquirer, source, charge_id,
    refunded, refunding, invoice_number, reason, details, next_try_at, seal
  )
  select
    part, id, payment_id, sequence, kind, state, amount, items, updated_at, acquirer, source, charge_id,
    refunded, refunding, invoice_number, reason, details, now() + interval '1 millisecond' * own_try_ms,
    case when state <> 'pending' then {seal movements of movement} end
  from json_to_recordset($3) as movement (
    part smallint, id uuid, payment_id uuid, sequence integer, kind text, state text, amount bigint, items json,
    updated_at timestamptz, acquirer text, source text, charge_id uuid, refunded bigint,
    refunding bigint, invoice_number text, reason text, details json, own_try_ms bigint
  )
  where (part, payment_id) in (select part, id from gate)
),
settled as (
  update movements
  set
    state = change.state,
    updated_at = change.updated_at,
    refunded = change.refunded,
    refunding = change.refunding,
    reason = change.reason,
    details = coalesce(change.details, movements.details),
    seal = case when movements.state = 'pending' and change.state <> 'pending'
      then {seal movements of movements; state change.state; updated_at change.updated_at; reason change.reason;
        details coalesce(change.details, movements.details)}
      else movements.seal
    end
  from json_to_recordset($4) as change (
    part smallint, id uuid, payment_id uuid, state text, updated_at timestamptz, refunded bigint, refunding bigint,
    reason text, details json
  )
  where movements.part = change.part and movements.id = change.id
    and (change.part, change.payment_id) in (select part, id from gate)
),
subscribed as (
  insert into subscriptions (
    part, id, merchant_id, kind, began_on, interval_days, ends_at, allow_variable_amount, payment_id, acquirer, source,
    method, consent, secret, seal
  )
  select
    part, id, merchant_id, kind, began_on, interval_days, ends_at, allow_variable_amount, payment_id, acquirer, source,
    method, consent, secret, {seal subscriptions of made; ended_at null::timestamptz; ended_by null::text}
  from json_to_recordset($8) as made (
    part smallint, id uuid, merchant_id bigint, kind text, began_on date, interval_days integer, ends_at timestamptz,
    allow_variable_amount boolean, payment_id uuid, payment_part smallint, acquirer text, source text, method json,
    consent json, secret text
  )
  where (payment_part, payment_id) in (select part, id from gate)
),
replaced as (
  update subscriptions
  set
    version = subscriptions.version + 1,
    state = 'active',
    interval_days = coalesce(card.interval_days, subscriptions.interval_days),
    ends_at = coalesce(card.ends_at, subscriptions.ends_at),
    allow_variable_amount = coalesce(card.allow_variable_amount, subscriptions.allow_variable_amount),
    payment_id = card.payment_id,
    acquirer = card.acquirer,
    source = card.source,
    method = card.method,
    consent = card.consent,
    seal = {seal subscriptions of subscriptions; interval_days coalesce(card.interval_days, subscriptions.interval_days);
      ends_at coalesce(card.ends_at, subscriptions.ends_at);
      allow_variable_amount coalesce(card.allow_variable_amount, subscriptions.allow_variable_amount);
      payment_id card.payment_id; acquirer card.acquirer; source card.source; method card.method; consent card.consent}
  from json_to_recordset($9) as card (
    part smallint, id uuid, merchant_id bigint, interval_days integer, ends_at timestamptz,
    allow_variable_amount boolean, payment_id uuid, payment_part smallint, acquirer text, source text, method json,
    consent json
  )
  where subscriptions.part = card.part and subscriptions.id = card.id
    and subscriptions.merchant_id = card.merchant_id and subscriptions.state <> 'ended'
    and (card.payment_part, card.payment_id) in (select part, id from gate)
  returning card.payment_part, card.payment_id
),
renewed as (
  insert into renewals (part, payment_id, subscription_id, day, card_payment_id, seal)
  select part, payment_id, id, day, card_payment_id, {seal renewals of renewal; subscription_id renewal.id}
  from json_to_recordset($10) as renewal (part smallint, id uuid, payment_id uuid, day date, card_payment_id uuid)
  where (part, payment_id) in (select part, id from gate)
),
new_events as (
  insert into events (part, subject_id, version, ordinal, merchant_id, name, happened_at, movement_id, seal)
  select part, subject_id, version, ordinal, merchant_id, name, happened_at, movement_id,
    {seal events of event; data null::json}
  from json_to_recordset($5) as event (
    part smallint, subject_id uuid, version integer, ordinal smallint, merchant_id bigint, name text,
    happened_at timestamptz, movement_id uuid
  )
  where (part, subject_id) in (select part, id from gate)
    and (name <> 'subscription.card.replaced'
      or (part, subject_id) in (select payment_part, payment_id from replaced))
),
acted as (
  insert into audit_waits (
    part, subject_id, version, merchant_id, actor_kind, actor_id, actor_name, address, action, after
  )
  select part, subject_id, version, merchant_id, actor_kind, actor_id, actor_name, address, action, after
  from json_to_recordset($11) as act (
    part smallint, subject_id uuid, version integer, merchant_id bigint, actor_kind text, actor_id text,
    actor_name text, address text, action text, after json
  )
  where (part, subject_id) in (select part, id from gate)
),
changed as (
  insert into payment_changes (part, payment_id, version, kind, happened_at, key_id, person_id, before, after, seal)
  select part, payment_id, version, kind, happened_at, key_id, person_id, before, after,
    {seal payment_changes of change}
  from json_to_recordset($12) as change (
    part smallint, payment_id uuid, version integer, kind text, happened_at timestamptz, key_id text, person_id text,
    before json, after json
  )
  where (part, payment_id) in (select part, id from gate)
),
recorded as (
  insert into idempotency_records (
    part, merchant_id, operation, target, key, subject_id, request, status, answer, movement_id, lasting, seal
  )
  select
    part, merchant_id, operation, target, key, subject_id, decode(request, 'hex'), status, answer, movement_id,
    lasting, case when status is not null
      then {seal idempotency_records of record; request decode(record.request, 'hex')}
    end
  from json_to_recordset($7) as record (
    part smallint, merchant_id bigint, operation text, target uuid, key text, subject_id uuid, request text,
    status smallint, answer text, movement_id uuid, lasting boolean
  )
  where (part, subject_id) in (select part, id from gate)
  -- An open record gets its answer once.
  on conflict (part, merchant_id, operation, target, key) do update
  set status = excluded.status, answer = excluded.answer, seal = case when excluded.status is not null
    then {seal idempotency_records of idempotency_records; status excluded.status; answer excluded.answer}
  end
  where idempotency_records.status is null
)
select id from gate
