// What two shops do with a Kassa, over its API and its commands alone, so that it can be done with any release: payments
// in every state, invoices, subscriptions and bulks, webhooks, keys, people. What it answers is kept.
import { aPay, anInvoicePay, CARDS } from '../../test/support/checkout.ts';
import { aCreate, anItem, anOrder, Client } from '../../test/support/client.ts';
import type { Reply } from '../../test/support/client.ts';
import { until } from '../../test/support/kassa.ts';
import { subscribe, SUBSCRIPTION_PATHS } from '../../test/support/subscriptions.ts';

export type KeptShop = { merchantId: number; secretKey: string; checkoutKey: string; webhookId: string };
export type KeptRequest = {
  readonly shop: number;
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly key?: string;
  readonly body?: unknown;
  readonly status: number;
  readonly answer: unknown;
};

// Nobody is there.
export const DEAD_END = 'http://127.0.0.1:9/events';

/** What the shops know of their payments, by what was done with them. */
export type Known = Record<string, string>;

const keyed = (key: string): Record<string, string> => ({ 'idempotency-key': key });

export class ShopLife {
  readonly shop: number;
  readonly keys: KeptShop;
  readonly known: Known = {};
  readonly requests: KeptRequest[] = [];
  #client: Client;

  constructor(url: string, shop: number, keys: KeptShop) {
    this.shop = shop;
    this.keys = keys;
    this.#client = new Client(url, keys.secretKey);
  }

  /** Asks another Kassa from now on. */
  moveTo(url: string): void {
    this.#client = new Client(url, this.keys.secretKey);
  }

