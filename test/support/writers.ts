// Writers who keep a journal: each leads payments through their life (create, reserve, two charges, a refund, a cancel)
// and notes every answer. With keys a request that failed is sent again until it is answered, so the end is known
// exactly; without, the payment is given up at the first failure, and one request of it may or may not have been done.
import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { aCreate } from './client.ts';
import type { Client, Reply } from './client.ts';
import { until } from './kassa.ts';

type Life = {
  readonly n: number;
  readonly isKeyed: boolean;
  paymentId?: string;
  readonly charges: string[];
  readonly refunds: string[];
  cancelled: number;
  isGivenUp: boolean;
};

/** What a payment comes to in the end: 1000 reserved, 400 and 300 charged, 100 of the first given back, 200 cancelled. */
const CHARGES = [400, 300] as const;
const REFUND = 100;
const CANCEL = 200;
const WHOLE = { reservedAmount: 1_000, chargedAmount: 700, refundedAmount: REFUND, cancelledAmount: CANCEL };

/** Create, two charges, a refund and a cancel; the reservation, which takes no key, is not counted. */
export const WRITES_OF_A_LIFE = 5;

// Nobody answers for this long only when something is broken for good.
const TIMEOUT_MS = 180_000;
const RETRY_PAUSE_MS = 20;

class GivenUp extends Error {}

type WritersOptions = {
  /** Whom the nth payment's next request goes to: it may be another service than before. */
  readonly clientFor: (n: number) => Client;
  /** Every nth payment is written without keys; none when it is left out. */
  readonly unkeyedEvery?: number;
};

export class Writers {
  acknowledged = 0;
  /** Requests that had to be sent again: answered with 503, or not at all. */
  sentAgain = 0;
  readonly #options: WritersOptions;
  readonly #lives: Life[] = [];

  constructor(options: WritersOptions) {
    this.#options = options;
  }

  /** Leads as many payments through their life, so many at once. */
  async write(count: number, atOnce: number): Promise<void> {
    const last = this.#lives.length + count;
    const lead = async (): Promise<void> => {
      while (this.#lives.length < last) {
        const n = this.#lives.length;
        const { unkeyedEvery } = this.#options;
        const isKeyed = unkeyedEvery === undefined || n % unkeyedEvery !== 0;
        const life: Life = { n, isKeyed, charges: [], refunds: [], cancelled: 0, isGivenUp: false };
        this.#lives.push(life);
        await this.#lead(life).catch((error: unknown) => {
          if (!(error instanceof GivenUp)) throw error;
          life.isGivenUp = true;
        });
      }
    };
    await Promise.all(Array.from({ length: atOnce }, lead));
  }

  /** Resolves when so many writes are acknowledged. */
  async reached(acknowledged: number): Promise<void> {
    while (this.acknowledged < acknowledged) await sleep(5);
  }

  /** Reads every payment of the merchant and compares it with the journal. */
  async check(client: Client): Promise<void> {
    const payments = await readAll(client);
    const givenUp = this.#lives.filter(({ isGivenUp }) => isGivenUp).length;
    const known = this.#lives.filter(({ paymentId }) => paymentId !== undefined);
    assert.equal(new Set(known.map(({ paymentId }) => paymentId)).size, known.length, 'one payment for each create');
    for (const life of known) {
      const payment = payments.get(life.paymentId as string);
      assert.ok(payment, `payment ${life.paymentId} was acknowledged and is gone`);
      payments.delete(life.paymentId as string);
      expectLife(life, payment);
    }
    const unknown = this.#lives.length - known.length;
    assert.ok(payments.size <= unknown, `${payments.size} payments that nobody asked for`);
    assert.ok(unknown <= givenUp);
  }

  async #lead(life: Life): Promise<void> {
    const created = await this.#send(life, 'create', '/v1/payments', aCreate(1_000), 201);
    life.paymentId = created.body.paymentId as string;
    await this.#send(life, 'reserve', `/v1/sandbox/payments/${life.paymentId}/reserve`, {}, 201);
    for (const amount of CHARGES) {
      const charged = await this.#send(life, `c${amount}`, `/v1/payments/${life.paymentId}/charges`, { amount }, 201);
      life.charges.push(charged.body.chargeId);
    }
    const refunds = `/v1/charges/${life.charges[0]}/refunds`;
    life.refunds.push((await this.#send(life, 'refund', refunds, { amount: REFUND }, 201)).body.refundId);
    await this.#send(life, 'cancel', `/v1/payments/${life.paymentId}/cancels`, { amount: CANCEL }, 204);
    life.cancelled = CANCEL;
  }

  async #send(life: Life, name: string, path: string, body: object, status: number): Promise<Reply> {
    const headers = life.isKeyed ? { 'idempotency-key': `${life.n}-${name}` } : {};
    const deadline = performance.now() + TIMEOUT_MS;
    for (let tries = 0; ; tries += 1) {
      const reply = await this.#options
        .clientFor(life.n)
        .post(path, body, headers)
        .catch(() => undefined);
      // A reservation takes no key; when it was made, the second try is told so.
      const isMade = name === 'reserve' && tries > 0 && reply?.body?.code === '1004';
      if (reply && (reply.status === status || isMade)) {
        if (name !== 'reserve') this.acknowledged += 1;
        return reply;
      }
      if (reply && reply.status !== 503) assert.fail(`${path}: ${reply.status} ${reply.text}`);
      if (reply) assert.equal(reply.headers.get('retry-after'), '1');
      this.sentAgain += 1;
      if (!life.isKeyed) throw new GivenUp(name);
      assert.ok(performance.now() < deadline, `${path} was not answered`);
      await sleep(RETRY_PAUSE_MS);
    }
  }
}

// oxlint-disable-next-line typescript/no-explicit-any -- payments are looked into field by field
type Json = any;

async function readAll(client: Client): Promise<Map<string, Json>> {
  const all = new Map<string, Json>();
  let cursor = '';
  do {
    const path = `/v1/payments?limit=100${cursor && `&cursor=${cursor}`}`;
    // What was cut a moment ago may still be away.
    const page = await until('a page of payments', async () => {
      const { status, body } = await client.get(path);
      assert.ok(status === 200 || status === 503, `${path}: ${status} ${JSON.stringify(body)}`);
      return status === 200 && body;
    });
    for (const payment of page.payments) all.set(payment.paymentId, payment);
    cursor = page.cursor ?? '';
  } while (cursor !== '');
  return all;
}

function expectLife(life: Life, payment: Json): void {
  const charges: string[] = payment.charges.map(({ chargeId }: { chargeId: string }) => chargeId);
  const refunds: string[] = payment.refunds.map(({ refundId }: { refundId: string }) => refundId);
  if (!life.isGivenUp) {
    assert.deepEqual(payment.summary, WHOLE, payment.paymentId);
    assert.deepEqual([charges, refunds], [life.charges, life.refunds]);
    return;
  }
  for (const id of life.charges) assert.ok(charges.includes(id), `charge ${id} was acknowledged and is gone`);
  for (const id of life.refunds) assert.ok(refunds.includes(id), `refund ${id} was acknowledged and is gone`);
  const { cancelledAmount } = payment.summary;
  assert.ok(cancelledAmount >= life.cancelled);
  const more = charges.length - life.charges.length + refunds.length - life.refunds.length;
  assert.ok(more + (cancelledAmount > life.cancelled ? 1 : 0) <= 1, 'more was done than the one request in flight');
}
