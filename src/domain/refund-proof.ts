// The amounts above which a refund by a person needs confirmation. A merchant sets an amount per currency; if any is set,
// refunds in all other currencies always need confirmation, so that the limit cannot be bypassed.
import { exponentOf, readCurrency, readNumber, showAmount } from './currency.ts';
import type { Payment } from './payment.ts';

/** By currency, in minor units; empty: no refund needs one. */
export type RefundProof = Readonly<Record<string, number>>;

const MOST_CURRENCIES = 30;

/** Parses `5000 SEK, 500 EUR`; empty for none. Undefined if it is invalid. */
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

/** Includes earlier refunds of the payment: many small refunds count as a large one. */
export function needsRefundProof(limits: RefundProof, { order, totals }: Payment, amount: number): boolean {
  if (Object.keys(limits).length === 0) return false;
  const limit = limits[order.currency];
  return limit === undefined || totals.refunded + totals.refunding + amount > limit;
}
