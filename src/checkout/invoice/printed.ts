// Prints invoices one at a time and keeps the latest: a long one takes a second of this process, and whoever has its
// address can ask for it as often as they like.
import type { Merchant } from '../../domain/merchant.ts';
import type { Movement } from '../../domain/movement.ts';
import type { Payment } from '../../domain/payment.ts';
import type { Language } from '../view.ts';
import { invoiceOf } from './invoice.ts';
import { renderInvoice } from './pdf.ts';

const MOST_KEPT = 32;

const kept = new Map<string, Promise<Buffer>>();
let last: Promise<unknown> = Promise.resolve();

/** The PDF. A payment that has changed, or whose consumer was erased, has another version and is printed anew. */
export function printInvoice(
  payment: Payment,
  charge: Movement,
  merchant: Merchant,
  language: Language,
): Promise<Buffer> {
  const key = `${charge.id} ${payment.version} ${merchant.name} ${language}`;
  const known = kept.get(key);
  if (known) return known;
  const printing = last.then(() => renderInvoice(invoiceOf(payment, charge, merchant, language)));
  last = printing.catch(() => kept.delete(key));
  kept.set(key, printing);
  const [oldest] = kept.keys();
  if (kept.size > MOST_KEPT && oldest !== undefined) kept.delete(oldest);
  return printing;
}
