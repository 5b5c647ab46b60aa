// The life of a payment at the hands of a careful merchant: created, reserved, charged in one or several parts, given
// back, cancelled; now and then an operation that must be refused. The client knows the sums as exactly as the service
// does, so it knows of each operation what must become of it.
import { GivenUp } from './retrying-client.ts';
import type { RetryingClient } from './retrying-client.ts';
import { hooksAt } from './event-endpoints.ts';
import type { KeyedKind, Life, Outcome, Operation } from './journal.ts';
import { CARDS, reserve } from './reserving.ts';

type Charge = { readonly id: string; readonly amount: number; left: number };

const MOST_OPERATIONS = 5;
// Some two minutes: longer than it takes to resolve anything. That it is not there is found by the judge.
const MOST_LOOKS = 60;

/** Its reference says whose it is. */
export const orderOf = ({ n, amount }: Pick<Life, 'n' | 'amount'>): object => ({
  items: [
    {
      reference: 'thing',
      name: 'Thing',
      quantity: 1,
      unit: 'pcs',
      unitPrice: amount,
      taxRate: 0,
      taxAmount: 0,
      grossTotalAmount: amount,
      netTotalAmount: amount,
    },
  ],
  amount,
  currency: 'SEK',
  reference: `life-${n}`,
});

export const createBody = (life: Life, hookUrl: string): object => ({
  order: orderOf(life),
  checkout: { url: 'https://shop.example/checkout', ...(life.chargesAtOnce && { charge: true }) },
  notifications: hooksAt(hookUrl),
});

export class Merchant {
  readonly #client: RetryingClient;
  readonly #life: Life;
  #left: number;
  readonly #charges: Charge[] = [];

  constructor(client: RetryingClient, life: Life) {
    this.#client = client;
    this.#life = life;
    this.#left = life.amount;
  }

  async lead(): Promise<void> {
    const life = this.#life;
    const created = await this.#execute(
      'create',
      '/v1/payments',
      createBody(life, this.#client.hookUrl),
      life.amount,
      'granted',
    );
    life.paymentId = [...created.ids][0] ?? '';
    await reserve(this.#client, life);
    if (life.reserving.knows !== 'reserved') return;
    if (life.chargesAtOnce) await this.#awaitCharge();
    const operations = this.#client.random.between(1, MOST_OPERATIONS);
    for (let done = 0; done < operations; done += 1) {
      await this.#operate();
      if (this.#client.random.chance(0.7)) await this.#client.pause(1);
    }
  }

  /** The charge that comes with the reservation has no answer of its own: it is read. */
  async #awaitCharge(): Promise<void> {
    const life = this.#life;
    for (let looks = 0; looks < MOST_LOOKS; looks += 1) {
      const { payment } = await this.#client.read(life, `/v1/payments/${life.paymentId}`);
      const [charge] = payment.charges as { chargeId: string; amount: number }[];
      if (charge) {
        life.chargedAtOnce = charge.chargeId;
        this.#charges.push({ id: charge.chargeId, amount: charge.amount, left: charge.amount });
        this.#left -= charge.amount;
        return;
      }
      await this.#client.pause(looks);
    }
    throw new GivenUp('no charge came with the reservation');
  }

  async #operate(): Promise<void> {
    const { random } = this.#client;
    const refundable = this.#charges.filter(({ left }) => left > 0);
    const choices = [
      ...(this.#left > 0 ? (['charge', 'charge', 'charge', 'cancel', 'charge too much'] as const) : []),
      ...(this.#left > 10 ? (['two charges at once'] as const) : []),
      ...(refundable.length > 0 ? (['refund', 'refund', 'refund', 'refund too much'] as const) : []),
    ];
    if (choices.length === 0) return undefined;
    switch (random.choose(choices)) {
      case 'charge':
        return this.#charge(this.#part(this.#left));
      case 'two charges at once': {
        const half = Math.floor(this.#left / 2);
        await Promise.all([this.#charge(this.#part(half)), this.#charge(this.#part(half))]);
        return undefined;
      }
      case 'charge too much':
        await this.#move('charge', { amount: this.#left + 1 }, 'refused');
        return undefined;
      case 'cancel':
        return this.#cancel(this.#part(this.#left));
      case 'refund':
        return this.#refund(random.choose(refundable));
      case 'refund too much': {
        const { id, amount } = random.choose(refundable);
        await this.#execute('refund', `/v1/charges/${id}/refunds`, { amount: amount + 1 }, amount + 1, 'refused');
        return undefined;
      }
    }
  }

  /** All of it, or some. */
  #part(whole: number): number {
    const { random } = this.#client;
    return random.chance(0.4) ? whole : random.between(1, whole);
  }

  async #charge(amount: number): Promise<void> {
    const expected = this.#life.card === CARDS.chargeDeclined ? 'declined' : 'granted';
    const operation = await this.#move('charge', { amount }, expected);
    if (operation.outcome !== 'granted') return;
    this.#left -= amount;
    this.#charges.push({ id: [...operation.ids][0] ?? '', amount, left: amount });
  }

  async #cancel(amount: number): Promise<void> {
    const expected = this.#life.card === CARDS.cancelDeclined ? 'declined' : 'granted';
    const operation = await this.#move('cancel', { amount }, expected);
    if (operation.outcome === 'granted') this.#left -= amount;
  }

  async #refund(charge: Charge): Promise<void> {
    const { random } = this.#client;
    const amount = this.#part(charge.left);
    const isByPayment = this.#charges.length === 1 && random.chance(0.3);
    const path = isByPayment ? `/v1/payments/${this.#life.paymentId}/refunds` : `/v1/charges/${charge.id}/refunds`;
    const expected = this.#life.card === CARDS.refundDeclined ? 'declined' : 'granted';
    const operation = await this.#execute('refund', path, { amount }, amount, expected);
    // One that is accepted and declined later leaves more than this; nothing here counts on it.
    if (operation.outcome === 'granted') charge.left -= amount;
  }

  #move(kind: 'charge' | 'cancel', body: { amount: number }, expected: Operation['expected']): Promise<Operation> {
    return this.#execute(kind, `/v1/payments/${this.#life.paymentId}/${kind}s`, body, body.amount, expected);
  }

  #execute(
    kind: KeyedKind,
    path: string,
    body: object,
    amount: number,
    expected: Operation['expected'],
  ): Promise<Operation> {
    const life = this.#life;
    const key = `${life.n}-${life.operations.length}-${kind}`;
    const outcome: Outcome = 'open';
    return this.#client.execute(life, { kind, key, path, body, amount, expected, outcome, ids: new Set() });
  }
}
