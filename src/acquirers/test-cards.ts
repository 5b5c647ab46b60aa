// The published test cards. A number is exchanged here, at once, for an opaque source and a mask: nothing behind this
// file ever sees a card number. A number that is no test card is not taken.
import { isInApp, METHODS } from '../domain/offered-methods.ts';
import type { PaymentMethod } from '../domain/payment.ts';

export type CardSource =
  | 'sim_approved'
  | 'sim_reservation_declined'
  | 'sim_charge_declined'
  | 'sim_refund_declined'
  | 'sim_refund_pending'
  | 'sim_cancel_declined'
  | 'sim_insufficient_funds'
  | 'sim_expired_card'
  | 'sim_wrong_cvc'
  | 'sim_processing_error'
  | 'sim_renewal_declined'
  | 'sim_renewal_expired'
  | 'sim_renewal_needs_consumer';

type InvoiceSource = 'sim_invoice' | 'sim_invoice_declined';
export type Source = CardSource | InvoiceSource | 'sim_app';

export type TestCard = {
  readonly number: string;
  readonly source: CardSource;
  /** The consumer has to pass a challenge of their bank first; the sandbox call counts it as passed. */
  readonly challenge: boolean;
  readonly what: string;
};

const card = (number: string, source: CardSource, what: string, challenge = false): TestCard => ({
  number,
  source,
  challenge,
  what,
});

export const testCards: readonly TestCard[] = [
  card('4925000000000004', 'sim_approved', 'approved'),
  card('5413000000000000', 'sim_approved', 'approved'),
  card('4242424242424242', 'sim_approved', 'approved'),
  card('5544330000000235', 'sim_approved', 'approved'),
  card('4925000000000087', 'sim_reservation_declined', 'reservation declined'),
  card('4000000000000002', 'sim_reservation_declined', 'reservation declined'),
  card('4925000000000079', 'sim_charge_declined', 'reservation approved, charge declined'),
  card('4000000000005126', 'sim_refund_declined', 'charge approved, refund declined'),
  card('4000000000007726', 'sim_refund_pending', 'charge approved, refund pending until it is settled'),
  card('4925000000000061', 'sim_cancel_declined', 'reservation approved, cancel declined'),
  card('4000000000009995', 'sim_insufficient_funds', 'insufficient funds'),
  card('4000000000000069', 'sim_expired_card', 'expired card'),
  card('4000000000000127', 'sim_wrong_cvc', 'wrong CVC'),
  card('4000000000000119', 'sim_processing_error', 'processing error'),
  card('4000000000000341', 'sim_renewal_declined', 'approved, later charges of its subscription declined (51)'),
  card('4000000000004954', 'sim_renewal_expired', 'approved, expired when its subscription is charged (54, hard)'),
  card('4000000000003220', 'sim_renewal_needs_consumer', 'approved, its subscription needs the consumer again (65)'),
  card('4268270087374847', 'sim_approved', '3-D Secure challenge, then approved', true),
  card('5213199803453465', 'sim_approved', '3-D Secure challenge, then approved', true),
  card('4000002760003184', 'sim_approved', '3-D Secure challenge, then approved', true),
  card('4000008400001629', 'sim_reservation_declined', '3-D Secure challenge, then declined', true),
];

export const DEFAULT_CARD = '4925000000000004';
const EXPIRY = '1230';

const byNumber = new Map(testCards.map((testCard) => [testCard.number, testCard]));

export type Instrument = {
  /** Opaque to everybody but the acquirer. */
  readonly source: string;
  readonly method: PaymentMethod;
  /** The consumer's bank wants to see them first. */
  readonly challenge?: boolean;
};

export const brandOfTestCard = (number: string): string => (number.startsWith('5') ? 'MasterCard' : 'Visa');

const maskOf = (number: string): string => `${number.slice(0, 6)}******${number.slice(-4)}`;

/** Exchanges a test card's number, with or without spaces, for its source and mask. The expiry is MMYY. */
export function exchangeTestCard(number: string, expiryDate = EXPIRY): Instrument | undefined {
  const testCard = byNumber.get(number.replaceAll(/[ -]/g, ''));
  if (testCard === undefined) return undefined;
  const paymentMethod = brandOfTestCard(testCard.number);
  const method: PaymentMethod = {
    paymentType: 'CARD',
    paymentMethod,
    maskedPan: maskOf(testCard.number),
    expiryDate,
    creditDebitIndicator: 'D',
    issuerCountry: 'NO',
  };
  return { source: testCard.source, method, challenge: testCard.challenge };
}

const NOT_APPROVED = '4404241111';

/** Exchanges a person for an invoice's account. The national number, in its one form, is looked at and forgotten. */
export function exchangeInvoice(nationalNumber?: string): Instrument {
  const source: InvoiceSource = nationalNumber === NOT_APPROVED ? 'sim_invoice_declined' : 'sim_invoice';
  return {
    source,
    method: { paymentType: 'INVOICE', paymentMethod: 'EasyInvoice' },
  };
}

/** Exchanges the name of an app for an account in it: the consumer is asked there, and may approve or decline. */
export function exchangeApp(name: string): Instrument {
  const app = METHODS.find((method) => method.name === name && isInApp(method));
  if (app === undefined) throw new Error(`${name} is no app`);
  const source: Source = 'sim_app';
  return { source, method: { paymentType: app.paymentType, paymentMethod: app.name }, challenge: true };
}
