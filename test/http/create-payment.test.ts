// Goal: POST /v1/payments answers as section 4.1 of the specification says: every status, the exact bodies, and each
// required field on its own.
// Method: a running service, one shop in each dialect; bodies are made wrong one field at a time.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { DIALECTS, expectErrors, expectNoBody } from '../support/answers.ts';
import { aCreate, anItem, anOrder } from '../support/client.ts';
import { withField } from '../support/field.ts';
import { shareService } from '../support/service.ts';
import type { SharedService, Shop } from '../support/service.ts';

const PATH = '/v1/payments';
const RETURN_URL = 'https://shop.example/thanks';

const REQUIRED = [
  'order',
  'order.items',
  'order.amount',
  'order.currency',
  'checkout',
  'checkout.url',
  ...['reference', 'name', 'quantity', 'unit', 'unitPrice', 'grossTotalAmount', 'netTotalAmount'].map(
    (field) => `order.items[0].${field}`,
  ),
];

let service: SharedService;
const shops = new Map<string, Shop>();

before(async () => {
  service = shareService();
  for (const dialect of DIALECTS) shops.set(dialect, await service.openShop({ dialect }));
});
after(() => service.close());

for (const dialect of DIALECTS) {
  const shop = (): Shop => shops.get(dialect) as Shop;

  describe(`create payment in the dialect ${dialect}`, () => {
    // decision: ids
    test('201: exactly {paymentId}, a version 7 UUID in 32 lower-case hex digits', async () => {
      const reply = await shop().client.post(PATH, aCreate());
      assert.equal(reply.status, 201, reply.text);
      assert.deepEqual(Object.keys(reply.body), ['paymentId']);
      assert.match(reply.body.paymentId, /^[0-9a-f]{12}7[0-9a-f]{3}[89ab][0-9a-f]{15}$/);
      assert.equal(reply.headers.get('content-type'), 'application/json; charset=utf-8');
    });

    test('201: two creates with the same body are two payments', async () => {
      const [first, second] = [await shop().client.create(), await shop().client.create()];
      assert.notEqual(first, second);
    });

    test('201: with EmbeddedCheckout exactly {paymentId}', async () => {
      const reply = await shop().client.post(PATH, aCreate(100_000, { integrationType: 'EmbeddedCheckout' }));
      assert.deepEqual(reply.body, { paymentId: reply.body.paymentId });
    });

    test('201: with HostedPaymentPage exactly {paymentId, hostedPaymentPageUrl}', async () => {
      const { client, merchant } = shop();
      const checkout = { url: undefined, integrationType: 'HostedPaymentPage', returnUrl: RETURN_URL };
      const reply = await client.post(PATH, aCreate(100_000, checkout));
      assert.equal(reply.status, 201, reply.text);
      const { paymentId } = reply.body;
      const origin = service.url.replace('127.0.0.1', 'localhost');
      const hostedPaymentPageUrl = `${origin}/hostedpaymentpage/?checkoutKey=${merchant.checkoutKey}&pid=${paymentId}`;
      assert.deepEqual(reply.body, { paymentId, hostedPaymentPageUrl });
    });

    // decision: address-of-a-hosted-payment
    test('checkout.url of a hosted payment is its hostedPaymentPageUrl, also when a url was given', async () => {
      for (const url of [undefined, 'https://shop.example/checkout']) {
        const checkout = { url, integrationType: 'HostedPaymentPage', returnUrl: RETURN_URL };
        const { body } = await shop().client.post(PATH, aCreate(100_000, checkout));
        const payment = await shop().client.payment(body.paymentId);
        assert.equal(payment.checkout.url, body.hostedPaymentPageUrl);
      }
    });

    // decision: required-fields-of-a-create
    test('400: HostedPaymentPage needs a returnUrl, whether or not there is a url', async () => {
      for (const url of [undefined, 'https://shop.example/checkout']) {
        const checkout = { url, integrationType: 'HostedPaymentPage' };
        const reply = await shop().client.post(PATH, aCreate(100_000, checkout));
        expectErrors(reply, { 'checkout.returnUrl': ['is required with HostedPaymentPage'] });
      }
    });

    // decision: required-fields-of-a-create
    test('400: EmbeddedCheckout needs a url, also when there is a returnUrl', async () => {
      const checkout = { url: undefined, integrationType: 'EmbeddedCheckout', returnUrl: RETURN_URL };
      expectErrors(await shop().client.post(PATH, aCreate(100_000, checkout)), { 'checkout.url': ['is required'] });
    });

    test('400: an integrationType that there is not', async () => {
      const reply = await shop().client.post(PATH, aCreate(100_000, { integrationType: 'Popup' }));
      const text = 'must be one of EmbeddedCheckout, HostedPaymentPage; found "Popup"';
      expectErrors(reply, { 'checkout.integrationType': [text] });
    });

    for (const field of REQUIRED) {
      // decision: required-fields-of-a-create
      test(`400: ${field} is required, and null is the same as absent`, async () => {
        for (const value of [undefined, null]) {
          const reply = await shop().client.post(PATH, withField(aCreate(), field, value));
          expectErrors(reply, { [field]: ['is required'] });
        }
      });
    }

    // decision: required-fields-of-a-create
    test('400: an order without items', async () => {
      const reply = await shop().client.post(PATH, withField(aCreate(), 'order.items', []));
      expectErrors(reply, { 'order.items': ['must have at least 1 element, found an empty array'] });
    });

    // decision: keys-of-the-errors-object
    test('400: all that is wrong is told at once, under the path of each field', async () => {
      const items = [anItem(), anItem({ name: undefined, quantity: 'two' })];
      const reply = await shop().client.post(PATH, { order: { items, currency: 'SEK' }, checkout: { url: 7 } });
      assert.equal(reply.status, 400);
      assert.deepEqual(reply.body, {
        errors: {
          'order.amount': ['is required'],
          'order.items[1].name': ['is required'],
          'order.items[1].quantity': ['must be a number, found a text of 3 characters'],
          'checkout.url': ['must be a text, found 7'],
        },
      });
    });

    test('400: no body is errors.instance, a body that is no object is errors.body', async () => {
      for (const empty of [undefined, '', '  ', 'null'])
        expectErrors(await shop().client.post(PATH, empty), { instance: ['cannot be null'] });
      expectErrors(await shop().client.post(PATH, []), { body: ['must be an object, found an array'] });
      expectErrors(await shop().client.post(PATH, '"order"'), { body: ['must be an object, found a string'] });
    });

    test('400: malformed JSON is errors.body, with the place where it breaks and none of its text', async () => {
      const cut = await shop().client.post(PATH, '{"order": {"reference": "secret" "amount": 1}}');
      expectErrors(cut, { body: ['must be JSON: it breaks at character 33'] });
      const early = await shop().client.post(PATH, '{"order":');
      expectErrors(early, { body: ['must be JSON: it ends too early'] });
      expectErrors(await shop().client.post(PATH, 'secret'), { body: ['must be JSON: it is malformed'] });
    });

    test('401 without a body: no key, an unknown key, a key of the other mode', async () => {
      const unknown = `test-secret-key-${'0'.repeat(32)}`;
      for (const key of [undefined, '', 'nonsense', unknown, shop().secretKey.replace('test', 'live')])
        expectNoBody(await service.client(key).post(PATH, aCreate()), 401);
    });

    test('401 comes before 400', async () => {
      expectNoBody(await service.client().post(PATH, {}), 401);
    });
  });
}

