// Goal: POST /v1/payments/{paymentId}/cancels gives back what is reserved and neither charged nor cancelled, and tells
// each reason why it cannot. Method: real requests in both dialects; every effect is read back, items from the rows.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { partOf } from '../../src/domain/id.ts';
import { DIALECTS, expectErrors, expectFailure, expectNoBody, summaryIn } from '../support/answers.ts';
import { anItem } from '../support/client.ts';
import { readEventNames, RESERVED } from '../support/events.ts';
import { shareService } from '../support/service.ts';
import type { SharedService, Shop } from '../support/service.ts';

const CANCEL_DECLINED = '4925000000000061';

let service: SharedService;
before(() => {
  service = shareService();
});
after(() => service.close());

const cancels = (paymentId: string): string => `/v1/payments/${paymentId}/cancels`;

for (const dialect of DIALECTS) {
  describe(`cancel in the dialect ${dialect}`, () => {
    let shop: Shop;
    before(async () => {
      shop = await service.openShop({ dialect });
    });

    // decision: life-of-a-payment
    test('204: the whole reservation; reservedAmount stays at what was reserved', async () => {
      const { client } = shop;
      const paymentId = await client.createReserved(100_000);
      expectNoBody(await client.post(cancels(paymentId), { amount: 100_000 }), 204);
      const { summary } = await client.payment(paymentId);
      assert.deepEqual(summary, summaryIn(dialect, { reserved: 100_000, cancelled: 100_000 }));
      assert.deepEqual(await readEventNames(service.pool, paymentId), [...RESERVED, 'payment.cancel.created']);
    });

    // decision: partial-cancels
    test('204: any part, several times, between charges', async () => {
      const { client } = shop;
      const paymentId = await client.createReserved(100_000);
      await client.cancel(paymentId, 1);
      await client.charge(paymentId, 50_000);
      await client.cancel(paymentId, 29_999);
      await client.charge(paymentId, 10_000);
      await client.cancel(paymentId, 10_000);
      const { summary } = await client.payment(paymentId);
      assert.deepEqual(summary, summaryIn(dialect, { reserved: 100_000, charged: 60_000, cancelled: 40_000 }));
    });

    // decision: partial-cancels
    test('400 errors.amount: more than is left; the text names both figures, and nothing changes', async () => {
      const { client } = shop;
      const paymentId = await client.createReserved(100_000);
      await client.charge(paymentId, 30_000);
      await client.cancel(paymentId, 20_000);
      const beforehand = await client.payment(paymentId);
      const text = 'the cancel of 50001 is more than the 50000 left to cancel';
      expectErrors(await client.post(cancels(paymentId), { amount: 50_001 }), { amount: [text] });
      assert.deepEqual(await client.payment(paymentId), beforehand);
    });

    // decision: nothing-to-cancel
    test('405 (1003): never reserved; a test merchant is told how to reserve, a live one is not', async () => {
      const paymentId = await shop.client.create();
      const reply = await shop.client.post(cancels(paymentId), { amount: 1 });
      expectFailure(reply, { status: 405, code: '1003', message: /^The payment is not reserved\. Pay it at http/ });
      assert.ok(reply.body.message.endsWith(`/v1/sandbox/payments/${paymentId}/reserve.`));
      const live = await service.openShop({ dialect, live: true });
      const refused = await live.client.post(cancels(await live.client.create()), { amount: 1 });
      expectFailure(refused, { status: 405, code: '1003', message: 'The payment is not reserved.' });
    });

    test('405 (1003): the only try to reserve was declined', async () => {
      const { client } = shop;
      const paymentId = await client.create();
      await client.must(402, 'POST', `/v1/sandbox/payments/${paymentId}/reserve`, { card: '4925000000000087' });
      const reply = await client.post(cancels(paymentId), { amount: 1 });
      expectFailure(reply, { status: 405, code: '1003', message: /^The payment is not reserved\./ });
    });

    // decision: expired-and-terminated-payments
    test('405 (1003): a terminated payment', async () => {
      const paymentId = await shop.client.create();
      await shop.client.must(204, 'PUT', `/v1/payments/${paymentId}/terminate`);
      const reply = await shop.client.post(cancels(paymentId), { amount: 1 });
      expectFailure(reply, { status: 405, code: '1003', message: 'The payment is terminated.' });
    });

    // decision: nothing-to-cancel
    test('405 (1008): all is charged, or what was not cancelled is; a refund changes nothing in that', async () => {
      const { client } = shop;
      const whole = await client.createReserved(100_000);
      const chargeId = await client.charge(whole, 100_000);
      await client.refund(chargeId, 100_000);
      const mixed = await client.createReserved(100_000);
      await client.cancel(mixed, 40_000);
      await client.charge(mixed, 60_000);
      const message = 'Nothing is left to cancel: the reservation is charged.';
      for (const paymentId of [whole, mixed])
        expectFailure(await client.post(cancels(paymentId), { amount: 1 }), { status: 405, code: '1008', message });
    });

    // decision: nothing-to-cancel
    test('405 (1019): all is cancelled', async () => {
      const { client } = shop;
      const paymentId = await client.createReserved(100_000);
      await client.cancel(paymentId, 60_000);
      await client.cancel(paymentId, 40_000);
      for (const amount of [1, 100_000]) {
        const reply = await client.post(cancels(paymentId), { amount });
        expectFailure(reply, { status: 405, code: '1019', message: 'The payment is cancelled in full.' });
      }
    });

    // decision: nothing-to-cancel, test-cards
    test('405: declined by the acquirer; the reservation stands and can be charged, an event tells', async () => {
      const { client } = shop;
      const paymentId = await client.createReserved(100_000, CANCEL_DECLINED);
      const reply = await client.post(cancels(paymentId), { amount: 100_000 });
      const message = 'The cancel was declined: refused by the issuer.';
      expectFailure(reply, { status: 405, code: '1000', message, source: 'simulator' });
      assert.deepEqual((await client.payment(paymentId)).summary, summaryIn(dialect, { reserved: 100_000 }));
      assert.deepEqual(await readEventNames(service.pool, paymentId), [...RESERVED, 'payment.cancel.failed']);
      await client.charge(paymentId, 100_000);
    });

    test('400: an amount that is no whole number from 1 to 10^12, or not the sum of the items', async () => {
      const { client } = shop;
      const paymentId = await client.createReserved();
      const range = /^must be a whole number from 1 to 1000000000000, found /;
      const notPositive = dialect === 'spec' ? [range] : ['Amount must be greater than 0', range];
      expectErrors(await client.post(cancels(paymentId), { amount: -5 }), { amount: notPositive });
      expectErrors(await client.post(cancels(paymentId), { amount: 1e12 + 1 }), { amount: [range] });
      for (const amount of dialect === 'spec' ? ['5', '5.0'] : ['5.0', '+5', '05'])
        expectErrors(await client.post(cancels(paymentId), { amount }), {
          amount: [/^must be a whole number, found /],
        });
      expectErrors(await client.post(cancels(paymentId), {}), { amount: ['is required'] });
      const text = 'is 100001, but the grossTotalAmount of the items sums up to 100000';
      const differs = dialect === 'spec' ? [text] : ["Amount dosen't match sum of orderitems", text];
      const body = { amount: 100_001, orderItems: [anItem()] };
      expectErrors(await client.post(cancels(paymentId), body), { amount: differs });
    });

    test('items of a cancel are kept as given; of the whole order it keeps none of its own', async () => {
      const { client } = shop;
      const given = [anItem({ reference: 'given', grossTotalAmount: 300 })];
      const cases: [body: object, kept: object[] | null][] = [
        [{ amount: 300, orderItems: given }, given],
        [{ amount: 300 }, []],
        [{ amount: 100_000, orderItems: [] }, null],
      ];
      for (const [body, kept] of cases) {
        const paymentId = await client.createReserved(100_000);
        await client.must(204, 'POST', cancels(paymentId), body);
        const rows = await service.pool.query<{ items: object[] | null }>(
          `select items from movements where part = $1 and payment_id = $2 and kind = 'cancel'`,
          [partOf(paymentId), paymentId],
        );
        assert.deepEqual(rows, [{ items: kept }]);
      }
    });
  });
}
