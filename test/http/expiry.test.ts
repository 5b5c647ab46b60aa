// Goal: a created payment can be paid and a reservation charged or cancelled only for so long, judged by the clock at
// the moment of the request; refunds are unaffected. Method: two services share a database. A patient one makes
// payments, a hasty one with lifetimes of one second judges them after that second, so no step has to be quick.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { partOf } from '../../src/domain/id.ts';
import { DIALECTS, expectErrors, expectFailure, expectNoBody, summaryIn } from '../support/answers.ts';
import { anItem } from '../support/client.ts';
import type { Client } from '../support/client.ts';
import { startService } from '../support/service.ts';
import type { Service } from '../support/service.ts';

const LIFETIME_MS = 1_000;

let patient: Service;
let hasty: Service;
before(async () => {
  patient = await startService();
  const env = { KASSA_PAYMENT_LIFETIME: '1s', KASSA_RESERVATION_LIFETIME: '1s' };
  hasty = await startService({ databaseUrl: patient.databaseUrl, env });
});
after(async () => {
  await hasty.stop();
  await patient.stop();
});

/** Waits until everything that was made so far has lived its second. */
const outlive = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, LIFETIME_MS + 50));

async function countMovements(paymentId: string): Promise<number> {
  const values = [partOf(paymentId), paymentId];
  return (await patient.pool.query('select 1 from movements where part = $1 and payment_id = $2', values)).length;
}

/** When something made at the moment that an id carries ceases to be. */
const endOf = (id: string): string => new Date(Number.parseInt(id.slice(0, 12), 16) + LIFETIME_MS).toISOString();

async function listExpired(client: Client): Promise<string[]> {
  const { payments } = await client.must(200, 'GET', '/v1/payments?state=expired&limit=100');
  return payments.map(({ paymentId }: { paymentId: string }) => paymentId);
}

const base = (paymentId: string): string => `/v1/payments/${paymentId}`;
const sandbox = (paymentId: string): string => `/v1/sandbox/payments/${paymentId}/reserve`;

