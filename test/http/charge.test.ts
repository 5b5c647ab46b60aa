// Goal: POST /v1/payments/{paymentId}/charges answers with every status the specification lists, and keeps exactly
// what it says it keeps. Method: real requests in both dialects; every effect is read back over the API, events from
// the rows.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { DIALECTS, expectErrors, expectFailure, summaryIn } from '../support/answers.ts';
import { anItem } from '../support/client.ts';
import { readEventNames, readEvents, RESERVED } from '../support/events.ts';
import { momentOf } from '../support/moment.ts';
import { shareService } from '../support/service.ts';
import type { SharedService, Shop } from '../support/service.ts';

const CHARGE_DECLINED = '4925000000000079';

let service: SharedService;
before(() => {
  service = shareService();
});
after(() => service.close());

const charges = (paymentId: string): string => `/v1/payments/${paymentId}/charges`;

for (const dialect of DIALECTS) {
  describe(`charge in the dialect ${dialect}`, () => {
    let shop: Shop;
    before(async () => {
      shop = await service.openShop({ dialect });
    });

    // decision: charges-of-a-payment
    test('201: a charge of the whole order, and the payment then', async () => {
      const { client } = shop;
      const paymentId = await client.createReserved(100_000);
      const reply = await client.post(charges(paymentId), { amount: 100_000 });
      assert.equal(reply.status, 201);
      assert.equal(reply.headers.get('content-type'), 'application/json; charset=utf-8');
      assert.match(reply.body.chargeId, /^[0-9a-f]{32}$/);
      const payment = await client.payment(paymentId);
      assert.deepEqual(payment.summary, summaryIn(dialect, { reserved: 100_000, charged: 100_000 }));
      assert.equal(payment.charges.length, 1);
      const [charge] = payment.charges;
      assert.deepEqual(charge, {
        chargeId: reply.body.chargeId,
        amount: 100_000,
        created: momentOf(charge.chargeId),
        orderItems: [anItem()],
        ...(dialect === 'nexi' && { surchargeAmount: 0 }),
      });
      assert.deepEqual(await client.must(200, 'GET', `/v1/charges/${charge.chargeId}`), charge);
    });

    // decision: life-of-a-payment
    test('201: many partial charges up to the whole reservation, then 402 (1001)', async () => {
      const { client } = shop;
      const paymentId = await client.createReserved(100_000);
      const ids: string[] = [];
      for (const amount of [1, 39_999, 60_000]) ids.push(await client.charge(paymentId, amount));
      const payment = await client.payment(paymentId);
      assert.deepEqual(
        payment.charges.map(({ chargeId, amount }: { chargeId: string; amount: number }) => [chargeId, amount]),
        [
          [ids[0], 1],
          [ids[1], 39_999],
          [ids[2], 60_000],
        ],
      );
      assert.deepEqual(payment.summary, summaryIn(dialect, { reserved: 100_000, charged: 100_000 }));
      const message = 'The charge of 1 is more than the 0 left to charge.';
      expectFailure(await client.post(charges(paymentId), { amount: 1 }), { status: 402, code: '1001', message });
    });

    // decision: charge-refused
    test('402 (1001): more than is left; the text names both figures, and nothing changes', async () => {
      const { client } = shop;
      const paymentId = await client.createReserved(100_000);
      await client.charge(paymentId, 30_000);
      await client.cancel(paymentId, 20_000);
      const beforehand = await client.payment(paymentId);
      const message = 'The charge of 50001 is more than the 50000 left to charge.';
      expectFailure(await client.post(charges(paymentId), { amount: 50_001 }), { status: 402, code: '1001', message });
      assert.deepEqual(await client.payment(paymentId), beforehand);
      await client.charge(paymentId, 50_000);
    });

    // decision: charge-refused, text-of-code-1003
    test('402 (1003): not reserved; a test merchant is told the page and the sandbox call', async () => {
      const { client, merchant } = shop;
      const paymentId = await client.create(100_000);
      const reply = await client.post(charges(paymentId), { amount: 100_000 });
      expectFailure(reply, { status: 402, code: '1003', message: /^The payment is not reserved\. / });
      const { message } = reply.body;
      const [, page = ''] = /Pay it at (http\S+),/.exec(message) ?? [];
      assert.ok(page.includes('/hostedpaymentpage/?') && page.includes(paymentId), message);
      assert.equal(new URL(page).searchParams.get('checkoutKey'), merchant.checkoutKey);
      const [, call = ''] = /reserve it with POST http:\/\/[^/]+(\S+)\.$/.exec(message) ?? [];
      await client.must(201, 'POST', call);
      await client.charge(paymentId, 100_000);
    });

    // decision: text-of-code-1003
    test('402 (1003): a live merchant is told no page and no sandbox', async () => {
      const live = await service.openShop({ dialect, live: true });
      const paymentId = await live.client.create();
      const reply = await live.client.post(charges(paymentId), { amount: 1 });
      expectFailure(reply, { status: 402, code: '1003', message: 'The payment is not reserved.' });
    });

    // decision: expired-and-terminated-payments
    test('402 (1003): a terminated payment; nobody is sent to a page where it cannot be paid', async () => {
      const { client } = shop;
      const paymentId = await client.create();
      await client.must(204, 'PUT', `/v1/payments/${paymentId}/terminate`);
      const reply = await client.post(charges(paymentId), { amount: 1 });
      expectFailure(reply, { status: 402, code: '1003', message: 'The payment is terminated.' });
    });

    // decision: charge-refused
    test('402 (1020): declined by the acquirer; the amount stays chargeable, an event tells', async () => {
      const { client } = shop;
      const paymentId = await client.createReserved(100_000, CHARGE_DECLINED);
      const reply = await client.post(charges(paymentId), { amount: 100_000 });
      const message = 'The charge was declined: declined by the issuer.';
      expectFailure(reply, { status: 402, code: '1020', message, source: 'simulator' });
      const payment = await client.payment(paymentId);
      assert.deepEqual(payment.summary, summaryIn(dialect, { reserved: 100_000 }));
      assert.deepEqual(payment.charges, dialect === 'spec' ? [] : undefined);
      assert.deepEqual(payment.paymentDetails.invoiceDetails, {});
      const events = await readEvents(service.pool, paymentId);
      assert.deepEqual(
        events.map(({ name }) => name),
        [...RESERVED, 'payment.charge.failed'],
      );
      const declined = events.at(-1)?.movement_id as string;
      assert.equal((await client.get(`/v1/charges/${declined}`)).status, 404, 'a declined charge never was');
      assert.equal((await client.post(`/v1/charges/${declined}/refunds`, { amount: 1 })).status, 404);
      assert.equal((await client.post(charges(paymentId), { amount: 100_000 })).body.code, '1020', 'asked anew');
      await client.cancel(paymentId, 100_000);
    });

    test('400: an amount that is no whole number from 1 to 10^12', async () => {
      const { client } = shop;
      const paymentId = await client.createReserved();
      const range = /^must be a whole number from 1 to 1000000000000, found /;
      const notPositive = dialect === 'spec' ? [range] : ['Amount must be greater than 0', range];
      for (const amount of [0, -1])
        expectErrors(await client.post(charges(paymentId), { amount }), { amount: notPositive });
      expectErrors(await client.post(charges(paymentId), { amount: 1_000_000_000_001 }), { amount: [range] });
      const texts = dialect === 'spec' ? ['100', '1.0'] : ['1.0', ' 100', '1e2', ''];
      for (const amount of [1.5, ...texts, true, [], {}])
        expectErrors(await client.post(charges(paymentId), { amount }), {
          amount: [/^must be a whole number, found /],
        });
      for (const body of [{}, { amount: null }])
        expectErrors(await client.post(charges(paymentId), body), { amount: ['is required'] });
    });

    // decision: sum-rule
    test('400: an amount that is not the sum of the items; the text names both figures', async () => {
      const paymentId = await shop.client.createReserved();
      const body = { amount: 99_999, orderItems: [anItem()] };
      const text = 'is 99999, but the grossTotalAmount of the items sums up to 100000';
      const literal = "Amount dosen't match sum of orderitems";
      const reply = await shop.client.post(charges(paymentId), body);
      expectErrors(reply, { amount: dialect === 'spec' ? [text] : [literal, text] });
    });

    // decision: keys-of-the-errors-object
    test('400: every field of an item that is wrong is named by its path', async () => {
      const paymentId = await shop.client.createReserved();
      const { reference: _, ...withoutReference } = anItem({ quantity: -1, name: '' });
      const reply = await shop.client.post(charges(paymentId), {
        amount: 200_000,
        orderItems: [anItem(), { ...withoutReference, unitPrice: 1.5 }],
      });
      assert.equal(reply.status, 400);
      assert.deepEqual(Object.keys(reply.body.errors).toSorted(), [
        'orderItems[1].name',
        'orderItems[1].quantity',
        'orderItems[1].reference',
        'orderItems[1].unitPrice',
      ]);
    });

    // decision: sum-rule, items-of-a-request-without-items
    test('items of a charge: given ones as given, of the whole the order’s, of a part none', async () => {
      const { client } = shop;
      const given = [
        anItem({ reference: 'a', quantity: 0.000001, grossTotalAmount: 150 }),
        anItem({ reference: 'discount', grossTotalAmount: -50, netTotalAmount: -40, taxAmount: -10 }),
      ];
      const cases: [amount: number, orderItems: object[] | undefined | null, kept: object[]][] = [
        [100, given, given],
        [100, [], []],
        [100, undefined, []],
        [100_000, undefined, [anItem()]],
        [100_000, [], [anItem()]],
        [100_000, null, [anItem()]],
        [100_000, [anItem({ reference: 'regrouped' })], [anItem({ reference: 'regrouped' })]],
      ];
      for (const [amount, orderItems, kept] of cases) {
        const paymentId = await client.createReserved(100_000);
        await client.must(201, 'POST', charges(paymentId), { amount, orderItems });
        const [charge] = (await client.payment(paymentId)).charges;
        assert.deepEqual(charge.orderItems, kept);
      }
    });

    test('an item keeps the nine fields of the specification, with taxRate and taxAmount 0 when left out', async () => {
      const { client } = shop;
      const paymentId = await client.createReserved();
      const {
        taxRate: _rate,
        taxAmount: _tax,
        ...untaxed
      } = anItem({ reference: 4711, imageUrl: 'https://x.example' });
      await client.must(201, 'POST', charges(paymentId), { amount: 100_000, orderItems: [untaxed] });
      const [charge] = (await client.payment(paymentId)).charges;
      assert.deepEqual(charge.orderItems, [anItem({ reference: '4711', taxRate: 0, taxAmount: 0 })]);
    });

    test('events of charges stand in the order of the charges', async () => {
      const { client } = shop;
      const paymentId = await client.createReserved(300);
      const ids = [await client.charge(paymentId, 100), await client.charge(paymentId, 200)];
      const events = await readEvents(service.pool, paymentId);
      assert.deepEqual(
        events.slice(RESERVED.length).map(({ name, movement_id }) => [name, movement_id]),
        ids.map((id) => ['payment.charge.created', id]),
      );
    });

    test('a refused charge tells nothing', async () => {
      const { client } = shop;
      const paymentId = await client.createReserved(300);
      await client.post(charges(paymentId), { amount: 301 });
      assert.deepEqual(await readEventNames(service.pool, paymentId), RESERVED);
    });
  });
}

