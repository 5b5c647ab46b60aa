// Goal: GET /v1/charges/{chargeId} and GET /v1/refunds/{refundId} answer one record, unwrapped, exactly as the payment
// lists it, in both dialects.
// Method: a running service; whole answers are compared, with the payment's own list and with what went in.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { DIALECTS, expectErrors, expectNoBody } from '../support/answers.ts';
import { anItem } from '../support/client.ts';
import { momentOf, TIMESTAMP } from '../support/moment.ts';
import { shareService } from '../support/service.ts';
import type { SharedService, Shop } from '../support/service.ts';

const NOBODYS_ID = '0190a1b2c3d47abc8def0123456789ab';
const ITEMS = [anItem({ reference: 'a', grossTotalAmount: 30_000 }), anItem({ grossTotalAmount: 10_000 })];

let service: SharedService;
before(async () => {
  service = shareService();
});
after(() => service.close());

for (const dialect of DIALECTS)
  describe(`one charge or refund in the dialect ${dialect}`, () => {
    const surcharge = dialect === 'nexi' ? { surchargeAmount: 0 } : {};
    let shop: Shop;
    before(async () => {
      shop = await service.openShop({ dialect });
    });

    async function createCharged(): Promise<{ paymentId: string; chargeId: string }> {
      const { client } = shop;
      const paymentId = await client.createReserved();
      const body = { amount: 40_000, orderItems: ITEMS };
      const { chargeId } = await client.must(201, 'POST', `/v1/payments/${paymentId}/charges`, body);
      return { paymentId, chargeId };
    }

    // decision: reading-a-charge-or-refund
    test('200: a charge with its items', async () => {
      const { paymentId, chargeId } = await createCharged();
      const reply = await shop.client.get(`/v1/charges/${chargeId}`);
      assert.equal(reply.status, 200);
      const created = momentOf(chargeId);
      assert.deepEqual(reply.body, { chargeId, amount: 40_000, ...surcharge, created, orderItems: ITEMS });
      assert.deepEqual([reply.body], (await shop.client.payment(paymentId)).charges);
    });

    test('200: a charge without items has those of the order when it is for all of it, otherwise none', async () => {
      const { client } = shop;
      const whole = await client.charge(await client.createReserved(), 100_000);
      assert.deepEqual((await client.get(`/v1/charges/${whole}`)).body.orderItems, [anItem()]);
      const part = await client.charge(await client.createReserved(), 99_999);
      assert.deepEqual((await client.get(`/v1/charges/${part}`)).body.orderItems, []);
    });

    // decision: reading-a-charge-or-refund
    test('200: a refund with its items', async () => {
      const { client } = shop;
      const { paymentId, chargeId } = await createCharged();
      const orderItems = [anItem({ reference: 'regret', grossTotalAmount: 7 })];
      const body = { amount: 7, orderItems };
      const { refundId } = await client.must(201, 'POST', `/v1/charges/${chargeId}/refunds`, body);
      const reply = await client.get(`/v1/refunds/${refundId}`);
      assert.equal(reply.status, 200);
      const { lastUpdated } = reply.body;
      assert.match(lastUpdated, TIMESTAMP);
      assert.deepEqual(reply.body, { refundId, amount: 7, ...surcharge, state: 'Completed', lastUpdated, orderItems });
      assert.deepEqual([reply.body], (await client.payment(paymentId)).refunds);
    });

    test('200: a refund without items has those of the charge when it is for all of it, otherwise none', async () => {
      const { client } = shop;
      const whole = await client.refund((await createCharged()).chargeId, 40_000);
      assert.deepEqual((await client.get(`/v1/refunds/${whole}`)).body.orderItems, ITEMS);
      const part = await client.refund((await createCharged()).chargeId, 39_999);
      assert.deepEqual((await client.get(`/v1/refunds/${part}`)).body.orderItems, []);
    });

    // decision: reading-a-charge-or-refund
    test('200: a refund that was declined is Failed', async () => {
      const { client } = shop;
      const paymentId = await client.createReserved(100, '4000000000005126');
      await client.post(`/v1/charges/${await client.charge(paymentId, 100)}/refunds`, { amount: 60 });
      const [{ refundId }] = (await client.payment(paymentId)).refunds;
      const { body } = await client.get(`/v1/refunds/${refundId}`);
      const { lastUpdated } = body;
      assert.deepEqual(body, { refundId, amount: 60, ...surcharge, state: 'Failed', lastUpdated, orderItems: [] });
    });

    test('200: ids and paths in any case, a trailing slash, a JSON content type without a body', async () => {
      const { client } = shop;
      const { chargeId } = await createCharged();
      const refundId = await client.refund(chargeId, 1);
      const json = { 'content-type': 'application/json' };
      assert.equal((await client.get(`/V1/Charges/${chargeId.toUpperCase()}/`, json)).body.chargeId, chargeId);
      assert.equal((await client.get(`/V1/Refunds/${refundId.toUpperCase()}/`, json)).body.refundId, refundId);
    });

    for (const kind of ['charge', 'refund'] as const) {
      const path = (id: string) => `/v1/${kind}s/${id}`;

      test(`${kind}: 401 without a body`, async () => {
        for (const key of [undefined, 'nonsense', shop.secretKey.replace('test', 'live')])
          expectNoBody(await service.client(key).get(path(NOBODYS_ID)), 401);
      });

      test(`${kind}: 404 without a body for an id that is nobody's, malformed, or another merchant's`, async () => {
        const { chargeId } = await createCharged();
        const id = kind === 'charge' ? chargeId : await shop.client.refund(chargeId, 1);
        for (const unknown of [NOBODYS_ID, 'x', `${id}0`, '0'.repeat(32)])
          expectNoBody(await shop.client.get(path(unknown)), 404);
        const other = await service.openShop({ dialect });
        expectNoBody(await other.client.get(path(id)), 404);
        assert.equal((await shop.client.get(path(id))).status, 200);
      });

      test(`${kind}: 404 without a body for the id of something else`, async () => {
        const { client } = shop;
        const paymentId = await client.create();
        const reserve = `/v1/sandbox/payments/${paymentId}/reserve`;
        const { reservationId } = await client.must(201, 'POST', reserve);
        const chargeId = await client.charge(paymentId, 100);
        const refundId = await client.refund(chargeId, 1);
        for (const id of [paymentId, reservationId, kind === 'charge' ? refundId : chargeId])
          expectNoBody(await client.get(path(id)), 404);
      });

      test(`${kind}: 400 for an id of more than 128 characters, or badly percent-encoded`, async () => {
        const text = 'must have at most 128 characters, found 129';
        expectErrors(await shop.client.get(path('a'.repeat(129))), { [`${kind}Id`]: [text] });
        expectErrors(await shop.client.get(path('%zz')), { path: ['is badly percent-encoded'] });
      });
    }

    // decision: reading-a-charge-or-refund, a-declined-charge
    test('404 for a charge that the acquirer declined: it never was', async () => {
      const { client } = shop;
      const paymentId = await client.createReserved(100, '4925000000000079');
      assert.equal((await client.post(`/v1/payments/${paymentId}/charges`, { amount: 100 })).status, 402);
      const rows = await service.pool.query<{ id: string }>(
        "select replace(id::text, '-', '') as id from movements where payment_id = $1 and kind = 'charge'",
        [paymentId],
      );
      assert.equal(rows.length, 1);
      for (const { id } of rows) expectNoBody(await client.get(`/v1/charges/${id}`), 404);
    });
  });
