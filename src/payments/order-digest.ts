// The digest of what a consumer sees and agrees to: the cart line by line, the amount and its currency. The shop's
// reference is not included, so a new reference, or the same cart sent again, does not change it.
import { createHash } from 'node:crypto';
import type { Order } from '../domain/payment.ts';

export function digestOfOrder({ amount, currency, items }: Order): string {
  // Field by field, since the database returns the fields of an item in its own order.
  const lines = items.map((item) => [
    item.reference,
    item.name,
    item.quantity,
    item.unit,
    item.unitPrice,
    item.taxRate,
    item.taxAmount,
    item.grossTotalAmount,
    item.netTotalAmount,
  ]);
  const seen = JSON.stringify([amount, currency, lines]);
  return createHash('sha256').update(seen).digest('hex');
}