describe('what a payment is created with', () => {
  const client = () => (shops.get('spec') as Shop).client;

  // decision: sum-rule
  test('sum rule: an amount that differs by one is 400, and the text names both figures', async () => {
    for (const amount of [99_999, 100_001]) {
      const reply = await client().post(PATH, withField(aCreate(100_000), 'order.amount', amount));
      const text = `is ${amount}, but the grossTotalAmount of the items sums up to 100000`;
      expectErrors(reply, { 'order.amount': [text] });
    }
  });

  // decision: sum-rule
  test('sum rule: several items and a discount are summed exactly', async () => {
    const totals = [100_000, 33_333, 1, -33_334];
    const items = totals.map((grossTotalAmount) => anItem({ grossTotalAmount }));
    const { checkout } = aCreate();
    const taken = await client().post(PATH, { order: anOrder(100_000, { items }), checkout });
    assert.equal(taken.status, 201, taken.text);
    const refused = await client().post(PATH, { order: anOrder(99_999, { items }), checkout });
    assert.match(refused.body.errors['order.amount'][0], /is 99999, .* sums up to 100000$/);
  });

  // decision: tax-arithmetic
  test('tax arithmetic is not enforced', async () => {
    const odd = { quantity: 3, unitPrice: 1, taxRate: 2_500, taxAmount: -7, netTotalAmount: 12 };
    const order = anOrder(100_000, { items: [anItem(odd)] });
    assert.equal((await client().post(PATH, { ...aCreate(), order })).status, 201);
  });

  // decision: currencies
  test('currency: any case in, upper case out', async () => {
    for (const [given, shown] of [
      ['SEK', 'SEK'],
      ['sek', 'SEK'],
      ['eUr', 'EUR'],
      ['JPY', 'JPY'],
      ['bhd', 'BHD'],
    ]) {
      const { body } = await client().post(PATH, withField(aCreate(), 'order.currency', given));
      assert.equal((await client().payment(body.paymentId)).orderDetails.currency, shown);
    }
  });

  // decision: currencies
  test('currency: 400 for what is no active ISO 4217 code with a minor unit', async () => {
    for (const currency of ['ABC', 'XXX', 'XAU', 'HRK', 'SE', 'SEKK', ' SEK', '']) {
      const reply = await client().post(PATH, withField(aCreate(), 'order.currency', currency));
      assert.deepEqual(Object.keys(reply.body.errors), ['order.currency'], currency);
      assert.match(reply.body.errors['order.currency'][0], /^must be an active ISO 4217 currency code such as EUR, /);
    }
  });

  // decision: required-fields-of-a-create
  test('order.reference: optional, and left out of the answer when it was not given or empty', async () => {
    for (const reference of [undefined, null, '']) {
      const { body } = await client().post(PATH, withField(aCreate(), 'order.reference', reference));
      const { orderDetails } = await client().payment(body.paymentId);
      assert.deepEqual(orderDetails, { amount: 100_000, currency: 'SEK' });
    }
  });

  test('myReference: at most 36 characters, shown as payment.myReference', async () => {
    const longest = 'm'.repeat(36);
    const { body } = await client().post(PATH, { ...aCreate(), myReference: longest });
    assert.equal((await client().payment(body.paymentId)).myReference, longest);
    const refused = await client().post(PATH, { ...aCreate(), myReference: `${longest}m` });
    expectErrors(refused, { myReference: ['must have at most 36 characters, found a text of 37 characters'] });
  });
});
