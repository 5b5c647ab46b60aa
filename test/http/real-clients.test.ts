// Goal: the requests that the existing clients of this API really send work, in both dialects.
// Method: a running service; each request is sent as such a client sends it, and what became of it is read back. What
// a checkout is to be like is part of no answer, so it is looked up in the row.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { DIALECTS, expectErrors, expectFailure } from '../support/answers.ts';
import { aCreate, anItem, anOrder } from '../support/client.ts';
import type { Client, Reply } from '../support/client.ts';
import { shareService } from '../support/service.ts';
import type { SharedService } from '../support/service.ts';

const HOOK = { eventName: 'payment.charge.created', url: 'https://shop.example/hook', authorization: 'shop-secret-1' };

const PHONE = { prefix: '+46', number: '701234567' };
const ADDRESS = {
  addressLine1: 'Storgatan 1',
  addressLine2: '',
  postalCode: '11122',
  city: 'Stockholm',
  country: 'SWE',
};

/** All that a shop says about its checkout, as the clients spell it. */
const WHOLE_CHECKOUT = {
  integrationType: 'EmbeddedCheckout',
  url: 'https://shop.example/checkout',
  returnUrl: 'https://shop.example/thanks',
  cancelUrl: 'https://shop.example/cart',
  termsUrl: 'https://shop.example/terms',
  charge: false,
  publicDevice: true,
  merchantHandlesConsumerData: true,
  consumer: {
    email: 'asa@shop.example',
    reference: 'consumer-7',
    phoneNumber: PHONE,
    shippingAddress: ADDRESS,
    billingAddress: ADDRESS,
    privatePerson: { firstName: 'Åsa', lastName: 'Öberg' },
  },
  consumerType: { default: 'B2C', supportedTypes: ['B2C', 'B2B'] },
  shipping: { countries: [{ countryCode: 'SWE' }], merchantHandlesShippingCost: true },
  appearance: { displayOptions: { showMerchantName: true, showOrderSummary: false } },
};

let service: SharedService;
before(async () => {
  service = shareService();
});
after(() => service.close());

async function checkoutOf(paymentId: string): Promise<Record<string, unknown>> {
  const text = 'select checkout from payments where id = $1';
  const [row] = await service.pool.query<{ checkout: Record<string, unknown> }>(text, [paymentId]);
  return row?.checkout ?? {};
}

/** Sends bytes, to which fetch adds no content type of its own. */
async function sendBytes(client: Client, method: string, path: string, body: unknown, type?: string): Promise<number> {
  const response = await fetch(service.url + path, {
    method,
    headers: { authorization: client.secretKey as string, ...(type !== undefined && { 'content-type': type }) },
    body: Buffer.from(JSON.stringify(body)),
  });
  await response.text();
  return response.status;
}

function expectCreated(reply: Reply): string {
  assert.equal(reply.status, 201, reply.text);
  return reply.body.paymentId;
}

