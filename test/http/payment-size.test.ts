// Goal: one payment cannot grow until every request on it is slow, nor one body block the rest. Method: real requests at
// the edge of each limit, and just beyond it.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { DIALECTS, expectErrors } from '../support/answers.ts';
import { aCreate, anItem } from '../support/client.ts';
import { shareService } from '../support/service.ts';
import type { SharedService, Shop } from '../support/service.ts';

const HOOK = { eventName: 'payment.created', url: 'https://shop.example/hook', authorization: '12345678' };

describe('the size of a payment', () => {
  let service: SharedService;
  let shop: Shop;
  before(async () => {
    service = shareService();
    shop = await service.openShop();
  });
  after(() => service.close());

  // decision: size-of-a-payment
  test('its movements and the items they name are at most 5,000 lines; an amount alone still goes', async () => {
    const paymentId = await shop.client.createReserved(10_000);
    const path = `/v1/payments/${paymentId}/charges`;
    const orderItems = Array.from({ length: 1_000 }, () => anItem({ grossTotalAmount: 1 }));
    for (let count = 0; count < 4; count += 1) await shop.client.must(201, 'POST', path, { amount: 1_000, orderItems });
    const text = /^the movements of this payment hold 4005 lines already; 5000 are the most/;
    expectErrors(await shop.client.post(path, { amount: 1_000, orderItems }), { orderItems: [text] });
    const cancels = `/v1/payments/${paymentId}/cancels`;
    expectErrors(await shop.client.post(cancels, { amount: 1_000, orderItems }), { orderItems: [text] });
    await shop.client.must(201, 'POST', path, { amount: 994, orderItems: orderItems.slice(0, 994) });
    expectErrors(await shop.client.post(path, { amount: 1 }), { orderItems: [/hold 5000 lines already/] });
    assert.equal((await shop.client.payment(paymentId)).summary.chargedAmount, 4_994);
  });

  const lines = (count: number, nameLength: number) =>
    Array.from({ length: count }, () => anItem({ grossTotalAmount: 10, name: '\u00e5'.repeat(nameLength) }));

  // decision: size-of-a-payment
  test('an order is at most 512 KiB, when it is created and when its cart changes', async () => {
    const order = (items: object[]) => ({ amount: items.length * 10, currency: 'SEK', items });
    const large = { ...aCreate(), order: order(lines(1_000, 128)) };
    const { paymentId } = await shop.client.must(201, 'POST', '/v1/payments', large);
    const references = lines(1_000, 128).map((item) => ({ ...item, reference: '\u00e5'.repeat(128) }));
    const text = /^are with the consumer and the checkout [5-9]\d{5} bytes as JSON; 524288 are the most$/;
    const tooLarge = { ...aCreate(), order: order(references) };
    expectErrors(await shop.client.post('/v1/payments', tooLarge), { 'order.items': [text] });
    const cart = `/v1/payments/${paymentId}/orderitems`;
    expectErrors(await shop.client.put(cart, { amount: 10_000, items: references }), { items: [text] });
    await shop.client.must(204, 'PUT', cart, { amount: 9_990, items: lines(999, 128) });
  });

  const ratesFrom = (first: number, count: number) =>
    Array.from({ length: count }, (_, index) => anItem({ grossTotalAmount: 10, taxRate: first + index }));

  for (const dialect of DIALECTS)
    // decision: number-of-tax-rates
    test(`an order has at most 50 tax rates, when it is created, when its cart changes and with its movements, in the dialect ${dialect}`, async () => {
      const { client } = await service.openShop({ dialect });
      const order = (items: object[]) => ({ amount: items.length * 10, currency: 'SEK', items });
      const text = 'have 51 different tax rates; 50 are the most';
      const many = { ...aCreate(), order: order(ratesFrom(0, 51)) };
      expectErrors(await client.post('/v1/payments', many), { 'order.items': [text] });
      const few = { ...aCreate(), order: order([...ratesFrom(0, 49), ...ratesFrom(0, 49)]) };
      const { paymentId } = await client.must(201, 'POST', '/v1/payments', few);
      const cart = `/v1/payments/${paymentId as string}/orderitems`;
      expectErrors(await client.put(cart, { amount: 510, items: ratesFrom(0, 51) }), { items: [text] });
      await client.must(201, 'POST', `/v1/sandbox/payments/${paymentId as string}/reserve`);
      const charge = `/v1/payments/${paymentId as string}/charges`;
      const { chargeId } = await client.must(201, 'POST', charge, { amount: 10, orderItems: ratesFrom(100, 1) });
      const one = { amount: 10, orderItems: ratesFrom(200, 1) };
      const refusal = `with these items the items of the payment ${text}: name others, or none`;
      expectErrors(await client.post(charge, one), { orderItems: [refusal] });
      expectErrors(await client.post(`/v1/charges/${chargeId as string}/refunds`, one), { orderItems: [refusal] });
      await client.must(201, 'POST', charge, { amount: 10, orderItems: ratesFrom(100, 1) });
      await client.must(201, 'POST', charge, { amount: 10 });
    });

  // decision: number-of-tax-rates
  test('an order that has more from before can be charged by name, and brings no new ones', async () => {
    const paymentId = await shop.client.createReserved(1_000);
    await service.pool.query('update payments set items = $2 where id = $1', [
      paymentId,
      JSON.stringify(ratesFrom(0, 100)),
    ]);
    const path = `/v1/payments/${paymentId}/charges`;
    await shop.client.must(201, 'POST', path, { amount: 600, orderItems: ratesFrom(0, 60) });
    const reply = await shop.client.post(path, { amount: 10, orderItems: ratesFrom(100, 1) });
    expectErrors(reply, { orderItems: [/have 101 different tax rates; 50 are the most/] });
  });

  // decision: size-of-a-payment
  test('1,000 ordinary lines can be ordered, charged and refunded by name', async () => {
    const items = lines(1_000, 30);
    const body = { ...aCreate(), order: { amount: 10_000, currency: 'SEK', items } };
    const { paymentId } = await shop.client.must(201, 'POST', '/v1/payments', body);
    await shop.client.must(201, 'POST', `/v1/sandbox/payments/${paymentId as string}/reserve`);
    const whole = { amount: 10_000, orderItems: items };
    const { chargeId } = await shop.client.must(201, 'POST', `/v1/payments/${paymentId as string}/charges`, whole);
    await shop.client.must(201, 'POST', `/v1/charges/${chargeId as string}/refunds`, whole);
  });

  // decision: size-of-a-payment
  test('it holds at most 2 MiB; an amount alone still goes', async () => {
    const paymentId = await shop.client.createReserved(100_000);
    const path = `/v1/payments/${paymentId}/charges`;
    const orderItems = lines(1_000, 128).map((item) => ({ ...item, reference: '\u00e5'.repeat(128) }));
    let reply = await shop.client.post(path, { amount: 10_000, orderItems });
    while (reply.status === 201) reply = await shop.client.post(path, { amount: 10_000, orderItems });
    const text =
      /^with these items the payment would hold 2\d{6} bytes; 2097152 are the most: name fewer items, or none$/;
    expectErrors(reply, { orderItems: [text] });
    const cancels = `/v1/payments/${paymentId}/cancels`;
    expectErrors(await shop.client.post(cancels, { amount: 10_000, orderItems }), { orderItems: [text] });
    const { chargeId } = await shop.client.must(201, 'POST', path, { amount: 10_000 });
    const refunds = `/v1/charges/${chargeId as string}/refunds`;
    expectErrors(await shop.client.post(refunds, { amount: 10_000, orderItems }), { orderItems: [text] });
    await shop.client.must(201, 'POST', refunds, { amount: 10_000 });
  });

  // decision: size-of-a-payment
  test('it has at most 1,000 movements', async () => {
    const paymentId = await shop.client.createReserved(2_000);
    await shop.client.charge(paymentId, 1);
    // As if it had been charged so often: a thousand requests would take a while.
    await service.pool.query(
      `insert into movements select (jsonb_populate_record(charge, jsonb_build_object(
         'id', overlay(charge.id::text placing lpad(to_hex(n), 8, '0') from 29), 'sequence', n))).*
       from movements as charge, generate_series(3, 999) as n where payment_id = $1 and kind = 'charge'`,
      [paymentId],
    );
    await service.pool.query('update payments set charged = 998 where id = $1', [paymentId]);
    const path = `/v1/payments/${paymentId}/charges`;
    const kept =
      'the payment has 999 movements already; 1000 are the most, and one is kept for the cancel of what a final charge leaves';
    expectErrors(await shop.client.post(path, { amount: 1, finalCharge: true }), { amount: [kept] });
    assert.equal((await shop.client.payment(paymentId)).summary.chargedAmount, 998, 'nothing was charged');
    await shop.client.must(201, 'POST', path, { amount: 1 });
    const text = 'the payment has 1000 movements already; 1000 are the most';
    expectErrors(await shop.client.post(path, { amount: 1 }), { amount: [text] });
    expectErrors(await shop.client.post(`/v1/payments/${paymentId}/cancels`, { amount: 1 }), { amount: [text] });
  });

  test('a final charge of all that is left may be the last movement', async () => {
    const paymentId = await shop.client.createReserved(2_000);
    await shop.client.charge(paymentId, 1);
    await service.pool.query(
      `insert into movements select (jsonb_populate_record(charge, jsonb_build_object(
         'id', overlay(charge.id::text placing lpad(to_hex(n), 8, '0') from 29), 'sequence', n))).*
       from movements as charge, generate_series(3, 999) as n where payment_id = $1 and kind = 'charge'`,
      [paymentId],
    );
    await service.pool.query('update payments set charged = 998 where id = $1', [paymentId]);
    await shop.client.must(201, 'POST', `/v1/payments/${paymentId}/charges`, { amount: 1_002, finalCharge: true });
    assert.equal((await shop.client.payment(paymentId)).summary.chargedAmount, 2_000);
  });

  test('many who read one payment at once all get it', async () => {
    const paymentId = await shop.client.createReserved(1_000);
    await shop.client.charge(paymentId, 400);
    const payments = await Promise.all(Array.from({ length: 100 }, () => shop.client.payment(paymentId)));
    for (const payment of payments) assert.deepEqual(payment, payments[0]);
  });

  test('the headers of a webhook are at most 32 names', async () => {
    const withNames = (count: number) => ({
      ...aCreate(),
      notifications: {
        webHooks: [
          { ...HOOK, headers: [Object.fromEntries(Array.from({ length: count }, (_, index) => [`x-${index}`, 'a']))] },
        ],
      },
    });
    await shop.client.must(201, 'POST', '/v1/payments', withNames(32));
    const tooMany = { 'notifications.webHooks[0].headers[0]': ['must have at most 32 names, found 33'] };
    expectErrors(await shop.client.post('/v1/payments', withNames(33)), tooMany);
  });

  // decision: two-spellings-of-webhooks
  test('webhooks are given in one spelling; an empty list counts as none', async () => {
    const both = { ...aCreate(), notifications: { webHooks: [HOOK], webhooks: [HOOK] } };
    const once = { 'notifications.webHooks': ['must be given once, as webHooks or as webhooks'] };
    expectErrors(await shop.client.post('/v1/payments', both), once);
    const body = { ...aCreate(), notifications: { webHooks: [], webhooks: [HOOK] } };
    const { paymentId } = await shop.client.must(201, 'POST', '/v1/payments', body);
    const rows = await service.pool.query<{ hooks: unknown }>(
      `select checkout -> 'webHooks' as hooks from payments where id = $1`,
      [paymentId],
    );
    assert.deepEqual(rows, [{ hooks: [HOOK] }]);
  });

  test('codes are ASCII: a letter that only becomes one in upper case is refused', async () => {
    const wrong = aCreate();
    wrong.order.currency = '\u017Fek';
    expectErrors(await shop.client.post('/v1/payments', wrong), { 'order.currency': [/ISO 4217/] });
  });

  // decision: consumer-of-the-sandbox-call
  test('what the sandbox call says of the consumer is added to what the shop gave', async () => {
    const consumer = { email: 'a@example.test', shippingAddress: { city: 'Lund' } };
    const paymentId = await shop.client.create(1_000, { consumer });
    const body = { consumer: { email: 'b@example.test' } };
    await shop.client.must(201, 'POST', `/v1/sandbox/payments/${paymentId}/reserve`, body);
    const shown = (await shop.client.payment(paymentId)).consumer;
    assert.deepEqual([shown.privatePerson.email, shown.shippingAddress], ['b@example.test', { city: 'Lund' }]);
  });
});
