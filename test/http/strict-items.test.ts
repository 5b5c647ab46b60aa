// Goal: with strictItems a charge, cancel or refund may only name items that are still there; without it, any items
// that sum up. Method: one order with a split line, a discount and a weight, real requests in both dialects.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { DIALECTS, expectErrors, expectFailure, summaryIn } from '../support/answers.ts';
import { anItem } from '../support/client.ts';
import type { Client } from '../support/client.ts';
import { shareService } from '../support/service.ts';
import type { SharedService, Shop } from '../support/service.ts';

let service: SharedService;
before(async () => {
  service = shareService();
});
after(() => service.close());

const line = (reference: string, quantity: number, grossTotalAmount: number) =>
  anItem({ reference, quantity, grossTotalAmount });

// Three shirts on two lines, a discount, and 0.3 kg of cheese: 900 + 600 + 100 - 200.
const ORDER = [line('shirt', 2, 900), line('cheese', 0.3, 600), line('discount', 1, -200), line('shirt', 1, 100)];
const AMOUNT = 1_400;

async function createReserved(client: Client, card?: string): Promise<string> {
  const order = { items: ORDER, amount: AMOUNT, currency: 'SEK' };
  const body = { order, checkout: { url: 'https://shop.example/checkout' } };
  const { paymentId } = await client.must(201, 'POST', '/v1/payments', body);
  await client.must(201, 'POST', `/v1/sandbox/payments/${paymentId}/reserve`, card === undefined ? {} : { card });
  return paymentId;
}

const charges = (paymentId: string): string => `/v1/payments/${paymentId}/charges`;
const cancels = (paymentId: string): string => `/v1/payments/${paymentId}/cancels`;
const refunds = (chargeId: string): string => `/v1/charges/${chargeId}/refunds`;

const sumOf = (items: readonly { grossTotalAmount: number }[]): number =>
  items.reduce((sum, { grossTotalAmount }) => sum + grossTotalAmount, 0);

const move = (...orderItems: ReturnType<typeof line>[]): object => ({ amount: sumOf(orderItems), orderItems });

