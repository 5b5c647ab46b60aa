// Goal: with reserveOnDemand a test merchant's charge or cancel of a created payment reserves the whole order first,
// in the same commit, and a refusal leaves nothing behind. Method: real requests in both dialects, rows and events
// read.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { partOf } from '../../src/domain/id.ts';
import { updateMerchant } from '../../src/store/merchants/merchants.ts';
import { DIALECTS, expectErrors, expectFailure, summaryIn } from '../support/answers.ts';
import { anItem } from '../support/client.ts';
import { readEvents, RESERVED } from '../support/events.ts';
import { whileEventsAreRefused } from '../support/outage.ts';
import { startService } from '../support/service.ts';
import type { Service, Shop } from '../support/service.ts';

let service: Service;
before(async () => {
  service = await startService();
});
after(() => service.stop());

const charges = (paymentId: string): string => `/v1/payments/${paymentId}/charges`;
const cancels = (paymentId: string): string => `/v1/payments/${paymentId}/cancels`;

/** The version of the payment and its movements, in order. */
async function readRows(paymentId: string): Promise<object> {
  const [payment] = await service.pool.query<{ version: number; movements: string[] }>(
    `select version, array(
       select kind || ' ' || state from movements
       where movements.part = payments.part and payment_id = payments.id order by sequence
     ) as movements
     from payments where part = $1 and id = $2`,
    [partOf(paymentId), paymentId],
  );
  return payment as object;
}

