// Goal: POST /v1/charges/{chargeId}/refunds answers with every status the specification lists, and a refund is kept
// with its state and items. Method: real requests in both dialects; every effect is read back over the API, events
// from rows.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { DIALECTS, expectErrors, expectFailure, expectNoBody, summaryIn } from '../support/answers.ts';
import { anItem } from '../support/client.ts';
import type { Client } from '../support/client.ts';
import { readEvents, RESERVED } from '../support/events.ts';
import { momentOf } from '../support/moment.ts';
import { shareService } from '../support/service.ts';
import type { SharedService, Shop } from '../support/service.ts';

const REFUND_DECLINED = '4000000000005126';

let service: SharedService;
before(() => {
  service = shareService();
});
after(() => service.close());

const refunds = (chargeId: string): string => `/v1/charges/${chargeId}/refunds`;

/** A payment of 100000 of which that much is charged. */
async function charged(
  client: Client,
  amount = 100_000,
  card?: string,
): Promise<{ paymentId: string; chargeId: string }> {
  const paymentId = await client.createReserved(100_000, card);
  return { paymentId, chargeId: await client.charge(paymentId, amount) };
}

for (const dialect of DIALECTS) {
  describe(`refund of a charge in the dialect ${dialect}`, () => {
    let shop: Shop;
    before(async () => {
      shop = await service.openShop({ dialect });
    });

    test('201: a refund of the whole charge, and the payment then', async () => {
      const { client } = shop;
      const { paymentId, chargeId } = await charged(client);
      const reply = await client.post(refunds(chargeId), { amount: 100_000 });
      assert.equal(reply.status, 201);
      assert.equal(reply.headers.get('content-type'), 'application/json; charset=utf-8');
      assert.deepEqual(Object.keys(reply.body), ['refundId']);
      assert.match(reply.body.refundId, /^[0-9a-f]{32}$/);
      const payment = await client.payment(paymentId);
      const all = { reserved: 100_000, charged: 100_000, refunded: 100_000 };
      assert.deepEqual(payment.summary, summaryIn(dialect, all));
      const [refund] = payment.refunds;
      assert.deepEqual(payment.refunds, [
        {
          refundId: reply.body.refundId,
          amount: 100_000,
          state: 'Completed',
          lastUpdated: momentOf(refund.refundId),
          orderItems: [anItem()],
          ...(dialect === 'nexi' && { surchargeAmount: 0 }),
        },
      ]);
      assert.deepEqual(await client.must(200, 'GET', `/v1/refunds/${refund.refundId}`), refund);
      assert.equal(payment.charges[0].amount, 100_000, 'the charge stays what it was');
    });

    test('201: many partial refunds up to the whole charge', async () => {
      const { client } = shop;
      const { paymentId, chargeId } = await charged(client, 60_000);
      const ids: string[] = [];
      for (const amount of [1, 19_999, 40_000]) ids.push(await client.refund(chargeId, amount));
      const payment = await client.payment(paymentId);
      assert.deepEqual(
        payment.refunds.map(({ refundId }: { refundId: string }) => refundId),
        ids,
      );
      const all = { reserved: 100_000, charged: 60_000, refunded: 60_000 };
      assert.deepEqual(payment.summary, summaryIn(dialect, all));
    });

    // decision: charge-of-a-refund, refund-of-too-much
    test('more than is left of the charge is refused, though another charge has it; nothing changes', async () => {
      const { client } = shop;
      const { paymentId, chargeId } = await charged(client, 60_000);
      await client.charge(paymentId, 40_000);
      await client.refund(chargeId, 20_000);
      const beforehand = await client.payment(paymentId);
      const reply = await client.post(refunds(chargeId), { amount: 40_001 });
      const text = 'he refund of 40001 is more than the 40000 left of the charge';
      if (dialect === 'spec') expectErrors(reply, { amount: [`t${text}`] });
      else expectFailure(reply, { status: 402, code: '1009', message: `T${text}.` });
      assert.deepEqual(await client.payment(paymentId), beforehand);
      await client.refund(chargeId, 40_000);
      assert.equal((await client.post(refunds(chargeId), { amount: 1 })).status, dialect === 'spec' ? 400 : 402);
    });

    // decision: declined-refund, test-cards
    test('declined by the acquirer: refused, and the record is kept as Failed', async () => {
      const { client } = shop;
      const { paymentId, chargeId } = await charged(client, 100_000, REFUND_DECLINED);
      const reply = await client.post(refunds(chargeId), { amount: 100_000 });
      const text = 'The refund was declined: refused by the issuer.';
      if (dialect === 'spec') expectErrors(reply, { refund: [text] });
      else expectFailure(reply, { status: 402, code: '1014', message: text, source: 'simulator' });
      const payment = await client.payment(paymentId);
      assert.deepEqual(payment.summary, summaryIn(dialect, { reserved: 100_000, charged: 100_000 }));
      const [refund] = payment.refunds;
      assert.deepEqual([refund.amount, refund.state, refund.orderItems], [100_000, 'Failed', [anItem()]]);
      assert.deepEqual(await client.must(200, 'GET', `/v1/refunds/${refund.refundId}`), refund);
      await client.post(refunds(chargeId), { amount: 100_000 });
      assert.equal(
        (await client.payment(paymentId)).refunds.length,
        2,
        'what failed is left and can be asked for again',
      );
      const events = await readEvents(service.pool, paymentId);
      assert.deepEqual(
        events.slice(RESERVED.length + 1).map(({ name }) => name),
        [1, 2].flatMap(() => ['payment.refund.initiated', 'payment.refund.failed']),
      );
    });

    test('404: a payment, a reservation or a refund is no charge', async () => {
      const { client } = shop;
      const paymentId = await client.create();
      const reserve = await client.must(201, 'POST', `/v1/sandbox/payments/${paymentId}/reserve`);
      const chargeId = await client.charge(paymentId, 1_000);
      const refundId = await client.refund(chargeId, 500);
      for (const id of [paymentId, reserve.reservationId, refundId])
        expectNoBody(await client.post(refunds(id), { amount: 1 }), 404);
    });

    test('400: an amount that is no whole number from 1 to 10^12, or not the sum of the items', async () => {
      const { client } = shop;
      const { chargeId } = await charged(client);
      const range = /^must be a whole number from 1 to 1000000000000, found /;
      const notPositive = dialect === 'spec' ? [range] : ['Amount must be greater than 0', range];
      expectErrors(await client.post(refunds(chargeId), { amount: 0 }), { amount: notPositive });
      expectErrors(await client.post(refunds(chargeId), { amount: 1e12 + 1 }), { amount: [range] });
      expectErrors(await client.post(refunds(chargeId), { amount: 1.5 }), {
        amount: [/^must be a whole number, found /],
      });
      expectErrors(await client.post(refunds(chargeId), {}), { amount: ['is required'] });
      const text = 'is 99999, but the grossTotalAmount of the items sums up to 100000';
      const differs = dialect === 'spec' ? [text] : ["Amount dosen't match sum of orderitems", text];
      const body = { amount: 99_999, orderItems: [anItem()] };
      expectErrors(await client.post(refunds(chargeId), body), { amount: differs });
    });

    // decision: items-of-a-request-without-items
    test('items of a refund: given ones as given, of the whole charge the charge’s, of a part none', async () => {
      const { client } = shop;
      const part = [anItem({ reference: 'part', grossTotalAmount: 60_000 })];
      const given = [anItem({ reference: 'given', grossTotalAmount: 10_000 })];
      const cases: [charge: object, refund: object, kept: object[]][] = [
        [{ amount: 60_000, orderItems: part }, { amount: 10_000, orderItems: given }, given],
        [{ amount: 60_000, orderItems: part }, { amount: 10_000, orderItems: [] }, []],
        [{ amount: 60_000, orderItems: part }, { amount: 10_000 }, []],
        [{ amount: 60_000, orderItems: part }, { amount: 60_000 }, part],
        [{ amount: 60_000 }, { amount: 60_000 }, []],
        [{ amount: 100_000 }, { amount: 100_000, orderItems: null }, [anItem()]],
      ];
      for (const [charge, refund, kept] of cases) {
        const paymentId = await client.createReserved(100_000);
        const { chargeId } = await client.must(201, 'POST', `/v1/payments/${paymentId}/charges`, charge);
        const { refundId } = await client.must(201, 'POST', refunds(chargeId), refund);
        assert.deepEqual((await client.must(200, 'GET', `/v1/refunds/${refundId}`)).orderItems, kept);
      }
    });

    test('a refund is initiated, then completed, and frees nothing to charge again', async () => {
      const { client } = shop;
      const { paymentId, chargeId } = await charged(client);
      const refundId = await client.refund(chargeId, 100_000);
      const events = await readEvents(service.pool, paymentId);
      assert.deepEqual(
        events.slice(RESERVED.length).map(({ name, movement_id }) => [name, movement_id]),
        [
          ['payment.charge.created', chargeId],
          ['payment.refund.initiated', refundId],
          ['payment.refund.completed', refundId],
        ],
      );
      assert.equal((await client.post(`/v1/payments/${paymentId}/charges`, { amount: 1 })).body.code, '1001');
    });
  });
}