for (const dialect of DIALECTS) {
  // Side by side, since each mostly waits.
  describe(`expiry in the dialect ${dialect}`, { concurrency: true }, () => {
    let early: Client;
    let late: Client;
    before(async () => {
      const { client, secretKey } = await patient.openShop({ dialect });
      early = client;
      late = hasty.client(secretKey);
    });

    // decision: expiry, expired-and-terminated-payments
    test('an expired payment: reserve, cart and cancel 405 (1010), charge 402 (1010); nothing is written', async () => {
      const paymentId = await early.create(100);
      await outlive();
      const message = `The payment expired at ${endOf(paymentId)} without being paid.`;
      const cart = { items: [anItem()] };
      expectFailure(await late.post(sandbox(paymentId)), { status: 405, code: '1010', message });
      expectFailure(await late.put(`${base(paymentId)}/orderitems`, cart), { status: 405, code: '1010', message });
      const [charge, cancel] = [`${base(paymentId)}/charges`, `${base(paymentId)}/cancels`];
      expectFailure(await late.post(charge, { amount: 1 }), { status: 402, code: '1010', message });
      expectFailure(await late.post(cancel, { amount: 1 }), { status: 405, code: '1010', message });
      assert.equal(await countMovements(paymentId), 0);
      assert.ok((await listExpired(late)).includes(paymentId));
      assert.equal((await early.post(sandbox(paymentId))).status, 201, 'by another clock it is not over');
    });

    // decision: expired-and-terminated-payments
    test('an expired payment can still be named, terminated and read', async () => {
      const paymentId = await early.create(100);
      await outlive();
      expectNoBody(await late.put(`${base(paymentId)}/referenceinformation`, { reference: 'late' }), 204);
      expectNoBody(await late.put(`${base(paymentId)}/myreference`, { myReference: 'late' }), 204);
      expectNoBody(await late.put(`${base(paymentId)}/terminate`), 204);
      const payment = await late.payment(paymentId);
      assert.deepEqual([payment.orderDetails.reference, payment.myReference], ['late', 'late']);
    });

    // decision: charge-refused, nothing-to-cancel, cancel-of-an-expired-reservation
    test('an expired reservation: charge 402 (1010), cancel 405 (1010); nothing is written', async () => {
      const paymentId = await early.create(100);
      const { reservationId } = await early.must(201, 'POST', sandbox(paymentId));
      await early.charge(paymentId, 30);
      await outlive();
      const message = `The reservation expired at ${endOf(reservationId)}.`;
      const [charge, cancel] = [`${base(paymentId)}/charges`, `${base(paymentId)}/cancels`];
      for (const amount of [1, 70])
        expectFailure(await late.post(charge, { amount }), { status: 402, code: '1010', message });
      for (const amount of [1, 70, 71])
        expectFailure(await late.post(cancel, { amount }), { status: 405, code: '1010', message });
      assert.equal(await countMovements(paymentId), 2);
      assert.deepEqual((await late.payment(paymentId)).summary, summaryIn(dialect, { reserved: 100, charged: 30 }));
      await early.charge(paymentId, 70);
    });

    test('what is left decides first: too large a charge 402 (1001), nothing to cancel 405 (1008, 1019)', async () => {
      const [charged, cancelled] = [await early.createReserved(100), await early.createReserved(100)];
      await early.charge(charged, 100);
      await early.cancel(cancelled, 100);
      await outlive();
      assert.equal((await late.post(`${base(charged)}/charges`, { amount: 1 })).body.code, '1001');
      assert.equal((await late.post(`${base(charged)}/cancels`, { amount: 1 })).body.code, '1008');
      assert.equal((await late.post(`${base(cancelled)}/cancels`, { amount: 1 })).body.code, '1019');
    });

    // decision: expiry
    test('refunds are unaffected, by charge and by payment', async () => {
      const paymentId = await early.createReserved(100);
      const chargeId = await early.charge(paymentId, 100);
      await outlive();
      await late.refund(chargeId, 60);
      await late.must(201, 'POST', `${base(paymentId)}/refunds`, { amount: 40 });
      const { summary } = await late.payment(paymentId);
      assert.deepEqual(summary, summaryIn(dialect, { reserved: 100, charged: 100, refunded: 100 }));
    });

    test('once reserved the age of the payment does not matter: cart and reserve 405 (1004)', async () => {
      const paymentId = await early.createReserved(100);
      await outlive();
      const reply = await late.put(`${base(paymentId)}/orderitems`, { items: [anItem()] });
      expectFailure(reply, { status: 405, code: '1004', message: 'The payment is already reserved.' });
      assert.equal((await late.post(sandbox(paymentId))).body.code, '1004');
      assert.ok(!(await listExpired(late)).includes(paymentId));
    });

    test('a payment that is terminated says so, however old it is', async () => {
      const paymentId = await early.create(100);
      await early.must(204, 'PUT', `${base(paymentId)}/terminate`);
      await outlive();
      const expected = { status: 405, code: '1000', message: 'The payment is terminated.' };
      expectFailure(await late.post(sandbox(paymentId)), expected);
      expectNoBody(await late.put(`${base(paymentId)}/terminate`), 204);
    });

    test('reserveOnDemand does not reserve an expired payment', async () => {
      const { client, secretKey } = await patient.openShop({ dialect, reserveOnDemand: true });
      const paymentId = await client.create(100);
      await outlive();
      const shop = hasty.client(secretKey);
      const message = `The payment expired at ${endOf(paymentId)} without being paid.`;
      const refused = await shop.post(`${base(paymentId)}/charges`, { amount: 1 });
      expectFailure(refused, { status: 402, code: '1010', message });
      const cancel = await shop.post(`${base(paymentId)}/cancels`, { amount: 1 });
      expectFailure(cancel, { status: 405, code: '1010', message });
      const text = 'no charge has 1 left: nothing was charged yet';
      expectErrors(await shop.post(`${base(paymentId)}/refunds`, { amount: 1 }), { amount: [text] });
      assert.equal(await countMovements(paymentId), 0);
    });
  });
}