for (const dialect of DIALECTS)
  describe(`requests of real clients in the dialect ${dialect}`, () => {
    let client: Client;
    before(async () => {
      client = (await service.openShop({ dialect })).client;
    });

    const create = async (body: object, headers: Record<string, string> = {}): Promise<string> =>
      expectCreated(await client.post('/v1/payments', body, headers));

    for (const type of [
      'application/json',
      'application/json; charset=utf-8',
      'application/json;charset="UTF-8"',
      'text/json',
      'application/vnd.api+json',
      'application/*+json',
      'Application/JSON',
      undefined,
    ])
      // decision: content-types
      test(`content type ${type ?? 'none at all'}: create, charge and update of the cart are taken`, async () => {
        assert.equal(await sendBytes(client, 'POST', '/v1/payments', aCreate(), type), 201);
        const cart = { items: [anItem({ grossTotalAmount: 5 })], amount: 5 };
        const open = await client.create();
        assert.equal(await sendBytes(client, 'PUT', `/v1/payments/${open}/orderitems`, cart, type), 204);
        const reserved = await client.createReserved();
        assert.equal(await sendBytes(client, 'POST', `/v1/payments/${reserved}/charges`, { amount: 1 }, type), 201);
      });

    // decision: content-types
    test('a GET with a JSON content type and no body', async () => {
      const paymentId = await client.create();
      const reply = await client.get(`/v1/payments/${paymentId}`, { 'content-type': 'application/json' });
      assert.equal(reply.body.payment.paymentId, paymentId);
    });

    for (const [name, body, headers] of [
      ['no body', undefined, {}],
      ['no body and a JSON content type', undefined, { 'content-type': 'application/json' }],
      ['an empty body', '', {}],
      ['{}', {}, {}],
      ['[]', [], {}],
    ] as const)
      // decision: terminating-a-payment
      test(`terminate with ${name}`, async () => {
        const paymentId = await client.create();
        const reply = await client.put(`/v1/payments/${paymentId}/terminate`, body, headers);
        assert.equal(reply.status, 204, reply.text);
        assert.ok('terminated' in (await client.payment(paymentId)));
      });

    // decision: spelling-of-paths
    test('a trailing slash on POST /v1/payments/', async () => {
      expectCreated(await client.post('/v1/payments/', aCreate()));
    });

    // decision: spelling-of-paths
    test('orderItems for orderitems in the path', async () => {
      const paymentId = await client.create();
      const cart = { amount: 7, items: [anItem({ grossTotalAmount: 7 })] };
      await client.must(204, 'PUT', `/v1/payments/${paymentId}/orderItems`, cart);
      assert.equal((await client.payment(paymentId)).orderDetails.amount, 7);
    });

    for (const name of ['ShippingCountries', 'shippingCountries'])
      // decision: two-spellings-of-webhooks
      test(`checkout.${name}`, async () => {
        const paymentId = await create(aCreate(100, { [name]: [{ countryCode: 'SWE' }, { countryCode: 'NO' }] }));
        assert.deepEqual((await checkoutOf(paymentId))['shippingCountries'], ['SWE', 'NOR']);
      });

    for (const name of ['ShippingCountries', 'shippingCountries'])
      // decision: shipping-countries
      test(`checkout.${name} with codes alone means what it says`, async () => {
        const paymentId = await create(aCreate(100, { [name]: ['SWE', 'no', { countryCode: 'DNK' }] }));
        assert.deepEqual((await checkoutOf(paymentId))['shippingCountries'], ['SWE', 'NOR', 'DNK']);
        const shipping = { countries: ['SE'] };
        const nested = await create(aCreate(100, { shipping }));
        assert.deepEqual((await checkoutOf(nested))['shippingCountries'], ['SWE']);
        expectErrors(await client.post('/v1/payments', aCreate(100, { [name]: ['SWE', 'XX', 7] })), {
          [`checkout.${name}[1].countryCode`]: [/^must be an ISO 3166 country code such as SWE or SE, found "XX"$/],
          [`checkout.${name}[2]`]: ['must be an object, found 7'],
        });
      });

    // decision: hooks-without-authorization
    test('notifications: a webhook without an authorization is taken', async () => {
      const { authorization: _none, ...open } = HOOK;
      const webHooks = [open, { ...open, eventName: 'payment.created', authorization: null }];
      const paymentId = await create({ ...aCreate(), notifications: { webHooks } });
      assert.deepEqual((await checkoutOf(paymentId))['webHooks'], [open, { ...open, eventName: 'payment.created' }]);
    });

    // decision: list-of-payments
    test('GET /v1/payments without a parameter, by which clients probe: nexi 405, spec a list', async () => {
      const paymentId = await client.create();
      for (const query of ['', '?', '/']) {
        const reply = await client.get(`/v1/payments${query}`);
        if (dialect === 'spec') assert.equal(reply.body.payments[0].paymentId, paymentId, reply.text);
        else
          expectFailure(reply, {
            status: 405,
            code: '1000',
            message: 'GET is not allowed here without a filter, for example ?limit=20; allowed: POST.',
            allow: 'POST',
          });
      }
      for (const query of ['limit=1', 'state=created'])
        assert.equal((await client.get(`/v1/payments?${query}`)).body.payments[0].paymentId, paymentId);
      expectErrors(await client.get('/v1/payments?page=1'), { page: [/^there is no such filter; /] });
    });

    for (const name of ['webHooks', 'webhooks'])
      // decision: two-spellings-of-webhooks
      test(`notifications.${name}, with and without headers`, async () => {
        const hooks = [HOOK, { ...HOOK, eventName: 'payment.created', headers: [{ 'x-shop': '7' }] }];
        const paymentId = await create({ ...aCreate(), notifications: { [name]: hooks } });
        assert.deepEqual((await checkoutOf(paymentId))['webHooks'], hooks);
      });

    test('notifications: 32 webhooks are taken, 33 are 400', async () => {
      const bodyOf = (count: number) => ({
        ...aCreate(),
        notifications: { webHooks: Array.from({ length: count }, () => HOOK) },
      });
      await create(bodyOf(32));
      const reply = await client.post('/v1/payments', bodyOf(33));
      expectErrors(reply, { 'notifications.webHooks': ['must have at most 32 elements, found 33'] });
    });

    test('notifications: an authorization has 8 to 64 characters', async () => {
      const bodyOf = (authorization: string) => ({
        ...aCreate(),
        notifications: { webHooks: [{ ...HOOK, authorization }] },
      });
      for (const length of [8, 64]) await create(bodyOf('a'.repeat(length)));
      for (const length of [7, 65]) {
        const reply = await client.post('/v1/payments', bodyOf('a'.repeat(length)));
        expectErrors(reply, { 'notifications.webHooks[0].authorization': [/^must have at (?:least 8|most 64) /] });
      }
    });

    // decision: unknown-fields-and-nulls
    test('explicit nulls for everything that is optional', async () => {
      const nulls = Object.fromEntries(
        Object.keys(WHOLE_CHECKOUT)
          .filter((name) => name !== 'url')
          .map((name) => [name, null]),
      );
      const item = anItem({ taxRate: null, taxAmount: null, imageUrl: null });
      const paymentId = await create({
        order: anOrder(100_000, { items: [item], reference: null }),
        checkout: { ...nulls, url: 'https://shop.example/checkout', ShippingCountries: null, shippingCountries: null },
        notifications: null,
        subscription: null,
        myReference: null,
      });
      await client.must(201, 'POST', `/v1/sandbox/payments/${paymentId}/reserve`, { card: null, consumer: null });
      const body = { amount: 100_000, orderItems: null };
      const { chargeId } = await client.must(201, 'POST', `/v1/payments/${paymentId}/charges`, body);
      await client.must(201, 'POST', `/v1/charges/${chargeId}/refunds`, { amount: 1, orderItems: null });
    });

    // decision: unknown-fields-and-nulls
    test('[] where an object is optional', async () => {
      const optional = ['consumer', 'consumerType', 'shipping', 'appearance'];
      const empty = Object.fromEntries(optional.map((name) => [name, []]));
      await create({ ...aCreate(100, empty), notifications: [] });
      const consumer = { phoneNumber: [], shippingAddress: [], billingAddress: [], privatePerson: [], company: [] };
      const paymentId = await create(aCreate(100, { consumer }));
      await client.must(201, 'POST', `/v1/sandbox/payments/${paymentId}/reserve`, { consumer: [] });
      await client.must(201, 'POST', `/v1/payments/${paymentId}/charges`, { amount: 1, orderItems: [] });
    });

    // decision: numbers-for-texts-in-nexi
    test('a whole number where the reference of an item is a text: create, cart, charge, refund, cancel', async () => {
      const items = [anItem({ reference: 4711, grossTotalAmount: 100 })];
      const shown = [anItem({ reference: '4711', grossTotalAmount: 100 })];
      const paymentId = await create({ ...aCreate(), order: anOrder(100, { items }) });
      await client.must(204, 'PUT', `/v1/payments/${paymentId}/orderitems`, { amount: 100, items });
      await client.must(201, 'POST', `/v1/sandbox/payments/${paymentId}/reserve`, {});
      const part = { amount: 40, orderItems: [anItem({ reference: 4711, grossTotalAmount: 40 })] };
      await client.must(204, 'POST', `/v1/payments/${paymentId}/cancels`, part);
      const { chargeId } = await client.must(201, 'POST', `/v1/payments/${paymentId}/charges`, part);
      await client.must(201, 'POST', `/v1/charges/${chargeId}/refunds`, part);
      const { charges, refunds } = await client.payment(paymentId);
      for (const { orderItems } of [charges[0], refunds[0]]) assert.equal(orderItems[0].reference, '4711');
      const whole = await create({ ...aCreate(), order: anOrder(100, { items }) });
      await client.must(201, 'POST', `/v1/sandbox/payments/${whole}/reserve`, {});
      await client.charge(whole, 100);
      assert.deepEqual((await client.payment(whole)).charges[0].orderItems, shown);
    });

    test('a number that is not whole, or not exact, is no reference', async () => {
      for (const reference of [47.11, 9_007_199_254_740_992]) {
        const order = anOrder(100_000, { items: [anItem({ reference })] });
        const reply = await client.post('/v1/payments', { ...aCreate(), order });
        expectErrors(reply, { 'order.items[0].reference': [/^must be a text, found /] });
      }
    });

    // decision: unknown-fields-and-nulls
    test('no taxRate and no taxAmount: they are 0', async () => {
      const item = anItem();
      delete item.taxRate;
      delete item.taxAmount;
      const paymentId = await create({ ...aCreate(), order: anOrder(100_000, { items: [item] }) });
      await client.must(201, 'POST', `/v1/sandbox/payments/${paymentId}/reserve`, {});
      await client.charge(paymentId, 100_000);
      const { charges } = await client.payment(paymentId);
      assert.deepEqual(charges[0].orderItems, [anItem({ taxRate: 0, taxAmount: 0 })]);
    });

    // decision: unknown-fields-and-nulls
    test('no termsUrl, a lower-case currency, unknown extra fields', async () => {
      const order = { ...anOrder(), currency: 'dkk', total: 1, items: [anItem({ productId: 7, imageUrl: 'x' })] };
      const checkout = { url: 'https://shop.example/checkout', supportedPaymentMethods: ['Visa'], countryCode: 'DNK' };
      const paymentId = await create({ order, checkout, paymentMethods: [], integrator: 'shop-plugin 2.1' });
      assert.equal((await client.payment(paymentId)).orderDetails.currency, 'DKK');
      assert.ok(!('termsUrl' in (await checkoutOf(paymentId))));
    });

    test('the whole checkout of a shop is taken, kept, and used', async () => {
      const paymentId = await create({ order: anOrder(), checkout: WHOLE_CHECKOUT });
      assert.deepEqual(await checkoutOf(paymentId), {
        integrationType: 'EmbeddedCheckout',
        returnUrl: 'https://shop.example/thanks',
        cancelUrl: 'https://shop.example/cart',
        termsUrl: 'https://shop.example/terms',
        charge: false,
        publicDevice: true,
        merchantHandlesConsumerData: true,
        consumerType: { default: 'B2C', supportedTypes: ['B2C', 'B2B'] },
        shippingCountries: ['SWE'],
        merchantHandlesShippingCost: true,
        appearance: { displayOptions: { showMerchantName: true, showOrderSummary: false } },
      });
      const { checkout, consumer } = await client.payment(paymentId);
      assert.equal(checkout.url, 'https://shop.example/checkout');
      const { addressLine2: _empty, ...address } = ADDRESS;
      assert.deepEqual(consumer.shippingAddress, { ...address, phoneNumber: PHONE });
      assert.deepEqual(consumer.billingAddress, { ...address, phoneNumber: PHONE });
      assert.deepEqual(consumer.privatePerson, {
        firstName: 'Åsa',
        lastName: 'Öberg',
        email: 'asa@shop.example',
        phoneNumber: PHONE,
        merchantReference: 'consumer-7',
      });
    });

    test('checkout.charge true: the reservation is charged at once', async () => {
      for (const [charge, charged] of [
        [true, 100_000],
        [false, undefined],
      ] as const) {
        const paymentId = await create(aCreate(100_000, { charge }));
        await client.must(201, 'POST', `/v1/sandbox/payments/${paymentId}/reserve`, {});
        assert.equal((await client.payment(paymentId)).summary.chargedAmount || undefined, charged);
      }
    });

    test('400: a kind of consumer that there is not, and a flag that is not true or false', async () => {
      const [charge, publicDevice] = dialect === 'spec' ? ['true', 1] : ['yes', 2];
      const reply = await client.post(
        '/v1/payments',
        aCreate(100, { consumerType: { default: 'C2C' }, charge, publicDevice }),
      );
      expectErrors(reply, {
        'checkout.charge': [/^must be true or false, found /],
        'checkout.publicDevice': [`must be true or false, found ${publicDevice}`],
        'checkout.consumerType.default': ['must be one of B2C, B2B; found "C2C"'],
      });
    });

    test('header CommercePlatformTag: it is kept, at most 128 characters of it', async () => {
      const paymentId = await create(aCreate(), { CommercePlatformTag: 'WooCommerce 9.1' });
      assert.equal((await checkoutOf(paymentId))['platform'], 'WooCommerce 9.1');
      const long = await create(aCreate(), { CommercePlatformTag: 'x'.repeat(200) });
      assert.equal((await checkoutOf(long))['platform'], 'x'.repeat(128));
    });

    test('header Idempotency-Key: the same create again is the same payment', async () => {
      const headers = { 'Idempotency-Key': 'create-once' };
      const first = await client.post('/v1/payments', aCreate(), headers);
      const again = await client.post('/v1/payments', aCreate(), headers);
      assert.equal(again.text, first.text);
      assert.equal(first.headers.get('idempotent-replayed'), null);
      assert.equal(again.headers.get('idempotent-replayed'), 'true');
    });
  });