// decision: answers-in-spec
test('spec: every charge has an invoice number of its own, and the payment shows the latest', async () => {
  const { client } = await service.openShop({ dialect: 'spec' });
  const paymentId = await client.createReserved(100_000);
  const numbers = new Set<string>();
  for (const amount of [10_000, 20_000, 30_000]) {
    const { chargeId, invoice, ...rest } = await client.must(201, 'POST', charges(paymentId), { amount });
    assert.deepEqual(rest, {});
    assert.match(chargeId, /^[0-9a-f]{32}$/);
    assert.match(invoice.invoiceNumber, /^\d{24}$/);
    assert.deepEqual(Object.keys(invoice), ['invoiceNumber']);
    numbers.add(invoice.invoiceNumber);
    const { paymentDetails } = await client.payment(paymentId);
    assert.equal(paymentDetails.invoiceDetails.invoiceNumber, invoice.invoiceNumber);
  }
  assert.equal(numbers.size, 3);
});

test('nexi: the answer to a charge is the chargeId alone, with an invoice only for an invoice payment', async () => {
  const { client } = await service.openShop({ dialect: 'nexi' });
  const byCard = await client.must(201, 'POST', charges(await client.createReserved()), { amount: 1 });
  assert.deepEqual(Object.keys(byCard), ['chargeId']);
  const paymentId = await client.create();
  await client.must(201, 'POST', `/v1/sandbox/payments/${paymentId}/reserve`, { paymentType: 'INVOICE' });
  const byInvoice = await client.must(201, 'POST', charges(paymentId), { amount: 1 });
  assert.deepEqual(Object.keys(byInvoice), ['chargeId', 'invoice']);
  assert.match(byInvoice.invoice.invoiceNumber, /^\d{24}$/);
});

// decision: sum-rule
test('items is taken for orderItems, with the same sum rule', async () => {
  const { client } = await service.openShop();
  const paymentId = await client.createReserved(100_000);
  const items = [anItem({ grossTotalAmount: 30_000 })];
  const wrong = await client.post(charges(paymentId), { amount: 500, items });
  assert.deepEqual([wrong.status, Object.keys(wrong.body.errors)], [400, ['amount']]);
  await client.must(201, 'POST', charges(paymentId), { amount: 30_000, items });
  assert.deepEqual((await client.payment(paymentId)).charges[0].orderItems, items);
});
