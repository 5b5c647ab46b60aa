// Waits for the numbers of invoices and credit notes: they are assigned when the event is published, a moment after the
// commit, and everyone who reads an invoice payment should see them.
import type { Merchant } from '../domain/merchant.ts';
import { isUnnumbered } from '../domain/invoice.ts';
import type { Payment } from '../domain/payment.ts';
import type { Store } from '../store/store.ts';

export type NumberedStore = Pick<Store, 'load' | 'publisher'>;

/** The payment; if its invoices had no numbers yet, as it is once their events are published. */
export async function readNumbered(
  { load, publisher }: NumberedStore,
  merchant: Merchant,
  payment: Payment,
): Promise<Payment> {
  if (!isUnnumbered(payment)) return payment;
  await publisher.publishNow(payment);
  return (await load({ merchantId: merchant.id, target: payment.id })).payment ?? payment;
}
