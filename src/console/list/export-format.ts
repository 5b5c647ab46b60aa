// A payment as a line of an export: CSV as RFC 4180 has it, or JSON. Amounts are exact decimals, times are in UTC.
import { showNumber } from '../../domain/currency.ts';
import type { Phone } from '../../domain/consumer.ts';
import { timeOf } from '../../domain/id.ts';
import type { ListedPayment } from '../../store/lists/listing/row.ts';
import { lastFourOf, nameOf } from './payment-text.ts';

const COLUMNS = [
  'paymentId',
  'created',
  'state',
  'reference',
  'myReference',
  'currency',
  'amount',
  'reserved',
  'charged',
  'refunded',
  'cancelled',
  'method',
  'lastFour',
  'name',
  'email',
  'phone',
] as const;

type Line = Readonly<Partial<Record<(typeof COLUMNS)[number], string>>>;

function lineOf(payment: ListedPayment): Line {
  const { id, currency, reference, myReference, consumer, method, totals } = payment;
  const { phone } = consumer;
  const values = {
    paymentId: id,
    created: new Date(timeOf(id)).toISOString(),
    state: payment.state,
    reference,
    myReference,
    currency,
    amount: showNumber(payment.amount, currency),
    reserved: showNumber(totals.reserved, currency),
    charged: showNumber(totals.charged, currency),
    refunded: showNumber(totals.refunded, currency),
    cancelled: showNumber(totals.cancelled, currency),
    method: method?.paymentMethod,
    lastFour: lastFourOf(method),
    name: nameOf(consumer),
    email: consumer.email,
    phone: phone && `${phone.prefix}${phone.number}`,
  };
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined));
}

/**
 * In brackets a country is text to a spreadsheet, neither a formula nor a number that loses its plus or its zeros, and
 * part of a phone number to what reads phone numbers. An apostrophe in front would be neither.
 */
function showPhone({ prefix, number }: Phone): string {
  const [, country] = /^(?:\+|00)?(\d+)$/.exec(prefix) ?? [];
  if (country !== undefined) return `(+${country}) ${number}`;
  const isNational = prefix === '' && /^0\d{4,}$/.test(number);
  return isNational ? `${number.slice(0, 3)}-${number.slice(3)}` : `${prefix}${number}`;
}

// What a spreadsheet takes for the beginning of a formula, in any width of letters: where a field begins, and in a country
// in which a semicolon or a tab ends one, after that as well.
const FORMULA = /(^|[;\t\r\n])(?=\s*[=+\-@＝＋－＠])|^(?=[\t\r\n])/g;
const NEEDS_QUOTES = /[",\r\n]/;

/** A spreadsheet shows what follows an apostrophe as text, and does not carry it out. */
function fieldOf(text: string): string {
  const guarded = text.replaceAll(FORMULA, "$1'");
  return NEEDS_QUOTES.test(guarded) ? `"${guarded.replaceAll('"', '""')}"` : guarded;
}

export type Format = {
  readonly type: string;
  readonly head: string;
  readonly line: (payment: ListedPayment) => string;
};

export const FORMATS: Readonly<Record<'csv' | 'jsonl', Format>> = {
  csv: {
    type: 'text/csv; charset=utf-8; header=present',
    head: `${COLUMNS.join()}\r\n`,
    line: (payment) => {
      const { phone } = payment.consumer;
      const line = { ...lineOf(payment), ...(phone && { phone: showPhone(phone) }) };
      return `${COLUMNS.map((column) => fieldOf(line[column] ?? '')).join()}\r\n`;
    },
  },
  jsonl: {
    type: 'application/jsonl; charset=utf-8',
    head: '',
    line: (payment) => `${JSON.stringify(lineOf(payment))}\n`,
  },
};
