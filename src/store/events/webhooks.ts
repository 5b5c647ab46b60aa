// Webhooks: the endpoints to which a merchant's events are sent, for all its payments. Secrets are stored in plain
// text, since they have to sign; they are shown once.
import { randomBytes } from 'node:crypto';
import type { EventName } from '../../domain/decision.ts';
import { partOf } from '../../domain/id.ts';
import type { Merchant } from '../../domain/merchant.ts';
import { notifyOfWork } from '../connections/invalidate.ts';
import { plainId } from '../statements/payment-row.ts';
import type { Pool } from '../connections/pool.ts';
import { publishOf } from './publish.ts';

export type Webhook = {
  readonly id: string;
  readonly merchantId: number;
  readonly url: string;
  /** Undefined: all. */
  readonly events: readonly EventName[] | undefined;
  readonly secret: string;
  /** Until when the previous secret also signs; undefined if that has ended. */
  readonly oldSecretUntil?: number;
  readonly disabled?: { readonly reason: 'asked' | 'gone' | 'failing'; readonly at: number };
  readonly failingSince?: number;
  readonly createdAt: number;
};

/** Its id is in the merchant's home part. */
export type NewWebhook = Pick<Webhook, 'id' | 'url' | 'events' | 'secret'>;
export type WebhookChange = {
  readonly url?: string;
  /** Null: all. */
  readonly events?: readonly EventName[] | null;
  readonly enabled?: boolean;
};

/** More would be a bug in a loop, not a need. */
export const MOST_WEBHOOKS = 20;
/** How long the previous secret also signs by default. */
export const OLD_SECRET_SECONDS = 86_400;
const SECRET_BYTES = 32;

export const newWebhookSecret = (): string => `whsec_${randomBytes(SECRET_BYTES).toString('base64')}`;

type Row = {
  id: string;
  merchant_id: number;
  url: string;
  events: EventName[] | null;
  secret: string;
  old_secret_until: Date | null;
  failing_since: Date | null;
  disabled_at: Date | null;
  disabled_reason: 'asked' | 'gone' | 'failing' | null;
  created_at: Date;
};

const readWebhook = (row: Row): Webhook => ({
  id: plainId(row.id),
  merchantId: row.merchant_id,
  url: row.url,
  events: row.events ?? undefined,
  secret: row.secret,
  ...(row.old_secret_until && { oldSecretUntil: row.old_secret_until.getTime() }),
  ...(row.disabled_at &&
    row.disabled_reason && { disabled: { reason: row.disabled_reason, at: row.disabled_at.getTime() } }),
  ...(row.failing_since && { failingSince: row.failing_since.getTime() }),
  createdAt: row.created_at.getTime(),
});

// A previous secret is hidden once it no longer signs, by the database's clock.
const COLUMNS = `id, merchant_id, url, events, secret, failing_since, disabled_at, disabled_reason, created_at,
  case when old_secret_until > now() then old_secret_until end as old_secret_until`;

/**
 * Creates a webhook that receives all events after it; earlier ones are published first. Undefined if the merchant has
 * reached the limit.
 */
export async function createWebhook(
  pool: Pool,
  merchant: Pick<Merchant, 'id' | 'parts'>,
  wanted: NewWebhook,
): Promise<Webhook | undefined> {
  await publishOf(pool, merchant);
  return insertWebhook(pool, merchant, wanted);
}

/** Creates one once earlier events are published. */
export async function insertWebhook(
  pool: Pool,
  merchant: Pick<Merchant, 'id' | 'parts'>,
  { id, url, events, secret }: NewWebhook,
): Promise<Webhook | undefined> {
  const home = merchant.parts[0];
  if (partOf(id) !== home) throw new Error(`webhook ${id} is not in its merchant's home part`);
  // If a concurrent request takes the slot, tries the next.
  for (let tries = 0; tries <= MOST_WEBHOOKS; tries += 1) {
    const [row] = await pool.query<Row>(
      `insert into webhooks (part, id, merchant_id, slot, url, events, after_position, secret)
       select $1, $2, $3, slot, $4, $5, last, $6
       from event_counters, (
         select slot from generate_series(1, ${MOST_WEBHOOKS}) as slot
         where slot not in (select slot from webhooks where part = $1 and merchant_id = $3)
         order by slot limit 1
       ) as free
       where part = $1 and merchant_id = $3
       on conflict (part, merchant_id, slot) do nothing
       returning ${COLUMNS}`,
      [home, id, merchant.id, url, events ?? null, secret],
    );
    if (row !== undefined) return readWebhook(row);
    if ((await listWebhooks(pool, merchant.id)).length >= MOST_WEBHOOKS) return undefined;
  }
  return undefined;
}

export async function listWebhooks(pool: Pool, merchantId: number): Promise<Webhook[]> {
  const rows = await pool.query<Row>(`select ${COLUMNS} from webhooks where merchant_id = $1 order by created_at, id`, [
    merchantId,
  ]);
  return rows.map(readWebhook);
}

/** The webhook with that id; if a merchant is given, only theirs. */
export async function findWebhook(pool: Pool, id: string, merchantId?: number): Promise<Webhook | undefined> {
  const rows = await pool.query<Row>(
    `select ${COLUMNS} from webhooks where part = $1 and id = $2 and merchant_id = coalesce($3, merchant_id)`,
    [partOf(id), id, merchantId ?? null],
  );
  return rows[0] && readWebhook(rows[0]);
}

