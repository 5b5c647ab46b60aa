// Goal: PUT /v1/payments/{paymentId}/myreference sets the merchant's own second reference, under the rules of the
// first. Method: real requests in both dialects, read back over the API.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { aCreate } from '../support/client.ts';
import { DIALECTS, expectErrors, expectFailure, expectNoBody } from '../support/answers.ts';
import { shareService } from '../support/service.ts';
import type { SharedService, Shop } from '../support/service.ts';

let service: SharedService;
before(() => {
  service = shareService();
});
after(() => service.close());

const myReference = (paymentId: string): string => `/v1/payments/${paymentId}/myreference`;

for (const dialect of DIALECTS) {
  describe(`update my reference in the dialect ${dialect}`, () => {
    let shop: Shop;
    before(async () => {
      shop = await service.openShop({ dialect });
    });

    // decision: my-reference
    test('204: shown as payment.myReference, and nothing else changes', async () => {
      const { client } = shop;
      const paymentId = await client.create();
      const beforehand = await client.payment(paymentId);
      assert.equal('myReference' in beforehand, false);
      expectNoBody(await client.put(myReference(paymentId), { myReference: 'warehouse-7' }), 204);
      assert.deepEqual(await client.payment(paymentId), { ...beforehand, myReference: 'warehouse-7' });
    });

    test('204: replaces the one that the create brought; 36 characters are the most', async () => {
      const { client } = shop;
      const { paymentId } = await client.must(201, 'POST', '/v1/payments', { ...aCreate(), myReference: 'first' });
      assert.equal((await client.payment(paymentId)).myReference, 'first');
      await client.must(204, 'PUT', myReference(paymentId), { myReference: 'm'.repeat(36) });
      assert.equal((await client.payment(paymentId)).myReference, 'm'.repeat(36));
    });

    // decision: reference-updates
    test('204: a payment that is reserved, charged and refunded', async () => {
      const { client } = shop;
      const paymentId = await client.createReserved(100);
      await client.refund(await client.charge(paymentId, 100), 100);
      await client.must(204, 'PUT', myReference(paymentId), { myReference: 'late' });
      assert.equal((await client.payment(paymentId)).myReference, 'late');
    });

    // decision: reference-updates
    test('405 (1000): terminated; 405 (1019): cancelled in full', async () => {
      const { client } = shop;
      const [terminated, cancelled] = [await client.create(), await client.createReserved(100)];
      await client.must(204, 'PUT', `/v1/payments/${terminated}/terminate`);
      await client.cancel(cancelled, 100);
      const body = { myReference: 'too-late' };
      const ended = await client.put(myReference(terminated), body);
      expectFailure(ended, { status: 405, code: '1000', message: 'The payment is terminated.' });
      const refused = await client.put(myReference(cancelled), body);
      expectFailure(refused, { status: 405, code: '1019', message: 'The payment is cancelled in full.' });
      for (const paymentId of [terminated, cancelled])
        assert.equal('myReference' in (await client.payment(paymentId)), false);
    });

    // decision: my-reference
    test('400: none, an empty one, one of 37 characters, a number', async () => {
      const { client } = shop;
      const paymentId = await client.create();
      const bad: [body: object, text: string | RegExp][] = [
        [{}, 'is required'],
        [{ myReference: null }, 'is required'],
        [{ myReference: '' }, 'must not be empty'],
        [{ myReference: 'm'.repeat(37) }, 'must have at most 36 characters, found a text of 37 characters'],
        [{ myReference: dialect === 'spec' ? 7 : 7.5 }, /^must be a text, found /],
        [{ myReference: true }, /^must be a text, found /],
      ];
      for (const [body, text] of bad)
        expectErrors(await client.put(myReference(paymentId), body), { myReference: [text] });
    });
  });
}