for (const dialect of DIALECTS) {
  describe(`strictItems in the dialect ${dialect}`, () => {
    let shop: Shop;
    before(async () => {
      shop = await service.openShop({ dialect, strictItems: true });
    });

    // decision: items-that-remain
    test('400: a reference that the order does not have; charge and cancel, and nothing changes', async () => {
      const { client } = shop;
      const paymentId = await createReserved(client);
      const beforehand = await client.payment(paymentId);
      const body = move(line('shirt', 1, 100), line('Shirt', 1, 100));
      const errors = { 'orderItems[1].reference': ['the order has no item with reference "Shirt"'] };
      for (const path of [charges(paymentId), cancels(paymentId)]) expectErrors(await client.post(path, body), errors);
      assert.deepEqual(await client.payment(paymentId), beforehand);
    });

    // decision: items-that-remain
    test('400: more quantity than is left, though the amount is', async () => {
      const { client } = shop;
      const paymentId = await createReserved(client);
      const text = (asked: string, left: string): string =>
        `item "shirt" asks for ${asked}, but only ${left} is left of it in the order`;
      const tooMany = await client.post(charges(paymentId), move(line('shirt', 3.000001, 300)));
      expectErrors(tooMany, { 'orderItems[0].quantity': [text('3.000001', '3')] });
      await client.must(201, 'POST', charges(paymentId), move(line('shirt', 1.5, 300)));
      await client.must(204, 'POST', cancels(paymentId), move(line('shirt', 1, 300)));
      const again = await client.post(cancels(paymentId), move(line('shirt', 1, 100)));
      expectErrors(again, { 'orderItems[0].quantity': [text('1', '0.5')] });
      await client.must(204, 'POST', cancels(paymentId), move(line('shirt', 0.5, 100)));
    });

    // decision: items-that-remain
    test('400: more gross total than is left, though the quantity is', async () => {
      const { client } = shop;
      const paymentId = await createReserved(client);
      const text = (asked: number, left: number): string =>
        `item "cheese" asks for ${asked}, but only ${left} is left of it in the order`;
      const tooMuch = await client.post(charges(paymentId), move(line('cheese', 0.1, 601)));
      expectErrors(tooMuch, { 'orderItems[0].grossTotalAmount': [text(601, 600)] });
      await client.must(201, 'POST', charges(paymentId), move(line('cheese', 0.1, 400)));
      const again = await client.post(charges(paymentId), move(line('cheese', 0.1, 201)));
      expectErrors(again, { 'orderItems[0].grossTotalAmount': [text(201, 200)] });
      await client.must(201, 'POST', charges(paymentId), move(line('cheese', 0.1, 200)));
    });

    // decision: items-that-remain
    test('lines of one reference are summed, in the order and in the request', async () => {
      const { client } = shop;
      const first = await createReserved(client);
      await client.must(201, 'POST', charges(first), move(line('shirt', 3, 1_000)));
      const second = await createReserved(client);
      const body = move(line('cheese', 0.1, 100), line('shirt', 2, 500), line('shirt', 1, 501));
      const text = 'item "shirt" asks for 1001, but only 1000 is left of it in the order';
      expectErrors(await client.post(charges(second), body), { 'orderItems[1].grossTotalAmount': [text] });
      await client.must(201, 'POST', charges(second), move(line('shirt', 2, 500), line('shirt', 1, 500)));
    });

    test('quantities are exact: 0.1 and 0.2 of 0.3 leave nothing', async () => {
      const { client } = shop;
      const paymentId = await createReserved(client);
      for (const quantity of [0.1, 0.2])
        await client.must(201, 'POST', charges(paymentId), move(line('cheese', quantity, 100)));
      const reply = await client.post(charges(paymentId), move(line('cheese', 0.000001, 100)));
      const text = 'item "cheese" asks for 0.000001, but only 0 is left of it in the order';
      expectErrors(reply, { 'orderItems[0].quantity': [text] });
    });

    // decision: items-that-remain
    test('a negative line is compared by its magnitude, and stays negative', async () => {
      const { client } = shop;
      const paymentId = await createReserved(client);
      const text = (asked: number, left: number): string =>
        `item "discount" asks for ${asked}, but only ${left} is left of it in the order`;
      const shirt = line('shirt', 1, 400);
      const tooMuch = await client.post(charges(paymentId), move(shirt, line('discount', 1, -201)));
      expectErrors(tooMuch, { 'orderItems[1].grossTotalAmount': [text(-201, -200)] });
      const turned = await client.post(charges(paymentId), move(line('discount', 1, 100)));
      expectErrors(turned, { 'orderItems[0].grossTotalAmount': [text(100, -200)] });
      await client.must(201, 'POST', charges(paymentId), move(shirt, line('discount', 0.5, -150)));
      const again = await client.post(charges(paymentId), move(shirt, line('discount', 0.5, -51)));
      expectErrors(again, { 'orderItems[1].grossTotalAmount': [text(-51, -50)] });
      await client.must(201, 'POST', charges(paymentId), move(shirt, line('discount', 0.5, -50)));
    });

    // decision: items-that-remain
    test('amount-only requests are always allowed and use up no items', async () => {
      const { client } = shop;
      const paymentId = await createReserved(client);
      await client.charge(paymentId, 1);
      await client.cancel(paymentId, 399);
      await client.must(201, 'POST', charges(paymentId), move(line('shirt', 3, 1_000)));
      const whole = await createReserved(client);
      await client.charge(whole, AMOUNT);
      const { summary } = await client.payment(paymentId);
      assert.deepEqual(summary, summaryIn(dialect, { reserved: AMOUNT, charged: 1_001, cancelled: 399 }));
    });

    test('what the amount forbids is told before what the items forbid', async () => {
      const { client } = shop;
      const paymentId = await createReserved(client);
      const body = move(line('unknown', 1, AMOUNT + 1));
      const message = 'The charge of 1401 is more than the 1400 left to charge.';
      expectFailure(await client.post(charges(paymentId), body), { status: 402, code: '1001', message });
    });

    test('a declined charge or refund uses up nothing', async () => {
      const { client } = shop;
      const declining = await createReserved(client, '4925000000000079');
      await client.must(402, 'POST', charges(declining), move(line('shirt', 3, 1_000)));
      await client.must(204, 'POST', cancels(declining), move(line('shirt', 3, 1_000)));
      const paymentId = await createReserved(client, '4000000000005126');
      const { chargeId } = await client.must(201, 'POST', charges(paymentId), move(line('shirt', 3, 1_000)));
      for (const _ of [1, 2]) {
        const reply = await client.post(refunds(chargeId), move(line('shirt', 3, 1_000)));
        assert.match(reply.text, /The refund was declined/);
      }
    });

    // decision: items-that-remain
    test('a refund is held against its charge, not against the order', async () => {
      const { client } = shop;
      const paymentId = await createReserved(client);
      const { chargeId } = await client.must(201, 'POST', charges(paymentId), move(line('shirt', 2, 700)));
      const unknown = await client.post(refunds(chargeId), move(line('cheese', 0.1, 100)));
      expectErrors(unknown, { 'orderItems[0].reference': ['the charge has no item with reference "cheese"'] });
      const tooMany = await client.post(refunds(chargeId), move(line('shirt', 3, 700)));
      const text = (asked: number, left: number): string =>
        `item "shirt" asks for ${asked}, but only ${left} is left of it in the charge`;
      expectErrors(tooMany, { 'orderItems[0].quantity': [text(3, 2)] });
      await client.must(201, 'POST', refunds(chargeId), move(line('shirt', 1, 600)));
      const again = await client.post(refunds(chargeId), { amount: 100, orderItems: [line('shirt', 2, 100)] });
      expectErrors(again, { 'orderItems[0].quantity': [text(2, 1)] });
      await client.refund(chargeId, 50);
      await client.must(201, 'POST', refunds(chargeId), move(line('shirt', 1, 50)));
    });

    test('a charge without items has the order’s when it is whole, none to refund when it is a part', async () => {
      const { client } = shop;
      const whole = await client.charge(await createReserved(client), AMOUNT);
      await client.must(201, 'POST', refunds(whole), move(line('shirt', 3, 1_000), line('discount', 1, -200)));
      const part = await client.charge(await createReserved(client), 1_000);
      const reply = await client.post(refunds(part), move(line('shirt', 3, 1_000)));
      expectErrors(reply, { 'orderItems[0].reference': ['the charge has no item with reference "shirt"'] });
      await client.refund(part, 1_000);
    });

    test('a refund of a payment is held against the charge that it takes', async () => {
      const { client } = shop;
      const paymentId = await createReserved(client);
      await client.must(201, 'POST', charges(paymentId), move(line('shirt', 1, 300)));
      await client.must(201, 'POST', charges(paymentId), move(line('cheese', 0.3, 600)));
      const path = `/v1/payments/${paymentId}/refunds`;
      const small = await client.post(path, move(line('cheese', 0.1, 200)));
      expectErrors(small, { 'orderItems[0].reference': ['the charge has no item with reference "cheese"'] });
      await client.must(201, 'POST', path, move(line('cheese', 0.2, 400)));
    });

    // decision: items-that-remain
    test('off by default: items that the order does not have, or more of them, are taken', async () => {
      const { client } = await service.openShop({ dialect });
      const paymentId = await createReserved(client);
      const wild = [line('unknown', 1, 300), line('shirt', 99, 400), line('discount', 1, 100)];
      const { chargeId } = await client.must(201, 'POST', charges(paymentId), move(...wild));
      await client.must(201, 'POST', refunds(chargeId), move(line('another', 7, 800)));
      await client.must(204, 'POST', cancels(paymentId), move(line('third', 1, 600)));
      const { summary } = await client.payment(paymentId);
      const expected = { reserved: AMOUNT, charged: 800, refunded: 800, cancelled: 600 };
      assert.deepEqual(summary, summaryIn(dialect, expected));
    });
  });
}
