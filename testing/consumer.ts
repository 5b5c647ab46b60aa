// The consumer of a test: pays with a card or by invoice, as the checkout's page does it, without a browser.
import { cards } from './cards.ts';

export type PayOptions = {
  /** What the consumer types, in place of Ada Öberg of Stockholm. */
  readonly consumer?: object | undefined;
  /** What they do when their bank asks (3-D Secure): `pass` by default. */
  readonly challenge?: 'pass' | 'fail' | undefined;
  /** By invoice in place of a card; for some countries with the consumer's national number. */
  readonly invoice?: true | { readonly nationalNumber: string } | undefined;
};

/** `paid`, or why not: `declined`, `amount_changed`, `expired`, `already_paid`, … */
export type Paid = { readonly paymentId: string; readonly outcome: string; readonly message?: string | undefined };

export type Checkout = { readonly url: string; readonly checkoutKey: string };

export const ADA = {
  email: 'ada@example.test',
  phoneNumber: { prefix: '+46', number: '701234567' },
  privatePerson: { firstName: 'Ada', lastName: 'Öberg' },
  shippingAddress: { addressLine1: 'Storgatan 1', postalCode: '11122', city: 'Stockholm', country: 'SWE' },
};

const NATIONAL_NUMBER = '19121212-1212';

/** Good for as long as a test clock may be ahead. */
export const expiryYear = (): string => String(new Date().getFullYear() + 4).slice(-2);

type Answer = {
  readonly reason?: string;
  readonly message?: string;
  readonly redirectUrl?: string;
  readonly amount?: number;
};

async function ask(url: string, headers: Record<string, string>, body?: object): Promise<[number, Answer, string]> {
  const response = await fetch(url, {
    headers: { 'content-type': 'application/json', ...headers },
    ...(body && { method: 'POST', body: JSON.stringify(body) }),
  });
  const text = await response.text();
  return [response.status, (text.startsWith('{') ? JSON.parse(text) : {}) as Answer, text];
}

const cardOf = (cardNumber: string): object => ({
  type: 'card',
  paymentType: {
    card: {
      cardNumber,
      cardVerificationCode: '123',
      expiryMonth: '12',
      expiryYear: expiryYear(),
      cardholderName: 'Ada Öberg',
    },
  },
});

export async function pay(
  { url, checkoutKey }: Checkout,
  paymentId: string,
  card: string = cards.approved,
  { consumer = ADA, challenge = 'pass', invoice }: PayOptions = {},
): Promise<Paid> {
  const headers = { paymentId, checkoutKey };
  const [status, { amount }] = await ask(`${url}/api/v1/checkout`, headers);
  if (status !== 200) throw new Error(`there is no payment ${paymentId} of this merchant (${status})`);
  const { nationalNumber = NATIONAL_NUMBER } = typeof invoice === 'object' ? invoice : {};
  const how = invoice ? { type: 'invoice', paymentType: { invoice: { nationalNumber } } } : cardOf(card);
  const press = { ...how, consumer, amountConfirmedByConsumer: amount, acceptedTermsAndConditions: true };
  let [came, answer, text] = await ask(`${url}/api/v1/pay`, headers, press);
  if (came === 202) {
    // The session is in the address of the bank's page: /challenge/{session}.
    const SessionId = new URL(answer.redirectUrl ?? '').pathname.split('/')[2];
    const passed = { ReferenceId: 'kassa-testing', SessionId, AuthenticationStatus: challenge === 'pass' ? 'Y' : 'N' };
    [came, answer, text] = await ask(`${url}/api/v1/callback/pares`, {}, passed);
  }
  if (came === 201 || came === 204) return { paymentId, outcome: 'paid' };
  if (answer.reason === undefined || came === 400) throw new Error(`the consumer could not pay: ${came} ${text}`);
  return { paymentId, outcome: answer.reason, message: answer.message };
}
