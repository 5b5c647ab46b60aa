// The digest of what a consumer sees and agrees to: the cart line by line, the amount and its currency. What a shop calls
// the order is not in it, so a new reference or a cart that is sent again as it was leaves the digest as it is.
import { createHash } from 'node:crypto';
import type { Order } from '../domain/payment.ts';

export function digestOfOrder({ amount, currency, items }: Order): string {
  // Field by field, since the database gives the fields of an item back in an order of its own.
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
