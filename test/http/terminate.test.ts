// Goal: PUT /v1/payments/{paymentId}/terminate ends a payment that was never reserved, once and for good, and every
// other operation then says so. Method: real requests in both dialects, read back over the API.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { DIALECTS, expectErrors, expectFailure, expectNoBody } from '../support/answers.ts';
import { anItem } from '../support/client.ts';
import { readEventNames } from '../support/events.ts';
import { TIMESTAMP } from '../support/moment.ts';
import { shareService } from '../support/service.ts';
import type { SharedService, Shop } from '../support/service.ts';

let service: SharedService;
before(() => {
  service = shareService();
});
after(() => service.close());

const terminate = (paymentId: string): string => `/v1/payments/${paymentId}/terminate`;

for (const dialect of DIALECTS) {
  describe(`terminate in the dialect ${dialect}`, () => {
    let shop: Shop;
    before(async () => {
      shop = await service.openShop({ dialect });
    });

    // decision: terminating-a-payment
    test('204: the payment then shows when, and nothing else changes', async () => {
      const { client } = shop;
      const paymentId = await client.create();
      const beforehand = await client.payment(paymentId);
      assert.equal('terminated' in beforehand, false);
      expectNoBody(await client.put(terminate(paymentId)), 204);
      const { terminated, ...rest } = await client.payment(paymentId);
      assert.match(terminated, TIMESTAMP);
      assert.deepEqual(rest, beforehand);
      assert.deepEqual(await readEventNames(service.pool, paymentId), []);
    });

    // decision: terminating-a-payment
    test('204 again, and the first time stays', async () => {
      const { client } = shop;
      const paymentId = await client.create();
      await client.must(204, 'PUT', terminate(paymentId));
      const { terminated } = await client.payment(paymentId);
      expectNoBody(await client.put(terminate(paymentId)), 204);
      assert.equal((await client.payment(paymentId)).terminated, terminated);
    });

    test('204 without a body, with an empty one, with {}, [] and null', async () => {
      const { client } = shop;
      for (const body of [undefined, '', '{}', '[]', 'null'])
        expectNoBody(await client.put(terminate(await client.create()), body), 204);
    });

    test('204 after a declined reservation', async () => {
      const { client } = shop;
      const paymentId = await client.create();
      await client.must(402, 'POST', `/v1/sandbox/payments/${paymentId}/reserve`, { card: '4000000000009995' });
      expectNoBody(await client.put(terminate(paymentId)), 204);
    });

    // decision: life-of-a-payment, terminating-a-payment
    test('405 (1004): once reserved, also when all of it was cancelled or refunded', async () => {
      const { client } = shop;
      const cancelled = await client.createReserved(100);
      await client.cancel(cancelled, 100);
      const refunded = await client.createReserved(100);
      await client.refund(await client.charge(refunded, 100), 100);
      for (const paymentId of [await client.createReserved(), cancelled, refunded]) {
        const reply = await client.put(terminate(paymentId));
        expectFailure(reply, { status: 405, code: '1004', message: 'The payment is already reserved.' });
        assert.equal('terminated' in (await client.payment(paymentId)), false);
      }
    });

    test('terminated, then everything else: each is refused and changes nothing', async () => {
      const { client } = shop;
      const paymentId = await client.create(100_000);
      await client.must(204, 'PUT', terminate(paymentId));
      const beforehand = await client.payment(paymentId);
      const base = `/v1/payments/${paymentId}`;
      const message = 'The payment is terminated.';
      const expected = { message, status: 405, code: '1000' };
      expectFailure(await client.post(`/v1/sandbox/payments/${paymentId}/reserve`), expected);
      expectFailure(await client.put(`${base}/orderitems`, { items: [anItem()] }), expected);
      expectFailure(await client.put(`${base}/referenceinformation`, { reference: 'r' }), expected);
      expectFailure(await client.put(`${base}/myreference`, { myReference: 'r' }), expected);
      expectFailure(await client.post(`${base}/charges`, { amount: 1 }), { message, status: 402, code: '1003' });
      expectFailure(await client.post(`${base}/cancels`, { amount: 1 }), { message, status: 405, code: '1003' });
      const text = 'no charge has 1 left: nothing was charged yet';
      expectErrors(await client.post(`${base}/refunds`, { amount: 1 }), { amount: [text] });
      assert.deepEqual(await client.payment(paymentId), beforehand);
    });
  });
}
