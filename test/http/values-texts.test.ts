// Goal: texts are counted in characters, kept as they came, and refused where they could not be stored; addresses of
// the web are absolute and bounded.
// Method: a running service; each text stands in an otherwise good request and is read back where an answer shows it.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { expectErrors } from '../support/answers.ts';
import { aCreate, anItem } from '../support/client.ts';
import type { Client } from '../support/client.ts';
import { withField } from '../support/field.ts';
import { shareService } from '../support/service.ts';
import type { SharedService } from '../support/service.ts';

const NO_HEADER = /^must be a text that a header can carry/;
const UNSTORABLE = /^must hold no NUL character and no lone surrogate/;
const NO_URL = /^must be an absolute http or https address of at most 2048 characters, found /;

/** A text of so many characters, half of them an emoji of two UTF-16 units and four bytes. */
const emojis = (count: number): string => '😀x'.repeat(count).slice(0, 3 * Math.floor(count / 2) + 2 * (count % 2));

/** An address of exactly so many characters. */
const urlOf = (length: number): string => 'https://shop.example/'.padEnd(length, 'a');

let service: SharedService;
let client: Client;
before(async () => {
  service = shareService();
  client = (await service.openShop()).client;
});
after(() => service.close());

const createWith = (path: string, value: unknown) => client.post('/v1/payments', withField(aCreate(), path, value));

async function readWith(path: string, value: unknown) {
  const { paymentId } = await client.must(201, 'POST', '/v1/payments', withField(aCreate(), path, value));
  return client.payment(paymentId);
}

/** Sends an order with the item, and gives the item as its charge shows it. */
async function sendAndReadBack(item: object): Promise<object> {
  const body = withField(aCreate(), 'order.items', [item]);
  const { paymentId } = await client.must(201, 'POST', '/v1/payments', body);
  await client.must(201, 'POST', `/v1/sandbox/payments/${paymentId}/reserve`, {});
  const chargeId = await client.charge(paymentId, 100_000);
  return (await client.get(`/v1/charges/${chargeId}`)).body.orderItems[0];
}

describe('texts of an item', () => {
  for (const field of ['reference', 'name', 'unit']) {
    // decision: texts-and-number-of-items
    test(`${field}: 1 and 128 characters are taken and kept as they came, an emoji being one character`, async () => {
      for (const text of ['x', 'x'.repeat(128), '😀'.repeat(128), emojis(127)]) {
        const item = anItem({ [field]: text });
        assert.deepEqual(await sendAndReadBack(item), item);
      }
    });

    // decision: texts-and-number-of-items
    test(`${field}: 129 characters and none are 400, and the text says how many there were`, async () => {
      const path = `order.items[0].${field}`;
      const tooLong = 'must have at most 128 characters, found a text of 129 characters';
      for (const text of ['x'.repeat(129), '😀'.repeat(129), emojis(129)])
        expectErrors(await createWith(path, text), { [path]: [tooLong] });
      expectErrors(await createWith(path, ''), { [path]: ['must not be empty'] });
    });

    test(`${field}: something else than a text is 400`, async () => {
      const path = `order.items[0].${field}`;
      for (const value of [true, {}, ['x'], 1.5])
        expectErrors(await createWith(path, value), { [path]: [/^must be a text, found /] });
    });
  }

  test('quotes, markup, line ends, other scripts and combining marks come back as they were', async () => {
    const names = ['"\'\\/', '<b>&amp;', 'a\r\n\tb', 'Ærø ñandú ß', 'שלום 你好', 'e\u0301 \u200d', ' spaced ', 'null'];
    for (const name of names) assert.deepEqual(await sendAndReadBack(anItem({ name })), anItem({ name }));
  });
});

describe('the reference of an order', () => {
  // decision: required-fields-of-a-create
  test('order.reference: 128 characters are taken and kept, 129 are 400', async () => {
    for (const reference of ['r'.repeat(128), '😀'.repeat(128)])
      assert.equal((await readWith('order.reference', reference)).orderDetails.reference, reference);
    const text = 'must have at most 128 characters, found a text of 129 characters';
    for (const reference of ['r'.repeat(129), '😀'.repeat(129)])
      expectErrors(await createWith('order.reference', reference), { 'order.reference': [text] });
  });
});

const HOOK = { eventName: 'payment.created', url: 'https://shop.example/hook', authorization: 'authorization' };

