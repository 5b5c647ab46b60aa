// Goal: amounts, item amounts, tax rates and quantities are taken up to the very edge of their range and refused just
// beyond it, and every number that is taken comes back exactly as it was sent.
// Method: a running service; each number stands in an otherwise good request. Items are read back through a charge of
// the whole order.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { expectErrors } from '../support/answers.ts';
import { aCreate, anItem } from '../support/client.ts';
import type { Client } from '../support/client.ts';
import { withField } from '../support/field.ts';
import { shareService } from '../support/service.ts';
import type { SharedService } from '../support/service.ts';

const HIGHEST = 1_000_000_000_000;
const AMOUNT_RANGE = /^must be a whole number from 1 to 1000000000000, found /;
const ITEM_RANGE = /^must be a whole number from -1000000000000 to 1000000000000, found /;

let service: SharedService;
let client: Client;
before(async () => {
  service = shareService();
  client = (await service.openShop()).client;
});
after(() => service.close());

const createWith = (path: string, value: unknown) => client.post('/v1/payments', withField(aCreate(), path, value));

/** Creates an order of 8 whose first item is this one, charges it, and gives the item as the charge shows it. */
async function sendAndReadBack(item: { grossTotalAmount: number }): Promise<object> {
  const opposite = anItem({ reference: 'opposite', grossTotalAmount: -item.grossTotalAmount });
  const rest = anItem({ reference: 'rest', grossTotalAmount: 8 });
  const order = { items: [item, opposite, rest], amount: 8, currency: 'SEK' };
  const { paymentId } = await client.must(201, 'POST', '/v1/payments', { ...aCreate(), order });
  await client.must(201, 'POST', `/v1/sandbox/payments/${paymentId}/reserve`, {});
  const chargeId = await client.charge(paymentId, 8);
  return (await client.get(`/v1/charges/${chargeId}`)).body.orderItems[0];
}

describe('amounts of an order', () => {
  for (const amount of [1, 2, 999_999_999_999, HIGHEST])
    // decision: unit-of-amounts
    test(`${amount} is taken, and read back exactly`, async () => {
      const paymentId = await client.create(amount);
      const { text } = await client.get(`/v1/payments/${paymentId}`);
      assert.ok(text.includes(`"orderDetails":{"amount":${amount},`), text);
    });

  for (const amount of [0, -1, HIGHEST + 1, 1e21])
    // decision: unit-of-amounts
    test(`${amount} is out of range: 400`, async () => {
      expectErrors(await createWith('order.amount', amount), {
        'order.amount': [/^must be a whole number from 1 to /],
      });
    });

  for (const amount of ['100000', '', true, [100_000], { amount: 100_000 }, 100_000.5])
    // decision: unit-of-amounts
    test(`${JSON.stringify(amount)} is no whole number: 400`, async () => {
      const reply = await createWith('order.amount', amount);
      expectErrors(reply, { 'order.amount': [/^must be a whole number, found /] });
    });

  test('a whole number may be spelled with an exponent or with zeros behind the point', async () => {
    for (const spelling of ['1e5', '100000.0', '1.0E+5']) {
      const body = JSON.stringify(aCreate(100_000)).replace('"amount":100000', `"amount":${spelling}`);
      const reply = await client.post('/v1/payments', body);
      assert.equal((await client.payment(reply.body.paymentId)).orderDetails.amount, 100_000);
    }
  });

  // decision: unit-of-amounts
  test('the highest amount is reserved, charged and refunded exactly', async () => {
    const paymentId = await client.createReserved(HIGHEST);
    const chargeId = await client.charge(paymentId, HIGHEST - 1);
    await client.charge(paymentId, 1);
    await client.refund(chargeId, HIGHEST - 1);
    assert.deepEqual((await client.payment(paymentId)).summary, {
      reservedAmount: HIGHEST,
      chargedAmount: HIGHEST,
      refundedAmount: HIGHEST - 1,
      cancelledAmount: 0,
    });
  });
});

describe('amounts of a charge, a refund and a cancel', () => {
  for (const move of ['charge', 'refund', 'cancel'])
    // decision: unit-of-amounts
    test(`${move}: 1 is taken; 0, -1, 1000000000001, a fraction and a text are 400`, async () => {
      const paymentId = await client.createReserved(100);
      const chargeId = await client.charge(paymentId, 50);
      const path = {
        charge: `/v1/payments/${paymentId}/charges`,
        refund: `/v1/charges/${chargeId}/refunds`,
        cancel: `/v1/payments/${paymentId}/cancels`,
      }[move] as string;
      for (const amount of [0, -1, HIGHEST + 1])
        expectErrors(await client.post(path, { amount }), { amount: [AMOUNT_RANGE] });
      const tooMuch = 'must be a whole number from 1 to 1000000000000, found a larger one';
      expectErrors(await client.post(path, { amount: HIGHEST + 1 }), { amount: [tooMuch] });
      for (const amount of [1.5, '1'])
        expectErrors(await client.post(path, { amount }), { amount: [/^must be a whole number, found /] });
      for (const amount of [undefined, null])
        expectErrors(await client.post(path, { amount }), { amount: ['is required'] });
      assert.ok((await client.post(path, { amount: 1 })).status < 300);
    });
});

