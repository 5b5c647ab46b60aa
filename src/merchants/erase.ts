// Erases a payment's consumer, and records it in the audit of the merchant.
import type { Actor } from '../domain/audit.ts';
import { recordAct } from '../store/audit/audit.ts';
import * as store from '../store/payments/erase.ts';
import { findMerchant } from '../store/merchants/merchants.ts';
import type { Pool } from '../store/connections/pool.ts';
import { withinTransaction } from '../store/connections/transaction.ts';

export async function eraseConsumer(
  pool: Pool,
  actor: Actor,
  paymentId: string,
): Promise<{ readonly kind: 'erased' } | { readonly kind: 'no_payment' }> {
  return withinTransaction(pool, async (within) => {
    const merchantId = await store.findMerchantOfPayment(within, paymentId);
    const merchant = merchantId === undefined ? undefined : await findMerchant(within, merchantId);
    if (merchant === undefined || !(await store.eraseConsumer(within, paymentId))) return { kind: 'no_payment' };
    await recordAct(within, merchant, { actor, action: 'payment.erase', subject: paymentId });
    return { kind: 'erased' };
  });
}
