// Whoever reads an invoice payment sees the numbers of its invoices and credit notes: they are given when the event that
// tells of them is published, a moment after the commit, so that is waited for. What a process of a version that gave no
// numbers has published is given its number here, under the same lock.
import { partOf } from '../domain/id.ts';
import type { Merchant } from '../domain/merchant.ts';
import { isUnnumbered } from '../domain/invoice.ts';
import type { Payment } from '../domain/payment.ts';
import type { Pool } from './pool.ts';
import { sealOf } from './seals.ts';
import type { Store } from './store.ts';
import { withinTransaction } from './transaction.ts';

export type NumberedStore = Pick<Store, 'load' | 'pool' | 'publisher'>;

// Of movements that are to have a number and have none.
const UNNUMBERED = `movement.part = $1 and movement.payment_id = $2 and movement.kind in ('charge', 'refund')
  and movement.state = 'approved'
  and not exists (
    select 1 from invoice_numbers
    where invoice_numbers.part = movement.part and invoice_numbers.movement_id = movement.id
  )
  and not exists (
    select 1 from events
    where events.part = movement.part and events.subject_id = movement.payment_id
      and events.movement_id = movement.id and events.position is null
  )`;

/** Gives numbers to those of a payment's movements that have none and whose events are published. */
async function numberPublished(pool: Pool, { id, parts }: Merchant, payment: Payment): Promise<void> {
  const ids = [partOf(payment.id), payment.id];
  // Whose events wait to be published waits for that, and holds no lock and no connection meanwhile.
  const found = await pool.query(`select 1 from movements as movement where ${UNNUMBERED} limit 1`, ids);
  if (found.length === 0) return;
  await withinTransaction(pool, async (within) => {
    // In an order of its own before anything is read: what the statement after it sees was committed under this lock.
    await within.query('select 1 from event_counters where part = $1 and merchant_id = $2 for update', [parts[0], id]);
    await within.query(
      `with issued as (
         insert into invoice_numbers (part, movement_id, payment_id, merchant_id, number, seller, seal)
         select invoice.*, ${sealOf('invoice_numbers', 'invoice')}
         from (
           select movement.part, movement.id as movement_id, movement.payment_id, counter.merchant_id,
             counter.invoices + row_number() over (order by movement.sequence) as number,
             (jsonb_build_object('name', merchant.name) || coalesce(merchant.seller::jsonb, '{}'))::json as seller
           from movements as movement
           join event_counters as counter on counter.part = $3 and counter.merchant_id = $4
           join merchants as merchant on merchant.id = counter.merchant_id
           where ${UNNUMBERED}
         ) as invoice
         returning merchant_id
       )
       update event_counters set invoices = invoices + (select count(*) from issued)
       where part = $3 and merchant_id = $4`,
      [...ids, parts[0], id],
    );
  });
}

/** A payment that was read; where its invoices had no numbers yet, as it is once they have them. */
export async function readNumbered(
  { load, pool, publisher }: NumberedStore,
  merchant: Merchant,
  payment: Payment,
): Promise<Payment> {
  if (!isUnnumbered(payment)) return payment;
  const readAgain = async (): Promise<Payment> =>
    (await load({ merchantId: merchant.id, target: payment.id })).payment ?? payment;
  await publisher.publishNow(payment);
  const published = await readAgain();
  if (!isUnnumbered(published)) return published;
  await numberPublished(pool, merchant, published);
  return readAgain();
}
