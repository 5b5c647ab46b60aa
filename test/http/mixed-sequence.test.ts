// Goal: after any mixture of charges, refunds and cancels the four amounts are what the accepted ones add up to, and
// the books agree. Method: long sequences out of a fixed seed are sent, each answer is predicted by a few lines of
// arithmetic, and the payment is compared after every step; at the end everything is recomputed from the movements.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { verifyBooks } from '../../src/store/books/verify.ts';
import { DIALECTS, summaryIn } from '../support/answers.ts';
import type { Client } from '../support/client.ts';
import { readEventNames, RESERVED } from '../support/events.ts';
import { startService } from '../support/service.ts';
import type { Service } from '../support/service.ts';

const STEPS = 60;
const SEEDS = [1, 2, 3, 4];
const AMOUNTS = [7, 1_000, 100_000, 1_000_000_000_000];

let service: Service;
before(async () => {
  service = await startService();
});
after(() => service.stop());

/** A small generator of numbers from 0 up to 1 (mulberry32): the same seed, the same sequence. */
function numbersFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

type Charge = { readonly id: string; readonly amount: number; left: number };

/** What a payment must look like, kept by adding up what was accepted. */
class Ledger {
  readonly reserved: number;
  charged = 0;
  refunded = 0;
  cancelled = 0;
  readonly charges: Charge[] = [];
  readonly refunds: { readonly id: string; readonly amount: number }[] = [];
  readonly events = [...RESERVED];

  constructor(reserved: number) {
    this.reserved = reserved;
  }

  get left(): number {
    return this.reserved - this.charged - this.cancelled;
  }
}

async function charge(client: Client, paymentId: string, ledger: Ledger, amount: number): Promise<void> {
  const fits = amount <= ledger.left;
  const reply = await client.post(`/v1/payments/${paymentId}/charges`, { amount });
  assert.equal(reply.status, fits ? 201 : 402, reply.text);
  if (!fits) return;
  ledger.charged += amount;
  ledger.charges.push({ id: reply.body.chargeId, amount, left: amount });
  ledger.events.push('payment.charge.created');
}

async function cancel(client: Client, paymentId: string, ledger: Ledger, amount: number): Promise<void> {
  const { left } = ledger;
  const reply = await client.post(`/v1/payments/${paymentId}/cancels`, { amount });
  assert.equal(reply.status, amount <= left ? 204 : left === 0 ? 405 : 400, reply.text);
  if (amount > left) return;
  ledger.cancelled += amount;
  ledger.events.push('payment.cancel.created');
}

/** By the charge that is picked; without one by the payment, which takes the oldest charge that has enough left. */
async function refund(
  client: Client,
  paymentId: string,
  ledger: Ledger,
  amount: number,
  picked?: Charge,
): Promise<void> {
  const path = picked ? `/v1/charges/${picked.id}/refunds` : `/v1/payments/${paymentId}/refunds`;
  const source = picked ?? ledger.charges.find(({ left }) => left >= amount);
  const reply = await client.post(path, { amount });
  if (source === undefined || source.left < amount) {
    assert.match(String(reply.status), /^40[02]$/, reply.text);
    return;
  }
  assert.equal(reply.status, 201, reply.text);
  source.left -= amount;
  ledger.refunded += amount;
  ledger.refunds.push({ id: reply.body.refundId, amount });
  ledger.events.push('payment.refund.initiated', 'payment.refund.completed');
}

async function step(client: Client, paymentId: string, ledger: Ledger, random: () => number): Promise<void> {
  const kind = random();
  const pick = ledger.charges[Math.floor(random() * ledger.charges.length)];
  const upTo = kind < 0.5 ? ledger.left : (pick?.left ?? 1);
  // Mostly a part of what is left; now and then all of it, or one more than that.
  const size = random();
  const amount = Math.max(1, size < 0.7 ? Math.ceil(random() * upTo * 0.4) : size < 0.85 ? upTo : upTo + 1);
  if (amount > 1_000_000_000_000) return;
  if (kind < 0.35) await charge(client, paymentId, ledger, amount);
  else if (kind < 0.5) await cancel(client, paymentId, ledger, amount);
  else await refund(client, paymentId, ledger, amount, kind < 0.8 ? pick : undefined);
}

for (const dialect of DIALECTS) {
  describe(`mixed sequences in the dialect ${dialect}`, () => {
    for (const [index, seed] of SEEDS.entries()) {
      const amount = AMOUNTS[index] as number;
      // decision: life-of-a-payment
      test(`the summary adds up after each of ${STEPS} steps on an order of ${amount}`, async () => {
        const { client } = await service.openShop({ dialect });
        const paymentId = await client.createReserved(amount);
        const ledger = new Ledger(amount);
        const random = numbersFrom(seed);
        for (let steps = 0; steps < STEPS; steps += 1) {
          await step(client, paymentId, ledger, random);
          assert.deepEqual((await client.payment(paymentId)).summary, summaryIn(dialect, ledger));
        }
        const payment = await client.payment(paymentId);
        assert.deepEqual(
          (payment.charges ?? []).map((each: { chargeId: string; amount: number }) => [each.chargeId, each.amount]),
          ledger.charges.map((each) => [each.id, each.amount]),
        );
        assert.deepEqual(
          (payment.refunds ?? []).map((each: { refundId: string; amount: number }) => [each.refundId, each.amount]),
          ledger.refunds.map((each) => [each.id, each.amount]),
        );
        assert.deepEqual(await readEventNames(service.pool, paymentId), ledger.events);
        assert.ok(ledger.charges.length > 0 && ledger.refunds.length > 0, 'the sequence moved money both ways');
      });
    }
  });
}

test('the books agree with themselves afterwards', async () => {
  const { counts, differences } = await verifyBooks(service.pool);
  assert.deepEqual(differences, []);
  assert.equal(counts.payments, DIALECTS.length * SEEDS.length);
  assert.equal(counts.pending, 0);
});
