// How a payment gets reserved: by the sandbox call of a shop's tests, or by a consumer at the checkout, with or without a
// check by their bank. Neither has a key. After an answer that was lost the payment is read until it is known how it
// stands, and only then tried again, if it is still open.
import { testCards } from '../../src/acquirers/test-cards.ts';
import type { CardSource } from '../../src/acquirers/test-cards.ts';
import { GivenUp } from './retrying-client.ts';
import type { RetryingClient, Reply } from './retrying-client.ts';
import type { Life } from './journal.ts';

const numberOf = (source: CardSource, challenge = false): string =>
  testCards.find((card) => card.source === source && card.challenge === challenge)?.number ?? '';

export const CARDS = {
  good: numberOf('sim_approved'),
  challenged: numberOf('sim_approved', true),
  declined: numberOf('sim_reservation_declined'),
  chargeDeclined: numberOf('sim_charge_declined'),
  refundDeclined: numberOf('sim_refund_declined'),
  cancelDeclined: numberOf('sim_cancel_declined'),
  /** Good until its subscription is charged: then a soft decline, and a hard one. */
  renewalDeclined: numberOf('sim_renewal_declined'),
  renewalExpired: numberOf('sim_renewal_expired'),
} as const;

// A consumer whose card is good and whose tries come to nothing goes on; the bank is not away for this many.
const MOST_TRIES = 12;

const consumer = {
  email: 'ada@example.test',
  phoneNumber: { prefix: '+46', number: '701234567' },
  privatePerson: { firstName: 'Ada', lastName: 'Berg' },
  shippingAddress: { addressLine1: 'Storgatan 1', postalCode: '111 22', city: 'Stockholm', country: 'SWE' },
};

const payBody = (amount: number, cardNumber: string): object => ({
  type: 'card',
  paymentType: { card: { cardNumber, cardVerificationCode: '123', expiryMonth: '12', expiryYear: '35' } },
  amountConfirmedByConsumer: amount,
  acceptedTermsAndConditions: true,
  consumer,
});

/** Too late: the clock of whoever was asked says that the check of the bank is over, so nothing was tried. */
type Answered = 'reserved' | 'declined' | 'unknown' | 'too late';

class Reserver {
  readonly #client: RetryingClient;
  readonly #life: Life;
  readonly #isConsumer: boolean;

  constructor(client: RetryingClient, life: Life) {
    this.#client = client;
    this.#life = life;
    this.#isConsumer = client.random.chance(0.4);
    if (this.#isConsumer && life.card === CARDS.good && client.random.chance(0.25)) life.card = CARDS.challenged;
  }

  get #headers(): Record<string, string> {
    return { paymentid: this.#life.paymentId ?? '', checkoutkey: this.#client.shop.checkoutKey };
  }

  /** One try with the life's card, and what is known after it. */
  async try(): Promise<Answered> {
    const { reserving } = this.#life;
    reserving.sent += 1;
    const told = this.#isConsumer ? await this.#pay() : await this.#callSandbox();
    if (told === 'declined') reserving.declined += 1;
    if (told !== 'unknown') return told;
    reserving.unknown += 1;
    this.#client.journal.unknown.add(reserving);
    return this.#lookUp();
  }

  async #callSandbox(): Promise<Answered> {
    const { paymentId, card, reserving, n } = this.#life;
    const reply = await this.#client.post(this.#life, `/v1/sandbox/payments/${paymentId}/reserve`, { card });
    if (reply?.status === 201) reserving.reservationId = String(reply.body?.reservationId);
    if (reply?.status === 404) this.#client.journal.find('lost', `payment ${paymentId} is not known any more`, n);
    return this.#read(reply);
  }

  async #pay(): Promise<Answered> {
    const { amount, card } = this.#life;
    const pay = { method: 'POST', path: '/api/v1/pay', body: payBody(amount, card), headers: this.#headers } as const;
    const reply = await this.#client.send(this.#life, pay);
    return reply?.status === 202 ? this.#passChallenge(String(reply.body?.redirectUrl)) : this.#read(reply);
  }

  /** The bank's page tells of the consumer's yes until it is heard. */
  async #passChallenge(redirectUrl: string): Promise<Answered> {
    const session = redirectUrl.split('/').at(-1);
    const body = { ReferenceId: 'any', SessionId: session, AuthenticationStatus: 'Y' };
    for (let tries = 0; tries < MOST_TRIES; tries += 1) {
      const reply = await this.#client.send(this.#life, { method: 'POST', path: '/api/v1/callback/pares', body });
      if (reply && reply.status !== 503) return this.#read(reply);
      await this.#client.pause(tries);
    }
    return 'unknown';
  }

  #read(reply: Reply | undefined): Answered {
    const { journal } = this.#client;
    if (reply?.status === 201) return 'reserved';
    if (reply?.status === 402) return reply.body?.reason === 'challenge_over' ? 'too late' : 'declined';
    // Under way or done already, being determined, not known: reading tells.
    const isHonest = reply?.status !== 500 || reply.text.includes('being determined');
    if (!isHonest) journal.find('defect', `a reservation is answered ${reply?.status} ${reply?.text}`, this.#life.n);
    return 'unknown';
  }

  async #lookUp(): Promise<Answered> {
    for (let looks = 0; ; looks += 1) {
      const { state, lastTry } = await this.#client.read(this.#life, '/api/v1/checkout', this.#headers);
      if (state === 'paid') return 'reserved';
      if (state === 'open') return lastTry === undefined ? 'unknown' : 'declined';
      await this.#client.pause(looks);
    }
  }
}

/** Tries until it is reserved, or declined with a card that is to be declined. */
export async function reserve(client: RetryingClient, life: Life): Promise<void> {
  const reserver = new Reserver(client, life);
  for (let tries = 0; tries < MOST_TRIES; tries += 1) {
    const told = await reserver.try();
    life.reserving.knows = told === 'reserved' ? 'reserved' : 'not reserved';
    if (told === 'reserved') return;
    if (told === 'declined' && life.card === CARDS.declined) {
      if (client.random.chance(0.5)) return;
      life.card = CARDS.good;
    }
    await client.pause(tries);
  }
  throw new GivenUp('it could not be reserved');
}