const WAKE_PAGE = 1_000;

/** Locks the webhook until the transaction ends. */
export async function holdWebhook(within: Pool, id: string, merchantId: number): Promise<Webhook | undefined> {
  const rows = await within.query<Row>(
    `select ${COLUMNS} from webhooks where part = $1 and id = $2 and merchant_id = $3 for no key update`,
    [partOf(id), id, merchantId],
  );
  return rows[0] && readWebhook(rows[0]);
}

/**
 * Makes all deliveries to a webhook due immediately, in pages; within a transaction, after its commit. A lane that is
 * being worked on is due again when it is put back, since something seems to have been added; a locked one is being
 * made due by others.
 */
async function wakeLanes(pool: Pool, merchantId: number, id: string): Promise<void> {
  if (pool.afterCommit) return pool.afterCommit((after) => wakeLanes(after, merchantId, id));
  await pool.query(
    `update lanes set entry_count = lanes.entry_count + 1
     from (
       select part, subject_id, subscriber from lanes
       where merchant_id = $1 and endpoint = $2 and next_try_at is not null and leased
       order by part, subject_id, subscriber for update
     ) as leased
     where lanes.part = leased.part and lanes.subject_id = leased.subject_id
       and lanes.subscriber = leased.subscriber`,
    [merchantId, id],
  );
  await wakeEndpoint(pool, merchantId, id);
  await notifyOfWork(pool);
}

/** Makes due whatever waits for its next try at an endpoint, except what is being tried now. */
export async function wakeEndpoint(pool: Pool, merchantId: number, endpoint: string): Promise<void> {
  for (;;) {
    const [woken] = await pool.query<{ lanes: number }>(
      `with resting as materialized (
         select part, subject_id, subscriber from lanes
         where merchant_id = $1 and endpoint = $2 and next_try_at > now() and not leased
         order by next_try_at limit ${WAKE_PAGE} for update skip locked
       ),
       woken as (
         update lanes set next_try_at = now() from resting
         where lanes.part = resting.part and lanes.subject_id = resting.subject_id
           and lanes.subscriber = resting.subscriber
         returning 1
       ),
       due as (
         update deliveries set next_try_at = now() from resting
         where deliveries.part = resting.part and deliveries.subject_id = resting.subject_id
           and deliveries.subscriber = resting.subscriber and deliveries.state = 'pending'
       )
       select count(*)::int as lanes from woken`,
      [merchantId, endpoint],
    );
    if ((woken?.lanes ?? 0) < WAKE_PAGE) return;
  }
}

/**
 * Fields that are not given stay unchanged. Disabling holds pending deliveries; enabling makes them due and resets the
 * failures.
 */
export async function updateWebhook(
  pool: Pool,
  id: string,
  merchantId: number,
  { url, events, enabled }: WebhookChange,
): Promise<Webhook | undefined> {
  const rows = await pool.query<Row>(
    `update webhooks set
       version = version + 1,
       url = coalesce($3, url),
       events = case when $4::boolean then $5::text[] else events end,
       failing_since = case when $6::boolean then null else failing_since end,
       disabled_at = case $6 when true then null when false then coalesce(disabled_at, now()) else disabled_at end,
       disabled_reason = case $6
         when true then null when false then coalesce(disabled_reason, 'asked') else disabled_reason
       end
     where part = $7 and id = $1 and merchant_id = $2 returning ${COLUMNS}`,
    [id, merchantId, url ?? null, events !== undefined, events ?? null, enabled ?? null, partOf(id)],
  );
  if (rows[0] === undefined) return undefined;
  if (enabled === true) await wakeLanes(pool, merchantId, id);
  return readWebhook(rows[0]);
}

/** The previous secret also signs for a while, so that the receiver can switch without a gap. */
export async function rotateWebhookSecret(
  pool: Pool,
  id: string,
  merchantId: number,
  secret: string,
  oldSecretSeconds = OLD_SECRET_SECONDS,
): Promise<Webhook | undefined> {
  const rows = await pool.query<Row>(
    `update webhooks set
       version = version + 1, secret = $3,
       old_secret = case when $4::int > 0 then secret end,
       old_secret_until = case when $4::int > 0 then now() + make_interval(secs => $4::int) end
     where part = $5 and id = $1 and merchant_id = $2 returning ${COLUMNS}`,
    [id, merchantId, secret, oldSecretSeconds, partOf(id)],
  );
  return rows[0] && readWebhook(rows[0]);
}

/** The secrets that sign now, the new one first. */
export async function findWebhookSecrets(pool: Pool, id: string): Promise<string[]> {
  const rows = await pool.query<{ secret: string; old_secret: string | null }>(
    `select secret, case when old_secret_until > now() then old_secret end as old_secret
     from webhooks where part = $1 and id = $2`,
    [partOf(id), id],
  );
  return rows.flatMap(({ secret, old_secret: oldSecret }) => (oldSecret === null ? [secret] : [secret, oldSecret]));
}

/**
 * Deletes it permanently. Its pending deliveries count as dropped from now on; workers drop them when they reach them.
 */
export async function deleteWebhook(pool: Pool, id: string, merchantId: number): Promise<boolean> {
  const rows = await pool.query('delete from webhooks where part = $1 and id = $2 and merchant_id = $3 returning id', [
    partOf(id),
    id,
    merchantId,
  ]);
  if (rows.length > 0) await wakeLanes(pool, merchantId, id);
  return rows.length > 0;
}