  async #ask(path: string, key: string, body: unknown): Promise<Reply['body']> {
    const { status, body: answer } = await this.#client.post(path, body, keyed(key));
    this.requests.push({ shop: this.shop, method: 'POST', path, key, body, status, answer });
    return answer;
  }

  async #pay(paymentId: string, body: unknown): Promise<void> {
    await new Client(this.#client.url).post('/api/v1/pay', body, { paymentId, checkoutKey: this.keys.checkoutKey });
  }

  /** Payments in every state that they can be in. */
  async makePayments(): Promise<void> {
    const [client, known] = [this.#client, this.known];
    known['created'] = await client.create(30_000);
    known['terminated'] = await client.create(30_000);
    await client.must(204, 'PUT', `/v1/payments/${known['terminated']}/terminate`);
    known['declined'] = await client.create();
    await this.#pay(known['declined'], aPay(CARDS.declined));
    known['challenged'] = await client.create();
    await this.#pay(known['challenged'], aPay(CARDS.challenge));
    known['invoice'] = await client.create();
    await this.#pay(known['invoice'], anInvoicePay('19121212-1212'));
    known['chargeOfInvoice'] = await client.charge(known['invoice'], 100_000);
    known['refundOfInvoice'] = await client.refund(known['chargeOfInvoice'], 20_000);
    known['reserved'] = await client.createReserved(50_000);
    known['partlyCharged'] = await client.createReserved(50_000);
    known['charge'] = await client.charge(known['partlyCharged'], 20_000);
    known['cancelled'] = await client.createReserved(60_000);
    await client.cancel(known['cancelled'], 60_000);
    known['changed'] = await client.create(30_000);
    const items = [anItem({ reference: 'Größe ☃', grossTotalAmount: 45_000 })];
    await client.must(204, 'PUT', `/v1/payments/${known['changed']}/orderitems`, { amount: 45_000, items });
    const reference = { reference: 'order-9', checkoutUrl: 'https://shop.example/other' };
    await client.must(204, 'PUT', `/v1/payments/${known['changed']}/referenceinformation`, reference);
    const webHooks = [{ eventName: 'payment.charge.created.v2', url: DEAD_END, authorization: 'secret-of-a-hook' }];
    const hooked = await client.must(201, 'POST', '/v1/payments', { ...aCreate(), notifications: { webHooks } });
    known['hooked'] = hooked.paymentId;
    await client.must(201, 'POST', `/v1/sandbox/payments/${hooked.paymentId}/reserve`, {});
  }

  /** The few that the second shop has as well. */
  async makeFew(): Promise<void> {
    const [client, known] = [this.#client, this.known];
    known['paid'] = await client.create();
    await this.#pay(known['paid'], aPay(CARDS.mastercard));
    known['refunded'] = await client.createReserved(100_000);
    known['chargeOfRefunded'] = await client.charge(known['refunded'], 100_000);
    known['refund'] = await client.refund(known['chargeOfRefunded'], 30_000);
    await this.moveWithKeys('first');
  }

  /** A life with a key at each step. */
  async moveWithKeys(name: string): Promise<void> {
    const { paymentId } = await this.#ask('/v1/payments', `${name}-create`, aCreate());
    this.known[`${name} keyed`] = paymentId;
    await this.#client.must(201, 'POST', `/v1/sandbox/payments/${paymentId}/reserve`, {});
    const amounts = { amount: 40_000 };
    const { chargeId } = await this.#ask(`/v1/payments/${paymentId}/charges`, `${name}-charge`, amounts);
    await this.#ask(`/v1/charges/${chargeId}/refunds`, `${name}-refund`, { amount: 10_000 });
    await this.#ask(`/v1/payments/${paymentId}/cancels`, `${name}-cancel`, { amount: 5_000 });
  }

  /** Both kinds of subscriptions, each charged alone and in a bulk. */
  async subscribe(): Promise<void> {
    for (const kind of ['scheduled', 'unscheduled'] as const) {
      const { path, idName, listName } = SUBSCRIPTION_PATHS[kind];
      const id = await subscribe(this.#client, kind);
      this.known[kind] = id;
      const { body: charged } = await this.#client.post(`${path}/${id}/charges`, { order: anOrder(4_000) });
      this.known[`${kind} charged`] = charged.paymentId;
      const entries = [{ [idName]: id, order: anOrder(5_000) }];
      const asked = { externalBulkChargeId: `bulk-${kind}`, [listName]: entries };
      const { bulkId } = await this.#client.must(202, 'POST', `${path}/charges`, asked);
      this.known[`${kind} bulk`] = bulkId;
      const { page } = await until('the bulk to be done', async () => {
        const bulk = await this.#client.must(200, 'GET', `${path}/charges/${bulkId}`);
        return bulk.status === 'Done' && bulk;
      });
      this.known[`${kind} of bulk`] = page[0].paymentId;
    }
  }

  /** What goes on with payments that were there before. */
  async goOn(): Promise<void> {
    const [client, known] = [this.#client, this.known];
    known['chargeOfReserved'] = await client.charge(known['reserved'] as string, 50_000);
    known['refundOfPart'] = await client.refund(known['charge'] as string, 5_000);
    await client.cancel(known['partlyCharged'] as string, 10_000);
    known['chargeOfHooked'] = await client.charge(known['hooked'] as string, 1_000);
    await client.must(204, 'PUT', `/v1/payments/${known['created']}/terminate`);
    known['later'] = await client.create(70_000);
    await this.moveWithKeys('second');
  }

  /** Reads all that is known. */
  async read(): Promise<KeptRequest[]> {
    const paths = Object.entries(this.known).map(([name, id]) => {
      const [kind, what] = name.split(' ');
      if (name.startsWith('charge')) return `/v1/charges/${id}`;
      if (/^refund(?!ed)/.test(name)) return `/v1/refunds/${id}`;
      if (kind !== 'scheduled' && kind !== 'unscheduled') return `/v1/payments/${id}`;
      const { path } = SUBSCRIPTION_PATHS[kind];
      if (what === undefined) return `${path}/${id}`;
      return what === 'bulk' ? `${path}/charges/${id}` : `/v1/payments/${id}`;
    });
    const answers: KeptRequest[] = [];
    for (const path of [...new Set(paths), `/v1/webhooks/${this.keys.webhookId}`]) {
      const { status, body: answer } = await this.#client.get(path);
      answers.push({ shop: this.shop, method: 'GET', path, status, answer });
    }
    return answers;
  }
}
