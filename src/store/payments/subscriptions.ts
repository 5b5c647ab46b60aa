// Subscriptions as they are read: the row, and what follows from their charges. The time of the last charge and whether
// the card is permanently declined are derived from the movements, so nothing can contradict them.
import { partOf } from '../../domain/id.ts';
import type { SubscriptionKind } from '../../domain/agreement.ts';
import type { Consent, EndedBy, Subscription } from '../../domain/subscription.ts';
import { HARD_DECLINES } from '../../domain/subscription-charge.ts';
import type { NewIdempotencyRecord } from './commit-request.ts';
import { plainId } from '../statements/payment-row.ts';
import type { Pool } from '../connections/pool.ts';
import { sealOf } from '../statements/seals.ts';
import type { Write } from './write.ts';

type Row = {
  id: string;
  merchant_id: string;
  kind: SubscriptionKind;
  version: number;
  began_on: string;
  interval_days: number | null;
  ends_at: Date | null;
  allow_variable_amount: boolean | null;
  state: Subscription['state'];
  payment_id: string;
  acquirer: string;
  source: string;
  method: Subscription['method'];
  consent: Consent;
  secret: string;
  ended_at: Date | null;
  ended_by: EndedBy | null;
  charged_on: string | null;
  is_refused: boolean;
};

/** Whether a movement shows that the card must never be used again. */
export const IS_HARD_DECLINE = `movements.details ->> 'issuerCode' in (${HARD_DECLINES.map((code) => `'${code}'`).join()})`;

// Nothing is charged after a hard decline, and earlier or concurrent charges are among the latest: so reading the
// latest is enough. For all cards, since no index orders those of the last one. The limits make Postgres look up their
// movements one by one; a join would read all movements.
const LATEST = `select part, payment_id, day, card_payment_id from renewals
        where renewals.part = subscription.part and renewals.subscription_id = subscription.id
        order by day desc, payment_id desc limit 500`;

// $1 merchant, or null for holders of the secret; $2 parts and $3 ids, in pairs.
const FIND = {
  name: 'find_subscriptions',
  text: `select subscription.id, merchant_id, kind, version, began_on::text as began_on, interval_days, ends_at,
      allow_variable_amount, state, payment_id, acquirer, source, method, consent, secret, ended_at, ended_by,
      (
        select day::text from (${LATEST}) as latest
        cross join lateral (
          select 1 from movements
          where movements.part = latest.part and movements.payment_id = latest.payment_id
            and (state = 'pending' or (kind = 'charge' and state = 'approved'))
          limit 1
        ) as counted
        order by day desc, latest.payment_id desc limit 1
      ) as charged_on,
      exists (
        select 1 from (${LATEST}) as latest
        cross join lateral (
          select 1 from movements
          where movements.part = latest.part and movements.payment_id = latest.payment_id and ${IS_HARD_DECLINE}
          limit 1
        ) as declined
        where latest.card_payment_id = subscription.payment_id
      ) as is_refused
    from unnest($2::smallint[], $3::uuid[]) as asked (part, id)
    join subscriptions as subscription on subscription.part = asked.part and subscription.id = asked.id
    where subscription.merchant_id = coalesce($1::bigint, subscription.merchant_id)`,
};

function readSubscription(row: Row): Subscription {
  return {
    id: plainId(row.id),
    merchantId: Number(row.merchant_id),
    kind: row.kind,
    version: row.version,
    beganOn: row.began_on,
    ...(row.interval_days !== null && { intervalDays: row.interval_days }),
    ...(row.ends_at !== null && { endsAt: row.ends_at.getTime() }),
    ...(row.allow_variable_amount !== null && { allowVariableAmount: row.allow_variable_amount }),
    state: row.state === 'active' && row.is_refused ? 'needs_card' : row.state,
    paymentId: plainId(row.payment_id),
    acquirer: row.acquirer,
    source: row.source,
    method: row.method,
    consent: row.consent,
    secret: row.secret,
    ...(row.ended_at && { ended: { at: row.ended_at.getTime(), by: row.ended_by ?? 'consumer' } }),
    ...(row.charged_on !== null && { chargedOn: row.charged_on }),
  };
}

/** The merchant's subscriptions with these ids, of one kind, by id; unknown ids and those of others are missing. */
export async function findSubscriptions(
  pool: Pool,
  merchantId: number,
  kind: SubscriptionKind,
  ids: readonly string[],
): Promise<Map<string, Subscription>> {
  const rows = await pool.query<Row>(FIND.text, [merchantId, ids.map(partOf), ids]);
  const found = rows.map(readSubscription).filter((subscription) => subscription.kind === kind);
  return new Map(found.map((subscription) => [subscription.id, subscription]));
}

export async function findSubscription(
  pool: Pool,
  merchantId: number,
  kind: SubscriptionKind,
  id: string,
): Promise<Subscription | undefined> {
  return (await findSubscriptions(pool, merchantId, kind, [id])).get(id);
}

/** The secret of its consumer's page, to be compared before anything else is read. */
export async function findSubscriptionSecret(pool: Pool, id: string): Promise<string | undefined> {
  const rows = await pool.query<{ secret: string }>('select secret from subscriptions where part = $1 and id = $2', [
    partOf(id),
    id,
  ]);
  return rows[0]?.secret;
}

/** Of any merchant and either kind: for callers with more than its id. */
export async function findAnySubscription(pool: Pool, id: string): Promise<Subscription | undefined> {
  const [row] = await pool.query<Row>(FIND.text, [null, [partOf(id)], [id]]);
  return row && readSubscription(row);
}

/** A merchant's subscriptions of both kinds, the newest first. */
export async function listSubscriptions(pool: Pool, merchantId: number, limit: number): Promise<Subscription[]> {
  const ids = await pool.query<{ id: string }>(
    'select id from subscriptions where merchant_id = $1 order by created_at desc, id desc limit $2',
    [merchantId, limit],
  );
  const wanted = ids.map(({ id }) => plainId(id));
  const rows = await pool.query<Row>(FIND.text, [merchantId, wanted.map(partOf), wanted]);
  const found = new Map(rows.map(readSubscription).map((subscription) => [subscription.id, subscription]));
  return wanted.flatMap((id) => found.get(id) ?? []);
}

const RECORD_REFUSAL = {
  name: 'record_refusal',
  text: `with gate as (
       update subscriptions set version = version + 1 where part = $1 and id = $2 and version = $3 returning 1
     )
     insert into idempotency_records
       (part, merchant_id, operation, target, key, subject_id, request, status, answer, seal)
     select record.*, ${sealOf('idempotency_records', 'record', {
       movement_id: 'null::uuid',
       lasting: 'false',
     })}
     from (
       select $1::smallint as part, $4::bigint as merchant_id, $5::text as operation, $6::uuid as target, $7::text as key,
         $2::uuid as subject_id, decode($8, 'hex') as request, $9::smallint as status, $10::text as answer
       from gate
     ) as record
     on conflict do nothing
     returning 1`,
};

/** Records a refusal that created no payment; false if the subscription has changed since. */
export async function recordRefusal(
  write: Write,
  { merchantId, id, version }: Subscription,
  { operation, target, key, request, recorded }: NewIdempotencyRecord,
): Promise<boolean> {
  const rows = await write({
    merchantId,
    statement: RECORD_REFUSAL,
    values: [
      partOf(id),
      id,
      version,
      merchantId,
      operation,
      target,
      key,
      request,
      recorded?.status ?? null,
      recorded?.text ?? null,
    ],
  });
  return rows.length > 0;
}
