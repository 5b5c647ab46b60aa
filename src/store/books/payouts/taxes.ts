// The tax of charges and refunds in payouts, as on their invoices and credit notes. With items, the database has summed
// it. A part without items has a share of what was left then, which depends on the whole payment.
import { setImmediate as letOthers } from 'node:timers/promises';
import type { Payment } from '../../../domain/payment.ts';
import { taxOf } from '../../../domain/tax-lines.ts';
import { LargePayment, loadGroup } from '../../payments/load.ts';
import { plainId } from '../../statements/payment-row.ts';
import type { Pool } from '../../connections/pool.ts';

/** `vat`: null for a part without items. */
export type Taxed = { readonly id: string; readonly paymentId: string; readonly vat: number | null };

async function loadPayment(pool: Pool, id: string): Promise<Payment> {
  const [loaded] = await loadGroup(pool, 'any')([{ merchantId: null, target: plainId(id) }]);
  if (loaded instanceof Error) throw loaded;
  if (loaded instanceof LargePayment || loaded?.payment === undefined) throw new Error(`payment ${id} cannot be read`);
  return loaded.payment;
}

/** Of approved movements, by id. Reads payments one at a time, since some are large. */
export async function taxesOf(pool: Pool, approved: readonly Taxed[]): Promise<ReadonlyMap<string, number>> {
  const taxes = new Map<string, number>();
  for (const { id, vat } of approved) if (vat !== null) taxes.set(id, vat);
  const shares = approved.filter(({ vat }) => vat === null);
  for (const [paymentId, movements] of Map.groupBy(shares, (share) => share.paymentId)) {
    const payment = await loadPayment(pool, paymentId);
    for (const { id } of movements) {
      const movement = payment.movements.find((one) => one.id === plainId(id));
      if (movement === undefined) throw new Error(`payment ${paymentId} has no movement ${id}`);
      taxes.set(id, taxOf(payment, movement));
      await letOthers();
    }
  }
  return taxes;
}
