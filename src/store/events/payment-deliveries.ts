// The deliveries of all events of one payment, as its page shows them: to where, how it stands and after how many tries.
import { partOf } from '../../domain/id.ts';
import type { Delivery } from './deliveries.ts';
import { plainId } from '../statements/payment-row.ts';
import type { Pool } from '../connections/pool.ts';

export type PaymentDelivery = {
  /** Which event it is of. */
  readonly version: number;
  readonly ordinal: number;
  readonly state: Delivery['state'];
  /** All tries there ever were. */
  readonly attemptCount: number;
  /** The webhook and its address; undefined when it is gone, and for a payment's own hook. */
  readonly webhookId?: string;
  readonly url?: string;
  /** The webhook is switched off. */
  readonly isOff: boolean;
  /** A payment's own hook: its place in the list that the shop gave. */
  readonly hook?: number;
  /** What came of the last try. */
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
 * The newest so many of some of its events, by their versions. What waits for a webhook that is gone is dropped, whether or
 * not somebody has come upon it.
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
