// Erases a payment's consumer, and the reference of their card for the shop. It is a change like any other, with a new
// version, so that concurrent changes are decided again and do not write the data back. A subscription with the
// payment's card can still be charged, without that reference; it may be in another part, if the payment has replaced
// its card.
import { partOf } from '../../domain/id.ts';
import type { Pool } from '../connections/pool.ts';
import { sealOf } from '../statements/seals.ts';

const METHOD = `(method::jsonb - 'accountReference')::json`;

export async function eraseConsumer(pool: Pool, id: string): Promise<boolean> {
  // The relation of a payment to a subscription never changes.
  const [found] = await pool.query<{ subscription: string | null }>(
    `select checkout -> 'subscription' ->> 'id' as subscription from payments where part = $1 and id = $2`,
    [partOf(id), id],
  );
  if (found === undefined) return false;
  const { subscription } = found;
  const rows = await pool.query(
    `with subscribed as (
       update subscriptions set method = ${METHOD}, version = version + 1,
         seal = ${sealOf('subscriptions', 'subscriptions', { method: METHOD })}
       where part = $3 and id = $4 and payment_id = $2
     )
     update payments set consumer = '{}', method = ${METHOD}, version = version + 1,
       seal = ${sealOf('payments', 'payments', { consumer: "'{}'::json", method: METHOD })}
     where part = $1 and id = $2 returning id`,
    [partOf(id), id, subscription === null ? null : partOf(subscription), subscription],
  );
  return rows.length > 0;
}

/** The merchant of the payment. */
export async function findMerchantOfPayment(pool: Pool, id: string): Promise<number | undefined> {
  const [row] = await pool.query<{ merchant_id: number }>(
    'select merchant_id from payments where part = $1 and id = $2',
    [partOf(id), id],
  );
  return row?.merchant_id;
}
