// Erases a payment's consumer, and the reference by which a shop knows their card again. It is a change like any other: a
// new version, so that whoever decided on the payment as it was before decides again and does not write it back. A
// subscription that the payment began is charged on, without that reference.
import { partOf } from '../domain/id.ts';
import type { Pool } from './pool.ts';

const FORGET_CARD = `method = (method::jsonb - 'accountReference')::json`;

export async function eraseConsumer(pool: Pool, id: string): Promise<boolean> {
  const rows = await pool.query(
    `with subscribed as (
       update subscriptions set ${FORGET_CARD}, version = version + 1
       where part = $1 and payment_id = $2
     )
     update payments set consumer = '{}', ${FORGET_CARD}, version = version + 1
     where part = $1 and id = $2 returning id`,
    [partOf(id), id],
  );
  return rows.length > 0;
}
