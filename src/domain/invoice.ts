// The numbers of an invoice, derived from its charge: the invoice number is time and eleven digits of the id's
// random tail (24 digits: with its check digit it still fits the 25 of a Nordic payment reference), so it is unique
// without a counter that every charge would have to wait for. It is not gapless.
import { checkDigitOf } from './check-digit.ts';
import { timeOf } from './id.ts';
import type { Payment } from './payment.ts';

const DUE_AFTER_MS = 14 * 24 * 60 * 60 * 1000;
// All charges of a merchant have the same part, so it is left out.
const TAIL_DIGITS = 11;

export function invoiceNumberOf(chargeId: string): string {
  const time = String(timeOf(chargeId)).padStart(13, '0');
  const tail = BigInt(`0x${chargeId.slice(17)}`) % 10n ** BigInt(TAIL_DIGITS);
  return `${time}${String(tail).padStart(TAIL_DIGITS, '0')}`;
}

export const ocrOf = (invoiceNumber: string): string => invoiceNumber + checkDigitOf(invoiceNumber);

/** Midnight UTC of the day 14 days after the charge. */
export function dueDateOf(chargedAtMs: number): number {
  const due = new Date(chargedAtMs + DUE_AFTER_MS);
  return Date.UTC(due.getUTCFullYear(), due.getUTCMonth(), due.getUTCDate());
}

/** Below the address of the service: the PDF of a charge's invoice or of a refund's credit note. */
export const invoicePathOf = ({ method }: Pick<Payment, 'method'>, movementId: string): string | undefined =>
  method?.invoice && `/invoices/${movementId}/${method.invoice.secret}`;

/** Whether a charge or refund of an invoice payment has yet to get its number. */
export const isUnnumbered = ({ method, movements }: Payment): boolean =>
  method?.invoice !== undefined &&
  movements.some(
    ({ kind, state, issued }) => (kind === 'charge' || kind === 'refund') && state === 'approved' && !issued,
  );
