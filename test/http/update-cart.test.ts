// Goal: PUT /v1/payments/{paymentId}/orderitems replaces items and amount of a payment that is not reserved yet.
// Method: real requests in both dialects; the amount is read from the payment, the items from a charge of the whole
// order.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { DIALECTS, expectErrors, expectFailure, expectNoBody, summaryIn } from '../support/answers.ts';
import { anItem } from '../support/client.ts';
import type { Client } from '../support/client.ts';
import { shareService } from '../support/service.ts';
import type { SharedService, Shop } from '../support/service.ts';

let service: SharedService;
before(() => {
  service = shareService();
});
after(() => service.close());

const cart = (paymentId: string): string => `/v1/payments/${paymentId}/orderitems`;
const ITEMS = [
  anItem({ reference: 'a', quantity: 1.5, grossTotalAmount: 70_000 }),
  anItem({ reference: 'b', grossTotalAmount: -20_000, netTotalAmount: -16_000, taxAmount: -4_000 }),
];

/** The items of the order, by reserving and charging all of it. */
async function itemsOfOrder(client: Client, paymentId: string, amount: number): Promise<object[]> {
  await client.must(201, 'POST', `/v1/sandbox/payments/${paymentId}/reserve`);
  const chargeId = await client.charge(paymentId, amount);
  return (await client.must(200, 'GET', `/v1/charges/${chargeId}`)).orderItems;
}

for (const dialect of DIALECTS) {
  describe(`update cart in the dialect ${dialect}`, () => {
    let shop: Shop;
    before(async () => {
      shop = await service.openShop({ dialect });
    });

    // decision: cart-updates
    test('204: replaces items and amount, and nothing else changes', async () => {
      const { client } = shop;
      const paymentId = await client.create(100_000);
      const beforehand = await client.payment(paymentId);
      expectNoBody(await client.put(cart(paymentId), { amount: 50_000, items: ITEMS }), 204);
      assert.deepEqual(await client.payment(paymentId), {
        ...beforehand,
        orderDetails: { ...beforehand.orderDetails, amount: 50_000 },
      });
      assert.deepEqual(await itemsOfOrder(client, paymentId, 50_000), ITEMS);
      const { summary } = await client.payment(paymentId);
      assert.deepEqual(summary, summaryIn(dialect, { reserved: 50_000, charged: 50_000 }));
    });

    // decision: cart-updates
    test('204: the amount left out is the sum of the items; orderItems is taken for items', async () => {
      const { client } = shop;
      for (const body of [{ items: ITEMS }, { orderItems: ITEMS }, { amount: null, items: null, orderItems: ITEMS }]) {
        const paymentId = await client.create(100_000);
        await client.must(204, 'PUT', cart(paymentId), body);
        assert.equal((await client.payment(paymentId)).orderDetails.amount, 50_000);
        assert.deepEqual(await itemsOfOrder(client, paymentId, 50_000), ITEMS);
      }
    });

    test('204: a larger order, again and again, and what is reserved is the last', async () => {
      const { client } = shop;
      const paymentId = await client.create(100);
      for (const amount of [1, 1_000_000_000_000, 250_000])
        await client.must(204, 'PUT', cart(paymentId), { items: [anItem({ grossTotalAmount: amount })] });
      await client.must(201, 'POST', `/v1/sandbox/payments/${paymentId}/reserve`);
      assert.deepEqual((await client.payment(paymentId)).summary, summaryIn(dialect, { reserved: 250_000 }));
    });

    // decision: cart-updates
    test('204: shipping with costSpecified is taken, and an empty array for it', async () => {
      const { client } = shop;
      const paymentId = await client.create();
      for (const shipping of [{ costSpecified: true }, {}, [], null])
        await client.must(204, 'PUT', cart(paymentId), { items: ITEMS, shipping });
      const reply = await client.put(cart(paymentId), { items: ITEMS, shipping: { costSpecified: 'yes' } });
      expectErrors(reply, { 'shipping.costSpecified': [/^must be true or false, found /] });
    });

    test('204 after a declined reservation', async () => {
      const { client } = shop;
      const paymentId = await client.create();
      await client.must(402, 'POST', `/v1/sandbox/payments/${paymentId}/reserve`, { card: '4925000000000087' });
      expectNoBody(await client.put(cart(paymentId), { items: ITEMS }), 204);
    });

    // decision: cart-updates
    test('405 (1004): after the reservation, also when it was charged or cancelled', async () => {
      const { client } = shop;
      const [charged, cancelled] = [await client.createReserved(100), await client.createReserved(100)];
      await client.charge(charged, 100);
      await client.cancel(cancelled, 100);
      for (const paymentId of [await client.createReserved(100), charged, cancelled]) {
        const reply = await client.put(cart(paymentId), { items: ITEMS });
        expectFailure(reply, { status: 405, code: '1004', message: 'The payment is already reserved.' });
        assert.equal((await client.payment(paymentId)).orderDetails.amount, 100);
      }
    });

    test('405 (1000): terminated', async () => {
      const { client } = shop;
      const paymentId = await client.create();
      await client.must(204, 'PUT', `/v1/payments/${paymentId}/terminate`);
      const reply = await client.put(cart(paymentId), { items: ITEMS });
      expectFailure(reply, { status: 405, code: '1000', message: 'The payment is terminated.' });
    });

    test('400: no items, an empty array of them, a wrong field of one', async () => {
      const { client } = shop;
      const paymentId = await client.create();
      for (const body of [{}, { amount: 100 }, { items: null }])
        expectErrors(await client.put(cart(paymentId), body), { items: ['is required'] });
      const none = 'must have at least 1 element, found an empty array';
      expectErrors(await client.put(cart(paymentId), { items: [] }), { items: [none] });
      expectErrors(await client.put(cart(paymentId), { orderItems: [] }), { orderItems: [none] });
      const body = { items: [anItem(), anItem({ grossTotalAmount: 0.5 })] };
      expectErrors(await client.put(cart(paymentId), body), {
        'items[1].grossTotalAmount': [/^must be a whole number/],
      });
    });

    test('400 errors.amount: not the sum of the items, or a sum that no order can have', async () => {
      const { client } = shop;
      const paymentId = await client.create();
      const text = 'is 49999, but the grossTotalAmount of the items sums up to 50000';
      const differs = dialect === 'spec' ? [text] : ["Amount dosen't match sum of orderitems", text];
      expectErrors(await client.put(cart(paymentId), { amount: 49_999, items: ITEMS }), { amount: differs });
      const highest = anItem({ grossTotalAmount: 1_000_000_000_000 });
      const tooMuch = 'left out, it is the sum of the items: 2000000000000; it must be from 1 to 1000000000000';
      expectErrors(await client.put(cart(paymentId), { items: [highest, highest] }), { amount: [tooMuch] });
      for (const sum of [0, -100]) {
        const tooLittle = `left out, it is the sum of the items: ${sum}; it must be from 1 to 1000000000000`;
        const reply = await client.put(cart(paymentId), { items: [anItem({ grossTotalAmount: sum })] });
        const expected = dialect === 'spec' ? [tooLittle] : ['Amount must be greater than 0', tooLittle];
        expectErrors(reply, { amount: expected });
      }
      assert.equal((await client.payment(paymentId)).orderDetails.amount, 100_000);
    });
  });
}