for (const dialect of DIALECTS) {
  describe(`reserveOnDemand in the dialect ${dialect}`, () => {
    let shop: Shop;
    before(async () => {
      shop = await service.openShop({ dialect, reserveOnDemand: true });
    });

    // decision: reserve-on-demand
    test('off by default: a charge and a cancel of a created payment are refused', async () => {
      const { client } = await service.openShop({ dialect });
      const paymentId = await client.create();
      const message = /^The payment is not reserved\./;
      expectFailure(await client.post(charges(paymentId), { amount: 1 }), { status: 402, code: '1003', message });
      expectFailure(await client.post(cancels(paymentId), { amount: 1 }), { status: 405, code: '1003', message });
      assert.deepEqual(await readRows(paymentId), { version: 1, movements: [] });
    });

    // decision: reserve-on-demand
    test('a charge reserves the whole order with the approved card, in the same commit', async () => {
      const { client } = shop;
      const paymentId = await client.create(100_000);
      const chargeId = await client.charge(paymentId, 30_000);
      const { summary, paymentDetails, consumer } = await client.payment(paymentId);
      assert.deepEqual(summary, summaryIn(dialect, { reserved: 100_000, charged: 30_000 }));
      assert.equal(paymentDetails.cardDetails.maskedPan, '492500******0004');
      assert.match(consumer.privatePerson.email, /@example\.test$/);
      assert.deepEqual(await readRows(paymentId), {
        version: 2,
        movements: ['reservation approved', 'charge approved'],
      });
      const events = await readEvents(service.pool, paymentId);
      assert.deepEqual(
        events.map(({ name, version }) => [name, version]),
        [...RESERVED, 'payment.charge.created'].map((name) => [name, 2]),
      );
      assert.equal(events.at(-1)?.movement_id, chargeId);
    });

    // decision: reserve-on-demand
    test('a cancel reserves the whole order first, too', async () => {
      const { client } = shop;
      const paymentId = await client.create(100_000);
      await client.cancel(paymentId, 40_000);
      const { summary } = await client.payment(paymentId);
      assert.deepEqual(summary, summaryIn(dialect, { reserved: 100_000, cancelled: 40_000 }));
      const events = await readEvents(service.pool, paymentId);
      assert.deepEqual(
        events.map(({ name, version }) => [name, version]),
        [...RESERVED, 'payment.cancel.created'].map((name) => [name, 2]),
      );
    });

    test('once reserved, nothing is reserved again', async () => {
      const { client } = shop;
      const paymentId = await client.create(100_000);
      await client.charge(paymentId, 30_000);
      await client.cancel(paymentId, 10_000);
      await client.charge(paymentId, 60_000);
      const { summary } = await client.payment(paymentId);
      assert.deepEqual(summary, summaryIn(dialect, { reserved: 100_000, charged: 90_000, cancelled: 10_000 }));
      assert.deepEqual(await readRows(paymentId), {
        version: 4,
        movements: ['reservation approved', 'charge approved', 'cancel approved', 'charge approved'],
      });
    });

    // decision: reserve-on-demand
    test('a charge or cancel that is too large leaves nothing behind, not even the reservation', async () => {
      const { client } = shop;
      const paymentId = await client.create(100_000);
      const beforehand = await client.payment(paymentId);
      const message = 'The charge of 100001 is more than the 100000 left to charge.';
      const refused = await client.post(charges(paymentId), { amount: 100_001 });
      expectFailure(refused, { status: 402, code: '1001', message });
      const text = 'the cancel of 100001 is more than the 100000 left to cancel';
      expectErrors(await client.post(cancels(paymentId), { amount: 100_001 }), { amount: [text] });
      assert.deepEqual(await client.payment(paymentId), beforehand);
      assert.deepEqual(await readRows(paymentId), { version: 1, movements: [] });
      assert.deepEqual(await readEvents(service.pool, paymentId), []);
    });

    // decision: reserve-on-demand
    test('a commit that fails leaves nothing behind either, and can be asked for again', async () => {
      const { client } = shop;
      const paymentId = await client.create(100);
      const reply = await whileEventsAreRefused(service, () => client.post(charges(paymentId), { amount: 100 }));
      assert.equal(reply.status, 500);
      assert.deepEqual(await readRows(paymentId), { version: 1, movements: [] });
      await client.charge(paymentId, 100);
    });

    test('a refund reserves nothing', async () => {
      const paymentId = await shop.client.create();
      const text = 'no charge has 1 left: nothing was charged yet';
      const reply = await shop.client.post(`/v1/payments/${paymentId}/refunds`, { amount: 1 });
      expectErrors(reply, { amount: [text] });
      assert.deepEqual(await readRows(paymentId), { version: 1, movements: [] });
    });

    test('a terminated payment stays refused', async () => {
      const { client } = shop;
      const paymentId = await client.create();
      await client.must(204, 'PUT', `/v1/payments/${paymentId}/terminate`);
      const message = 'The payment is terminated.';
      expectFailure(await client.post(charges(paymentId), { amount: 1 }), { status: 402, code: '1003', message });
      expectFailure(await client.post(cancels(paymentId), { amount: 1 }), { status: 405, code: '1003', message });
    });

    test('checkout.charge does not charge a second time', async () => {
      const { client } = shop;
      const paymentId = await client.create(100_000, { charge: true });
      await client.charge(paymentId, 25_000);
      const { summary } = await client.payment(paymentId);
      assert.deepEqual(summary, summaryIn(dialect, { reserved: 100_000, charged: 25_000 }));
    });

    test('after a declined try the charge reserves anew, and payment.created is not told again', async () => {
      const { client } = shop;
      const paymentId = await client.create(100);
      await client.must(402, 'POST', `/v1/sandbox/payments/${paymentId}/reserve`, { card: '4000000000000002' });
      await client.charge(paymentId, 100);
      const events = await readEvents(service.pool, paymentId);
      assert.deepEqual(
        events.map(({ name, version }) => [name, version]),
        [
          ['payment.created', 2],
          ['payment.reservation.failed', 2],
          ['payment.reservation.created', 3],
          ['payment.checkout.completed', 3],
          ['payment.charge.created', 3],
        ],
      );
    });

    test('one Idempotency-Key, one reservation and one charge; a kept refusal reserves nothing', async () => {
      const { client } = shop;
      const key = { 'idempotency-key': 'on-demand' };
      const paymentId = await client.create(100);
      const refusedId = await client.create(100);
      const replies = [1, 2].map(() => client.post(charges(paymentId), { amount: 60 }, key));
      const [first, second] = await Promise.all(replies);
      assert.deepEqual([first?.status, second?.status], [201, 201]);
      assert.equal(first?.text, second?.text);
      assert.deepEqual((await client.payment(paymentId)).summary, summaryIn(dialect, { reserved: 100, charged: 60 }));
      await client.post(charges(refusedId), { amount: 101 }, key);
      assert.deepEqual((await client.payment(refusedId)).summary, summaryIn(dialect, {}));
    });

    test('strictItems is judged on the payment as it was just reserved', async () => {
      const strict = await service.openShop({ dialect, reserveOnDemand: true, strictItems: true });
      const paymentId = await strict.client.create(100);
      const body = { amount: 100, orderItems: [anItem({ reference: 'other', grossTotalAmount: 100 })] };
      const reply = await strict.client.post(charges(paymentId), body);
      expectErrors(reply, { 'orderItems[0].reference': ['the order has no item with reference "other"'] });
      assert.deepEqual(await readRows(paymentId), { version: 1, movements: [] });
    });
  });
}

test('switched on and off, it takes hold at once', async () => {
  const { client, merchant } = await service.openShop();
  const paymentId = await client.create(100);
  assert.equal((await client.post(charges(paymentId), { amount: 1 })).status, 402);
  await updateMerchant(service.pool, merchant.id, { reserveOnDemand: true });
  await untilAnswered(() => client.post(charges(paymentId), { amount: 1 }), 201);
  await updateMerchant(service.pool, merchant.id, { reserveOnDemand: false });
  const other = await client.create(100);
  await untilAnswered(() => client.post(cancels(other), { amount: 101 }), 405);
});

/** Settings reach the service by a notice of the database, a moment after they were changed. */
async function untilAnswered(ask: () => Promise<{ status: number }>, status: number): Promise<void> {
  for (;;) {
    if ((await ask()).status === status) return;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

// decision: test-and-live-merchants
test('a live merchant cannot have it', async () => {
  await assert.rejects(service.openShop({ live: true, reserveOnDemand: true }), /check constraint/);
});