// decision: texts-that-postgres-cannot-store
describe('a NUL or a lone surrogate is 400', () => {
  for (const field of [
    'order.reference',
    'order.items[0].reference',
    'order.items[0].name',
    'order.items[0].unit',
    'myReference',
    'checkout.consumer.email',
    'checkout.consumer.reference',
    'checkout.consumer.phoneNumber.number',
    'checkout.consumer.shippingAddress.city',
    'checkout.consumer.privatePerson.lastName',
    'checkout.consumer.company.name',
  ])
    // decision: texts-that-postgres-cannot-store
    test(`in ${field}`, async () => {
      for (const text of ['\0', 'a\0b', '\uD83D', 'a\uDE00b', '\uDE00\uD83D'])
        expectErrors(await createWith(field, text), { [field]: [UNSTORABLE] });
      assert.equal((await createWith(field, 'a\u0001\uFFFD')).status, 201);
    });

  test('in an address of the web', async () => {
    for (const url of ['https://shop.example/\0', 'https://shop.example/\uD83D'])
      expectErrors(await createWith('checkout.url', url), { 'checkout.url': [NO_URL] });
  });

  test('anywhere in checkout.appearance, which is kept as it came', async () => {
    for (const appearance of [{ a: '\0' }, { a: { b: ['x', '\uD83D'] } }, { 'a\0': 1 }, { a: [{ '\uDE00': 1 }] }])
      expectErrors(await createWith('checkout.appearance', appearance), { 'checkout.appearance': [UNSTORABLE] });
    const appearance = { displayOptions: { showMerchantName: true }, textOptions: { text: 'pay 😀', list: [1, null] } };
    assert.equal((await createWith('checkout.appearance', appearance)).status, 201);
  });

  test('in the headers of a webhook, under either spelling', async () => {
    for (const name of ['webHooks', 'webhooks']) {
      const hooks = [HOOK, { ...HOOK, headers: [{ 'x-shop': 'a\0' }] }];
      const reply = await createWith(`notifications.${name}`, hooks);
      expectErrors(reply, { [`notifications.${name}[1].headers[0].x-shop`]: [NO_HEADER] });
    }
  });

  test('the headers of a webhook have names and values that a header can have', async () => {
    const withHeaders = (headers: object) => createWith('notifications.webHooks', [{ ...HOOK, headers: [headers] }]);
    assert.equal((await withHeaders({ 'X-Shop': 'caf\u00e9' })).status, 201);
    const badValue = { 'notifications.webHooks[0].headers[0].x': [NO_HEADER] };
    expectErrors(await withHeaders({ x: 'a\r\nSet-Cookie: b' }), badValue);
    const badName = { 'notifications.webHooks[0].headers': ['must have names that a header can have'] };
    expectErrors(await withHeaders({ 'a\r\nb': 'c' }), badName);
  });

  test('checkout.appearance has at most 8,192 characters as JSON', async () => {
    const appearance = (length: number) => ({ a: 'x'.repeat(length - '{"a":""}'.length) });
    assert.equal((await createWith('checkout.appearance', appearance(8_192))).status, 201);
    const tooLong = { 'checkout.appearance': ['must have at most 8192 characters as JSON, found 8193'] };
    expectErrors(await createWith('checkout.appearance', appearance(8_193)), tooLong);
  });

  test('but not in a field that is unknown, and so ignored', async () => {
    for (const [path, value] of [
      ['unknown', '\0'],
      ['order.items[0].unknown', '\0'],
      ['checkout.consumerType', { default: 'B2C', unknown: '\0' }],
      ['notifications.webHooks', [{ ...HOOK, unknown: '\uD83D' }]],
    ] as const)
      assert.equal((await createWith(path, value)).status, 201, path);
  });

  test('in the bytes of the body: what is not UTF-8 is errors.body', async () => {
    const bytes = Buffer.from(JSON.stringify(aCreate()).replace('Sneakers', '\u00e9'), 'latin1');
    const response = await fetch(`${service.url}/v1/payments`, {
      method: 'POST',
      headers: { authorization: client.secretKey as string, 'content-type': 'application/json' },
      body: bytes,
    });
    assert.equal(response.status, 400);
    assert.deepEqual(await response.json(), { errors: { body: ['must be JSON in UTF-8'] } });
  });
});

describe('addresses of the web', () => {
  for (const field of ['url', 'returnUrl', 'cancelUrl', 'termsUrl'])
    // decision: web-addresses
    test(`checkout.${field}: 2,048 characters are taken, 2,049 are 400`, async () => {
      const path = `checkout.${field}`;
      assert.equal((await createWith(path, urlOf(2_048))).status, 201);
      const reply = await createWith(path, urlOf(2_049));
      expectErrors(reply, { [path]: [/^must be an absolute .* found a text of 2049 characters$/] });
    });

  test('http and https are taken in any case, and come back as they were', async () => {
    for (const url of [
      'http://localhost:5110/checkout',
      'HTTPS://Shop.Example',
      'https://shop.example/a?b=c&d=é#e',
      'https://[::1]:8080/',
    ])
      assert.equal((await readWith('checkout.url', url)).checkout.url, url);
  });

  for (const url of ['/checkout', 'shop.example', '//shop.example', 'ftp://shop.example', 'javascript:alert(1)'])
    // decision: web-addresses
    test(`${JSON.stringify(url)} is no absolute http or https address: 400`, async () => {
      expectErrors(await createWith('checkout.url', url), { 'checkout.url': [NO_URL] });
    });

  // decision: web-addresses
  test('an empty address is the same as none', async () => {
    expectErrors(await createWith('checkout.url', ''), { 'checkout.url': ['is required'] });
    assert.equal((await createWith('checkout.cancelUrl', '')).status, 201);
  });

  test('an address without a host, with a space, or that does not parse is 400', async () => {
    for (const url of ['https://', 'https://shop.example/a b', 'https://shop.example:99999/', 'https://[::1/'])
      expectErrors(await createWith('checkout.url', url), { 'checkout.url': [NO_URL] });
  });
});
