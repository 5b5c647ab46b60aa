// Above which amounts a refund that a person asks for needs a fresh proof that it is them. A merchant sets an amount for
// each currency; where it has set some, a refund in any other currency needs one always, so that nobody goes around by it.
import { exponentOf, readCurrency, readNumber, showAmount } from './currency.ts';
import type { Payment } from './payment.ts';

/** By currency, in minor units; empty: no refund needs one. */
export type RefundProof = Readonly<Record<string, number>>;

const MOST_CURRENCIES = 30;

/** As people write it, `5000 SEK, 500 EUR`; empty for none. Undefined where it cannot be understood. */
export function readRefundProof(text: string): RefundProof | undefined {
  const parts = text
    .split(/[,;]\s+|\n/)
    .map((part) => part.trim())
    .filter((part) => part !== '');
  const limits = new Map<string, number>();
  for (const part of parts) {
    const [, number = '', code = ''] = /^([\d.,]+)\s*([a-z]{3})$/i.exec(part) ?? [];
    const currency = readCurrency(code);
    const amount = currency === undefined ? undefined : readNumber(number, exponentOf(currency));
    if (currency === undefined || amount === undefined || limits.has(currency)) return undefined;
    limits.set(currency, amount);
  }
  return limits.size <= MOST_CURRENCIES ? Object.fromEntries(limits) : undefined;
}

export const showRefundProof = (limits: RefundProof): string =>
  Object.entries(limits)
    .map(([currency, amount]) => showAmount(amount, currency))
    .join(', ');

/** With all that is refunded of the payment already: many small refunds are a large one. */
export function needsRefundProof(limits: RefundProof, { order, totals }: Payment, amount: number): boolean {
  if (Object.keys(limits).length === 0) return false;
  const limit = limits[order.currency];
  return limit === undefined || totals.refunded + totals.refunding + amount > limit;
}
