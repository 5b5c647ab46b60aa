// The consumer's side of a payment, as a script does it: what the page sends, without the page.
import { Client } from './client.ts';
import type { Reply } from './client.ts';
import type { Service, Shop } from './service.ts';

export const CARDS = {
  approved: '4925000000000004',
  mastercard: '5413000000000000',
  declined: '4925000000000087',
  chargeDeclined: '4925000000000079',
  noFunds: '4000000000009995',
  wrongCvc: '4000000000000127',
  expired: '4000000000000069',
  challenge: '4268270087374847',
  challengeDeclined: '4000008400001629',
} as const;

export const aConsumer = (changes: object = {}): Record<string, unknown> => ({
  email: 'ada@example.test',
  phoneNumber: { prefix: '+46', number: '70 123 45 67' },
  privatePerson: { firstName: 'Ada', lastName: 'Öberg' },
  shippingAddress: { addressLine1: 'Storgatan 1', postalCode: '111 22', city: 'Stockholm', country: 'SWE' },
  ...changes,
});

export const aCard = (cardNumber: string = CARDS.approved, changes: object = {}): object => ({
  cardNumber,
  cardVerificationCode: '123',
  expiryMonth: '12',
  expiryYear: '30',
  cardholderName: 'Ada Öberg',
  ...changes,
});

/** The body of a pay with a card. */
export const aPay = (cardNumber?: string, changes: object = {}): Record<string, unknown> => ({
  type: 'card',
  paymentType: { card: aCard(cardNumber) },
  amountConfirmedByConsumer: 100_000,
  acceptedTermsAndConditions: true,
  consumer: aConsumer(),
  ...changes,
});

export const anInvoicePay = (nationalNumber?: string, changes: object = {}): Record<string, unknown> => ({
  ...aPay(),
  type: 'invoice',
  paymentType: { invoice: nationalNumber === undefined ? {} : { nationalNumber } },
  ...changes,
});

export class Consumer {
  readonly #client: Client;
  readonly #headers: Record<string, string>;

  constructor(service: Pick<Service, 'url'>, shop: Shop, paymentId: string) {
    this.#client = new Client(service.url);
    this.#headers = { paymentId, checkoutKey: shop.merchant.checkoutKey };
  }

  pay = (body: unknown = aPay(), headers: Record<string, string> = {}): Promise<Reply> =>
    this.#client.post('/api/v1/pay', body, { ...this.#headers, ...headers });

  /** What the page sends before it asks the shop. */
  note = (changes: object = {}): Promise<Reply> => {
    const press = { consumer: aConsumer(), amountConfirmedByConsumer: 100_000, acceptedTermsAndConditions: true };
    return this.#client.post('/api/v1/consumer', { ...press, ...changes }, this.#headers);
  };

  state = (): Promise<Reply> => this.#client.get('/api/v1/checkout', this.#headers);

  /** What the simulated bank reports: Y is passed. */
  answerChallenge(redirectUrl: string, status = 'Y'): Promise<Reply> {
    const body = { ReferenceId: 'any', SessionId: redirectUrl.split('/')[4], AuthenticationStatus: status };
    return this.#client.post('/api/v1/callback/pares', body);
  }
}
