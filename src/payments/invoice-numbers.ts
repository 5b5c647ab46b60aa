// Whoever reads an invoice payment sees the numbers of its invoices and credit notes: they are given when the event that
// tells of them is published, a moment after the commit, so that is waited for.
import type { Merchant } from '../domain/merchant.ts';
import { isUnnumbered } from '../domain/invoice.ts';
import type { Payment } from '../domain/payment.ts';
import type { Store } from '../store/store.ts';

export type NumberedStore = Pick<Store, 'load' | 'publisher'>;

/** A payment that was read; where its invoices had no numbers yet, as it is once their events are published. */
export async function readNumbered(
  { load, publisher }: NumberedStore,
  merchant: Merchant,
  payment: Payment,
): Promise<Payment> {
  if (!isUnnumbered(payment)) return payment;
  await publisher.publishNow(payment);
  return (await load({ merchantId: merchant.id, target: payment.id })).payment ?? payment;
}
