// Goal: POST /v1/payments/{paymentId}/refunds takes the oldest charge that has the whole amount left, and says what
// each has left when none does. Method: real requests in both dialects; which charge was taken is read from the
// movements.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { partOf } from '../../src/domain/id.ts';
import { DIALECTS, expectErrors, expectFailure, expectNoBody, summaryIn } from '../support/answers.ts';
import { anItem } from '../support/client.ts';
import { readEventNames, RESERVED } from '../support/events.ts';
import { shareService } from '../support/service.ts';
import type { SharedService, Shop } from '../support/service.ts';

const REFUND_DECLINED = '4000000000005126';

let service: SharedService;
before(() => {
  service = shareService();
});
after(() => service.close());

const refunds = (paymentId: string): string => `/v1/payments/${paymentId}/refunds`;

async function chargeOfRefund(refundId: string): Promise<string | undefined> {
  const rows = await service.pool.query<{ charge_id: string }>(
    `select replace(charge_id::text, '-', '') as charge_id from movements where part = $1 and id = $2`,
    [partOf(refundId), refundId],
  );
  return rows[0]?.charge_id;
}

for (const dialect of DIALECTS) {
  describe(`refund of a payment in the dialect ${dialect}`, () => {
    let shop: Shop;
    before(async () => {
      shop = await service.openShop({ dialect });
    });

    // decision: refund-by-payment
    test('201: the oldest charge that has the whole amount left is taken, never two', async () => {
      const { client } = shop;
      const paymentId = await client.createReserved(100_000);
      const ids: string[] = [];
      for (const amount of [10_000, 40_000, 50_000]) ids.push(await client.charge(paymentId, amount));
      const taken: (string | undefined)[] = [];
      for (const amount of [10_001, 10_000, 29_999, 1, 49_999]) {
        const { refundId, ...rest } = await client.must(201, 'POST', refunds(paymentId), { amount });
        assert.deepEqual(rest, {});
        taken.push(await chargeOfRefund(refundId));
      }
      assert.deepEqual(taken, [ids[1], ids[0], ids[1], ids[2], ids[2]]);
    });

    // decision: refund-by-payment
    test('400 errors.amount: no charge has that much left; the text lists what each has', async () => {
      const { client } = shop;
      const paymentId = await client.createReserved(100_000);
      const first = await client.charge(paymentId, 30_000);
      const second = await client.charge(paymentId, 50_000);
      await client.refund(first, 30_000);
      await client.refund(second, 10_000);
      const beforehand = await client.payment(paymentId);
      const text = `no charge has 40001 left: charge ${first} has 0 left, charge ${second} has 40000 left`;
      expectErrors(await client.post(refunds(paymentId), { amount: 40_001 }), { amount: [text] });
      assert.deepEqual(await client.payment(paymentId), beforehand);
      await client.must(201, 'POST', refunds(paymentId), { amount: 40_000 });
    });

    // decision: refund-by-payment
    test('400 errors.amount: nothing was charged, or the charge was declined', async () => {
      const { client } = shop;
      const text = 'no charge has 1 left: nothing was charged yet';
      const declining = await client.createReserved(100, '4925000000000079');
      await client.post(`/v1/payments/${declining}/charges`, { amount: 100 });
      for (const paymentId of [await client.create(), await client.createReserved(), declining])
        expectErrors(await client.post(refunds(paymentId), { amount: 1 }), { amount: [text] });
    });

    test('declined by the acquirer: refused, and the record is kept as Failed', async () => {
      const { client } = shop;
      const paymentId = await client.createReserved(100_000, REFUND_DECLINED);
      await client.charge(paymentId, 100_000);
      const reply = await client.post(refunds(paymentId), { amount: 5_000 });
      const text = 'The refund was declined: refused by the issuer.';
      if (dialect === 'spec') expectErrors(reply, { refund: [text] });
      else expectFailure(reply, { status: 402, code: '1014', message: text, source: 'simulator' });
      const { refunds: kept, summary } = await client.payment(paymentId);
      assert.deepEqual([kept[0].amount, kept[0].state, kept[0].orderItems], [5_000, 'Failed', []]);
      assert.deepEqual(summary, summaryIn(dialect, { reserved: 100_000, charged: 100_000 }));
    });

    test('404: a charge is no payment', async () => {
      const { client } = shop;
      const chargeId = await client.charge(await client.createReserved(), 100);
      expectNoBody(await client.post(refunds(chargeId), { amount: 1 }), 404);
    });

    test('items: of the whole of the chosen charge its own, of a part none, given ones as given', async () => {
      const { client } = shop;
      const paymentId = await client.createReserved(100_000);
      const part = [anItem({ reference: 'part', grossTotalAmount: 60_000 })];
      await client.must(201, 'POST', `/v1/payments/${paymentId}/charges`, { amount: 60_000, orderItems: part });
      await client.charge(paymentId, 40_000);
      const given = [anItem({ reference: 'given', grossTotalAmount: 100 })];
      await client.must(201, 'POST', refunds(paymentId), { amount: 60_000 });
      await client.must(201, 'POST', refunds(paymentId), { amount: 200 });
      await client.must(201, 'POST', refunds(paymentId), { amount: 100, orderItems: given });
      const shown = (await client.payment(paymentId)).refunds.map(
        (refund: { orderItems: object[] }) => refund.orderItems,
      );
      assert.deepEqual(shown, [part, [], given]);
    });

    test('its events are those of any refund', async () => {
      const { client } = shop;
      const paymentId = await client.createReserved(100);
      await client.charge(paymentId, 100);
      await client.must(201, 'POST', refunds(paymentId), { amount: 100 });
      const told = ['payment.charge.created', 'payment.refund.initiated', 'payment.refund.completed'];
      assert.deepEqual(await readEventNames(service.pool, paymentId), [...RESERVED, ...told]);
    });
  });
}
