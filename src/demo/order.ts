// A payment as the demo shop reads it out of the API's answer. Fields that a dialect leaves out when they are empty count
// as nothing.
import { NO_TOTALS } from '../domain/payment.ts';
import type { Totals } from '../domain/payment.ts';
import { lastingStateOf } from '../domain/state.ts';
import type { LastingState } from '../domain/state.ts';
import { DEMO_REFERENCE } from './scenario.ts';

export type Charge = { readonly chargeId: string; readonly amount: number };

export type Order = {
  readonly paymentId: string;
  readonly reference: string;
  readonly amount: number;
  readonly currency: string;
  readonly reserved: number;
  readonly charged: number;
  readonly refunded: number;
  readonly cancelled: number;
  readonly charges: readonly Charge[];
  readonly state: LastingState;
  /** Where the consumer pays, while it can be paid. */
  readonly checkoutUrl?: string;
  readonly paymentMethod?: string;
  /** Nobody has paid an invoice yet when it is issued. */
  readonly isInvoice: boolean;
  readonly consumer?: string;
  readonly email?: string;
  readonly invoiceNumber?: string;
  readonly pdfLink?: string;
  /** The subscription that it began, or of which it is a charge. */
  readonly subscriptionId?: string;
};

type Fields = Readonly<Record<string, unknown>>;

const fields = (value: unknown): Fields => (typeof value === 'object' && value !== null ? (value as Fields) : {});
const list = (value: unknown): Fields[] => (Array.isArray(value) ? value.map(fields) : []);
const whole = (value: unknown): number => (typeof value === 'number' ? value : 0);
const text = (value: unknown): string | undefined => (typeof value === 'string' && value !== '' ? value : undefined);
const words = (...values: readonly unknown[]): string | undefined =>
  text(values.flatMap((value) => text(value) ?? []).join(' '));

/** Only an address of the web becomes a link. */
const webAddress = (value: unknown): string | undefined => text(value)?.match(/^https?:\/\/\S+$/)?.[0];

/** As far as the API shows them: of what is pending, the refunds. */
function readTotals({ summary, refunds }: Fields): Totals {
  const { reservedAmount, chargedAmount, refundedAmount, cancelledAmount } = fields(summary);
  const pending = list(refunds).filter(({ state }) => state === 'Pending');
  return {
    ...NO_TOTALS,
    reserved: whole(reservedAmount),
    charged: whole(chargedAmount),
    refunded: whole(refundedAmount),
    cancelled: whole(cancelledAmount),
    refunding: pending.reduce((sum, { amount }) => sum + whole(amount), 0),
  };
}

const isOnInvoice = (payment: Fields): boolean => fields(payment['paymentDetails'])['paymentType'] === 'INVOICE';

function readWhoAndHow(payment: Fields): { [Field in keyof Order]?: Order[Field] | undefined } {
  const { privatePerson, company } = fields(payment['consumer']);
  const person = fields(privatePerson);
  const { paymentMethod, cardDetails, invoiceDetails } = fields(payment['paymentDetails']);
  const { invoiceNumber, pdfLink } = fields(invoiceDetails);
  return {
    paymentMethod: isOnInvoice(payment) ? 'Invoice' : words(paymentMethod, fields(cardDetails)['maskedPan']),
    consumer: text(fields(company)['name']) ?? words(person['firstName'], person['lastName']),
    email: text(person['email']) ?? text(fields(company)['email']),
    invoiceNumber: text(invoiceNumber),
    pdfLink: webAddress(pdfLink),
  };
}

/** The order in the answer of a read; undefined when it is no payment of the demo shop. */
export function readOrder(answer: unknown): Order | undefined {
  const payment = fields(fields(answer)['payment']);
  const { amount, currency, reference } = fields(payment['orderDetails']);
  const paymentId = text(payment['paymentId']);
  if (paymentId === undefined || payment['myReference'] !== DEMO_REFERENCE) return undefined;
  const totals = readTotals(payment);
  const { reserved, charged, refunded, cancelled } = totals;
  const subscriptionId = text(fields(payment['subscription'])['id']);
  const given = Object.entries({
    ...readWhoAndHow(payment),
    checkoutUrl: webAddress(fields(payment['checkout'])['url']),
    subscriptionId,
  });
  return {
    paymentId,
    reference: text(reference) ?? paymentId,
    amount: whole(amount),
    currency: text(currency) ?? 'SEK',
    reserved,
    charged,
    refunded,
    cancelled,
    isInvoice: isOnInvoice(payment),
    charges: list(payment['charges']).map((charge) => ({
      chargeId: text(charge['chargeId']) ?? '',
      amount: whole(charge['amount']),
    })),
    state: lastingStateOf({
      totals,
      isTerminated: payment['terminated'] !== undefined,
      // It is shown once the checkout is finished.
      ...(subscriptionId !== undefined && { reservation: { state: 'approved' } }),
    }),
    ...Object.fromEntries(given.filter(([, value]) => value !== undefined)),
  };
}

/** What can still be charged or cancelled. */
export const leftToCharge = ({ reserved, charged, cancelled }: Order): number => reserved - charged - cancelled;
export const leftToRefund = ({ charged, refunded }: Order): number => charged - refunded;
