// Webhooks: the endpoints to which a merchant wants its events to be sent, for all its payments. Secrets are kept as
// they are, since they have to sign; whoever makes one shows it once.
import { randomBytes } from 'node:crypto';
import type { EventName } from '../domain/decision.ts';
import { plainId } from './load.ts';
import type { Pool } from './pool.ts';

export type Webhook = {
  readonly id: string;
  readonly merchantId: number;
  readonly url: string;
  /** Undefined: all. */
  readonly events: readonly EventName[] | undefined;
  readonly secret: string;
  /** Signs beside the new one until its time is over. */
  readonly oldSecretUntil?: number;
  readonly disabled?: { readonly reason: 'asked' | 'gone' | 'failing'; readonly at: number };
  readonly failingSince?: number;
  readonly createdAt: number;
};

export type NewWebhook = Pick<Webhook, 'id' | 'merchantId' | 'url' | 'events' | 'secret'>;
export type WebhookChange = {
  readonly url?: string;
  /** Null: all. */
  readonly events?: readonly EventName[] | null;
  readonly enabled?: boolean;
};

/** More would be a mistake in a loop, not a wish. */
export const MOST_WEBHOOKS = 20;
const OLD_SECRET_HOURS = 24;
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

/** Undefined when the merchant has as many as can be. */
export async function createWebhook(pool: Pool, webhook: NewWebhook): Promise<Webhook | undefined> {
  const { id, merchantId, url, events, secret } = webhook;
  const rows = await pool.query<Row>(
    `insert into webhooks (id, merchant_id, url, events, secret, created_at)
     select $1, $2, $3, $4, $5, now()
     where (select count(*) from webhooks where merchant_id = $2) < ${MOST_WEBHOOKS}
     returning *`,
    [id, merchantId, url, events ?? null, secret],
  );
  return rows[0] && readWebhook(rows[0]);
}

export async function listWebhooks(pool: Pool, merchantId: number): Promise<Webhook[]> {
  const rows = await pool.query<Row>('select * from webhooks where merchant_id = $1 order by created_at, id', [
    merchantId,
  ]);
  return rows.map(readWebhook);
}

/** The webhook of that id; of that merchant, where one is named. */
export async function findWebhook(pool: Pool, id: string, merchantId?: number): Promise<Webhook | undefined> {
  const rows = await pool.query<Row>(
    'select * from webhooks where id = $1 and merchant_id = coalesce($2, merchant_id)',
    [id, merchantId ?? null],
  );
  return rows[0] && readWebhook(rows[0]);
}

/** What is not named stays. Switching on again forgets the failures. */
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
     where id = $1 and merchant_id = $2 returning *`,
    [id, merchantId, url ?? null, events !== undefined, events ?? null, enabled ?? null],
  );
  return rows[0] && readWebhook(rows[0]);
}

/** The secret before it signs as well for a day, so that the other side can change over without a gap. */
export async function rotateWebhookSecret(
  pool: Pool,
  id: string,
  merchantId: number,
  secret: string,
): Promise<Webhook | undefined> {
  const rows = await pool.query<Row>(
    `update webhooks set
       version = version + 1, old_secret = secret, secret = $3,
       old_secret_until = now() + make_interval(hours => ${OLD_SECRET_HOURS})
     where id = $1 and merchant_id = $2 returning *`,
    [id, merchantId, secret],
  );
  return rows[0] && readWebhook(rows[0]);
}

/** Deletes it for good. What was on its way to it is dropped by whoever comes upon it. */
export async function deleteWebhook(pool: Pool, id: string, merchantId: number): Promise<boolean> {
  const rows = await pool.query('delete from webhooks where id = $1 and merchant_id = $2 returning id', [
    id,
    merchantId,
  ]);
  return rows.length > 0;
}
