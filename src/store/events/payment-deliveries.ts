// The deliveries of a payment's events, as its page shows them: the endpoint, the state and the number of tries.
import { partOf } from '../../domain/id.ts';
import type { Delivery } from './deliveries.ts';
import { plainId } from '../statements/payment-row.ts';
import type { Pool } from '../connections/pool.ts';

export type PaymentDelivery = {
  /** The event's id. */
  readonly version: number;
  readonly ordinal: number;
  readonly state: Delivery['state'];
  /** The total number of tries. */
  readonly attemptCount: number;
  /** The webhook and its address; undefined if it was deleted, and for a payment's own hook. */
  readonly webhookId?: string;
  readonly url?: string;
  /** The webhook is disabled. */
  readonly isOff: boolean;
  /** For a payment's own hook: its index in the shop's list. */
  readonly hook?: number;
  /** The result of the last try. */
  readonly status?: number;
  readonly error?: string;
};

type Row = {
  version: number;
  ordinal: number;
  state: Delivery['state'];
  attempt_count: number;
  webhook_id: string | null;
  url: string | null;
  is_off: boolean;
  hook: number | null;
  last: { readonly status?: number; readonly error?: string } | null;
};

/**
 * The newest deliveries of some of its events, by their versions. Deliveries to a deleted webhook are dropped, whether
 * or not a worker has reached them.
 */
export async function listDeliveriesOfPayment(
  pool: Pool,
  paymentId: string,
  versions: readonly number[],
  limit: number,
): Promise<PaymentDelivery[]> {
  const rows = await pool.query<Row>(
    `select delivery.version, delivery.ordinal, delivery.attempt_count, delivery.hook,
       webhook.id as webhook_id, webhook.url, webhook.disabled_at is not null as is_off,
       delivery.attempts -> -1 as last,
       case when delivery.state = 'pending' and delivery.hook is null and webhook.id is null then 'dropped'
         else delivery.state end as state
     from (
       select * from deliveries where part = $1 and subject_id = $2 and version = any ($4::int[])
       order by version desc, ordinal desc, subscriber limit $3
     ) as delivery
     left join webhooks as webhook
       on webhook.id = case when delivery.hook is null then delivery.subscriber::uuid end
       and webhook.part = case
         when delivery.hook is null then ('x' || substr(delivery.subscriber, 14, 3))::bit(12)::int
       end
     order by delivery.version, delivery.ordinal, delivery.subscriber`,
    [partOf(paymentId), paymentId, limit, versions],
  );
  return rows.map(({ webhook_id: webhookId, url, is_off: isOff, hook, last, ...row }) => ({
    version: row.version,
    ordinal: row.ordinal,
    state: row.state,
    attemptCount: row.attempt_count,
    isOff,
    ...(webhookId !== null && { webhookId: plainId(webhookId) }),
    ...(url !== null && { url }),
    ...(hook !== null && { hook }),
    ...(last?.status !== undefined && { status: last.status }),
    ...(last?.error !== undefined && { error: last.error }),
  }));
}