describe('amounts of an item', () => {
  for (const field of ['unitPrice', 'taxAmount', 'netTotalAmount', 'grossTotalAmount']) {
    // decision: amounts-of-items
    test(`${field}: -1000000000000, 0 and 1000000000000 are taken, and read back exactly`, async () => {
      for (const amount of [-HIGHEST, -1, 0, HIGHEST]) {
        const item = anItem({ [field]: amount });
        assert.deepEqual(await sendAndReadBack(item), item);
      }
    });

    // decision: amounts-of-items
    test(`${field}: one beyond, a fraction, a text are 400`, async () => {
      const path = `order.items[0].${field}`;
      for (const amount of [-HIGHEST - 1, HIGHEST + 1])
        expectErrors(await createWith(path, amount), { [path]: [ITEM_RANGE] });
      for (const amount of [0.5, '1', false])
        expectErrors(await createWith(path, amount), { [path]: [/^must be a whole number, found /] });
    });
  }

  test('the sum of a thousand items at the edge is told exactly', async () => {
    const items = Array.from({ length: 1_000 }, () => anItem({ grossTotalAmount: HIGHEST }));
    const reply = await client.post('/v1/payments', { ...aCreate(), order: { items, amount: 5, currency: 'SEK' } });
    const text = 'is 5, but the grossTotalAmount of the items sums up to 1000000000000000';
    expectErrors(reply, { 'order.amount': [text] });
  });

  // decision: amounts-of-items
  test('taxRate and taxAmount are 0 when they are left out or null', async () => {
    for (const absent of [undefined, null]) {
      const item = anItem({ taxRate: absent, taxAmount: absent });
      assert.deepEqual(await sendAndReadBack(item), anItem({ taxRate: 0, taxAmount: 0 }));
    }
  });

  // decision: texts-and-number-of-items
  test('1,000 items are taken, 1,001 are 400', async () => {
    const orderOf = (count: number) => ({
      items: Array.from({ length: count }, (_, index) => anItem({ reference: `item-${index}`, grossTotalAmount: 1 })),
      amount: count,
      currency: 'SEK',
    });
    const taken = await client.post('/v1/payments', { ...aCreate(), order: orderOf(1_000) });
    assert.equal(taken.status, 201, taken.text);
    const refused = await client.post('/v1/payments', { ...aCreate(), order: orderOf(1_001) });
    expectErrors(refused, { 'order.items': ['must have at most 1000 elements, found 1001'] });
  });
});

describe('tax rate and quantity of an item', () => {
  for (const [field, numbers] of [
    ['taxRate', [0, 1, 2_500, 12.5, 99_999]],
    ['quantity', [0, 1, 0.000_001, 0.1, 1.123_456, 0.333_333, 999_999_999.999_999, 1_000_000_000]],
  ] as const)
    // decision: quantities
    test(`${field}: ${numbers.join(', ')} are taken, and read back exactly`, async () => {
      for (const number of numbers) {
        const item = anItem({ [field]: number });
        assert.deepEqual(await sendAndReadBack(item), item);
      }
    });

  // decision: amounts-of-items
  test('taxRate: below 0, above 99999 and a text are 400', async () => {
    const path = 'order.items[0].taxRate';
    for (const rate of [-1, -0.5, 99_999.5, 100_000])
      expectErrors(await createWith(path, rate), { [path]: [/^must be a number from 0 to 99999, found /] });
    expectErrors(await createWith(path, '2500'), { [path]: [/^must be a number, found /] });
  });

  // decision: quantities
  test('quantity: below 0, above 1000000000 and a text are 400', async () => {
    const path = 'order.items[0].quantity';
    for (const quantity of [-1, -0.5, 1_000_000_001])
      expectErrors(await createWith(path, quantity), { [path]: [/^must be a number from 0 to 1000000000, found /] });
    expectErrors(await createWith(path, '2'), { [path]: [/^must be a number, found /] });
  });

  // decision: quantities
  test('quantity: 7 decimals are 400, however they are spelled', async () => {
    const path = 'order.items[0].quantity';
    for (const quantity of [1.123_456_7, 0.000_000_1, 1e-7, 2.5e-7, 999_999.000_000_1])
      expectErrors(await createWith(path, quantity), { [path]: [/^must have at most 6 decimals, found /] });
  });

  test('a quantity of a charge with its own items is kept exactly, too', async () => {
    const paymentId = await client.createReserved(100);
    const orderItems = [anItem({ quantity: 0.123_457, grossTotalAmount: 33 })];
    const { chargeId } = await client.must(201, 'POST', `/v1/payments/${paymentId}/charges`, {
      amount: 33,
      orderItems,
    });
    assert.deepEqual((await client.get(`/v1/charges/${chargeId}`)).body.orderItems, orderItems);
  });
});
