// A bulk as a request leaves it, but for entries whose time has not come: nobody works on it before a test wants it.
import { partOf } from '../../src/domain/id.ts';
import { homePartOf, newId } from '../../src/payments/ids.ts';
import type { BulkPurpose } from '../../src/store/payments/bulks.ts';
import type { Pool } from '../../src/store/connections/pool.ts';
import { anOrder } from './client.ts';
import type { Shop } from './service.ts';

export type WrittenEntry = { readonly subscriptionId: string; readonly paymentId: string };

export const anEntryOf = (subscriptionId: string): WrittenEntry => ({
  subscriptionId,
  paymentId: newId(Date.now(), partOf(subscriptionId)),
});

/** Charges that amount of each; a verification has no order. */
export async function writeBulk(
  pool: Pool,
  { merchant }: Shop,
  { purpose, entries, amount }: { purpose: BulkPurpose; entries: readonly WrittenEntry[]; amount: number },
): Promise<string> {
  const id = newId(Date.now(), homePartOf(merchant));
  await pool.query(
    `insert into bulks (part, id, merchant_id, kind, purpose, request, entry_count)
     values ($1, $2, $3, 'scheduled', $4, decode(repeat('00', 32), 'hex'), $5)`,
    [partOf(id), id, merchant.id, purpose, entries.length],
  );
  const order = purpose === 'charge' ? JSON.stringify(anOrder(amount)) : null;
  for (const [place, { paymentId, subscriptionId }] of entries.entries())
    await pool.query(
      `insert into bulk_entries (part, bulk_id, place, merchant_id, subscription_id, payment_id, purchase, next_try_at)
       values ($1, $2, $3, $4, $5, $6, $7, 'infinity')`,
      [partOf(id), id, place, merchant.id, subscriptionId, paymentId, order],
    );
  return id;
}

/** Their time has come. */
export const callEntries = (pool: Pool, entries: readonly WrittenEntry[]): Promise<unknown> =>
  pool.query('update bulk_entries set next_try_at = now() where payment_id = any ($1)', [
    entries.map(({ paymentId }) => paymentId),
  ]);
