// Goal: the Authorization header is taken in every spelling that real clients use, and in no other; whatever is wrong
// with a key is the same 401 without a body; a revoked key is dead at the next request.
// Method: a running service; every spelling is sent to a route that needs a key and changes nothing.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { createKey, revokeKey } from '../../src/store/merchants/keys.ts';
import { aCreate } from '../support/client.ts';
import type { Reply } from '../support/client.ts';
import { exchange, requestText } from '../support/raw.ts';
import { shareService } from '../support/service.ts';
import type { SharedService, Shop } from '../support/service.ts';

let service: SharedService;
let shop: Shop;
let live: Shop;
before(async () => {
  service = shareService();
  shop = await service.openShop();
  live = await service.openShop({ live: true });
});
after(() => service.close());

const ask = (authorization: string | undefined): Promise<Reply> =>
  service.client(authorization).get('/v1/paymentmethods');

const digitsOf = (key: string): string => key.slice(-32);

/** The answer to a bad key: nothing but a status. */
function expectUnauthorized(reply: Reply, what: string): void {
  assert.equal(reply.status, 401, what);
  assert.equal(reply.text, '', what);
  assert.equal(reply.headers.get('content-length'), '0', what);
  assert.equal(reply.headers.get('content-type'), null, what);
}

const SPELLINGS: Readonly<Record<string, (key: string) => string>> = {
  'as it was given out': (key) => key,
  'after Bearer': (key) => `Bearer ${key}`,
  'after bearer': (key) => `bearer ${key}`,
  'after BEARER and several spaces': (key) => `BEARER   ${key}`,
  'without the prefix': digitsOf,
  'without the prefix, after Bearer': (key) => `Bearer ${digitsOf(key)}`,
  'without dashes': (key) => key.replaceAll('-', ''),
  'without dashes, after Bearer': (key) => `Bearer ${key.replaceAll('-', '')}`,
  'without the prefix, with the dashes of a UUID': (key) =>
    digitsOf(key).replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-'),
  'with digits in capitals': (key) => key.slice(0, -32) + digitsOf(key).toUpperCase(),
  'all in capitals': (key) => key.toUpperCase(),
};

// decision: sending-a-key
describe('a valid key is taken', () => {
  for (const [name, spell] of Object.entries(SPELLINGS))
    test(name, async () => {
      assert.equal((await ask(spell(shop.secretKey))).status, 200, 'of a test merchant');
      assert.equal((await ask(spell(live.secretKey))).status, 200, 'of a live merchant');
    });
});

const MISSPELLINGS: Readonly<Record<string, (key: string) => string>> = {
  'with the prefix of the other mode': (key) =>
    key.replace(/^test|^live/, (mode) => (mode === 'test' ? 'live' : 'test')),
  'with the prefix of the other mode, without dashes': (key) =>
    `${key.startsWith('test') ? 'live' : 'test'}secretkey${digitsOf(key)}`,
  'with the prefix of a checkout key': (key) => key.replace('secret', 'checkout'),
  'with an unknown prefix': (key) => `prod-secret-key-${digitsOf(key)}`,
  'with half a prefix': (key) => `secret-key-${digitsOf(key)}`,
  'with its prefix twice': (key) => key.slice(0, -32) + key,
  'of another scheme': (key) => `Basic ${key}`,
  'as the password of Basic': (key) => `Basic ${Buffer.from(`${key}:`).toString('base64')}`,
  'after Bearer twice': (key) => `Bearer Bearer ${key}`,
  'in quotes': (key) => `"${key}"`,
  'with a digit less': (key) => key.slice(0, -1),
  'with a digit more': (key) => `${key}0`,
  'with a letter that is no digit': (key) => `${key.slice(0, -1)}g`,
  'with another last digit': (key) => key.slice(0, -1) + (key.endsWith('0') ? '1' : '0'),
  'with something behind': (key) => `${key}, ${key}`,
  'followed by many dashes': (key) => key + '-'.repeat(200),
  'with a space inside': (key) => `${key.slice(0, -16)} ${key.slice(-16)}`,
};

// decision: sending-a-key
describe('anything else is 401 without a body', () => {
  for (const [name, spell] of Object.entries(MISSPELLINGS))
    // decision: sending-a-key
    test(`a key ${name}`, async () => {
      expectUnauthorized(await ask(spell(shop.secretKey)), 'of a test merchant');
      expectUnauthorized(await ask(spell(live.secretKey)), 'of a live merchant');
    });

  // decision: invalid-keys
  test('no key, an empty one, a word, and more than fits', async () => {
    const bad = [
      undefined,
      '',
      'Bearer',
      'Bearer ',
      'test-secret-key-',
      '-',
      'nonsense',
      '0'.repeat(32),
      'a'.repeat(9_000),
    ];
    for (const key of bad) expectUnauthorized(await ask(key), String(key).slice(0, 40));
    expectUnauthorized(await ask(`test-secret-key-${'0'.repeat(32)}`), 'a key that nobody has');
  });

  test("a merchant's checkout key, whole and as digits", async () => {
    for (const { merchant } of [shop, live])
      for (const key of [merchant.checkoutKey, digitsOf(merchant.checkoutKey)]) expectUnauthorized(await ask(key), key);
  });

  test('a key in the query, in the path or in another header', async () => {
    const anonymous = service.client();
    const { secretKey } = shop;
    expectUnauthorized(await anonymous.get(`/v1/payments?authorization=${secretKey}&key=${secretKey}`), 'query');
    expectUnauthorized(await anonymous.get(`/v1/payments/${secretKey}`), 'path');
    expectUnauthorized(await anonymous.get('/v1/payments', { 'x-api-key': secretKey }), 'header');
  });

  // decision: sending-a-key
  test('of two Authorization headers the first counts', async () => {
    const both = (...keys: string[]) => requestText('GET /v1/paymentmethods', { Authorization: keys });
    const [good] = await exchange(service.url, both(shop.secretKey, 'nonsense'));
    assert.equal(good?.status, 200);
    const [bad] = await exchange(service.url, both('nonsense', shop.secretKey));
    assert.equal(bad?.status, 401);
  });

  test('before the body is looked at, after path and method', async () => {
    const anonymous = service.client();
    expectUnauthorized(await anonymous.post('/v1/payments', '{'), 'broken JSON');
    expectUnauthorized(await anonymous.post('/v1/payments', 'x', { 'content-type': 'text/plain' }), 'no JSON');
    expectUnauthorized(await anonymous.post('/v1/payments', ' '.repeat(1_100_000)), 'too large');
    assert.equal((await anonymous.post('/v1/nothing', {})).status, 404);
    assert.equal((await anonymous.send('DELETE', '/v1/payments')).status, 405);
  });
});

describe('a revoked key', () => {
  // decision: invalid-keys, revoking-a-key
  test('is 401 at the very next request, though it was in use a moment ago', async () => {
    for (let round = 0; round < 20; round += 1) {
      const { key, secret } = await createKey(service.pool, shop.merchant);
      for (let use = 0; use < 3; use += 1) assert.equal((await ask(secret)).status, 200);
      await revokeKey(service.pool, key.id);
      expectUnauthorized(await ask(secret), `round ${round}`);
      expectUnauthorized(await ask(`Bearer ${digitsOf(secret)}`), `round ${round}, spelled otherwise`);
    }
  });

  // decision: revoking-a-key
  test('is 401 on every connection, and many requests at once do not bring it back', async () => {
    const { key, secret } = await createKey(service.pool, shop.merchant);
    const flood = Array.from({ length: 50 }, () => ask(secret));
    await revokeKey(service.pool, key.id);
    await Promise.all(flood);
    for (const reply of await Promise.all(Array.from({ length: 50 }, () => ask(secret))))
      expectUnauthorized(reply, 'after the flood');
  });

  test('leaves the other keys of its merchant as they are', async () => {
    const { merchant, client } = await service.openShop();
    const { key, secret } = await createKey(service.pool, merchant);
    const paymentId = await client.create();
    const second = service.client(secret);
    assert.equal((await second.get(`/v1/payments/${paymentId}`)).status, 200, 'both keys are one merchant');
    await revokeKey(service.pool, key.id);
    expectUnauthorized(await second.get(`/v1/payments/${paymentId}`), 'the revoked one');
    assert.equal((await client.get(`/v1/payments/${paymentId}`)).status, 200, 'the other one');
  });

  test('changes nothing any more', async () => {
    const { merchant, client } = await service.openShop();
    const { key, secret } = await createKey(service.pool, merchant);
    const paymentId = await client.createReserved();
    await revokeKey(service.pool, key.id);
    const revoked = service.client(secret);
    expectUnauthorized(await revoked.post('/v1/payments', aCreate()), 'create');
    expectUnauthorized(await revoked.post(`/v1/payments/${paymentId}/charges`, { amount: 1 }), 'charge');
    assert.equal((await client.payment(paymentId)).summary.chargedAmount, 0);
    assert.equal((await client.get('/v1/payments')).body.payments.length, 1);
  });
});

describe('without a key', () => {
  for (const path of ['/healthz', '/readyz', '/metrics', '/openapi.json', '/docs'])
    // decision: open-paths
    test(`${path} is open, and a bad key does no harm`, async () => {
      for (const key of [undefined, 'nonsense']) assert.equal((await service.client(key).get(path)).status, 200);
    });
});
