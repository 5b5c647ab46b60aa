// Goal: what holds for every operation that changes a payment, in both dialects: the key, the path, the body, and a
// database that is broken or away. Method: each operation is described once, in the list below, and gets all of these
// tests at a Kassa whose database can be taken away; what is its own is tested in the file of its name.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { createKey, revokeKey } from '../../src/store/merchants.ts';
import { DIALECTS, expectErrors, expectFailure, expectNoBody } from '../support/answers.ts';
import { anItem } from '../support/client.ts';
import type { Client } from '../support/client.ts';
import { whileDatabaseIsAway, whileTableIsMissing } from '../support/outage.ts';
import { startService } from '../support/service.ts';
import type { Service } from '../support/service.ts';

type ChangingOperation = {
  readonly name: string;
  readonly method: 'POST' | 'PUT';
  /** Makes a payment that is ready for the operation, and gives the id that its path names. */
  readonly prepare: (client: Client) => Promise<string>;
  readonly path: (id: string) => string;
  /** A body that is taken. */
  readonly body: object;
  /** The status when it is. */
  readonly status: number;
  readonly idName?: 'paymentId' | 'chargeId';
  /** Works without a body. */
  readonly bodyOptional?: boolean;
};

const NOBODYS_ID = '0190a1b2c3d47abc8def0123456789ab';

const ofPayment =
  (what: string) =>
  (paymentId: string): string =>
    `/v1/payments/${paymentId}/${what}`;

async function prepareCharged(client: Client): Promise<{ paymentId: string; chargeId: string }> {
  const paymentId = await client.createReserved();
  return { paymentId, chargeId: await client.charge(paymentId, 100_000) };
}

const OPERATIONS: readonly ChangingOperation[] = [
  {
    name: 'charge',
    method: 'POST',
    prepare: (client) => client.createReserved(),
    path: ofPayment('charges'),
    body: { amount: 1_000 },
    status: 201,
  },
  {
    name: 'cancel',
    method: 'POST',
    prepare: (client) => client.createReserved(),
    path: ofPayment('cancels'),
    body: { amount: 1_000 },
    status: 204,
  },
  {
    name: 'refund of a charge',
    method: 'POST',
    prepare: async (client) => (await prepareCharged(client)).chargeId,
    path: (chargeId) => `/v1/charges/${chargeId}/refunds`,
    body: { amount: 1_000 },
    status: 201,
    idName: 'chargeId',
  },
  {
    name: 'refund of a payment',
    method: 'POST',
    prepare: async (client) => (await prepareCharged(client)).paymentId,
    path: ofPayment('refunds'),
    body: { amount: 1_000 },
    status: 201,
  },
  {
    name: 'terminate',
    method: 'PUT',
    prepare: (client) => client.create(),
    path: ofPayment('terminate'),
    body: {},
    status: 204,
    bodyOptional: true,
  },
  {
    name: 'update cart',
    method: 'PUT',
    prepare: (client) => client.create(),
    path: ofPayment('orderitems'),
    body: { amount: 50_000, items: [anItem({ quantity: 1.5, grossTotalAmount: 50_000 })] },
    status: 204,
  },
  {
    name: 'update reference',
    method: 'PUT',
    prepare: (client) => client.create(),
    path: ofPayment('referenceinformation'),
    body: { reference: 'order-2', checkoutUrl: 'https://shop.example/other' },
    status: 204,
  },
  {
    name: 'update my reference',
    method: 'PUT',
    prepare: (client) => client.create(),
    path: ofPayment('myreference'),
    body: { myReference: 'warehouse-7' },
    status: 204,
  },
  {
    name: 'sandbox reserve',
    method: 'POST',
    prepare: (client) => client.create(),
    path: (paymentId) => `/v1/sandbox/payments/${paymentId}/reserve`,
    body: {},
    status: 201,
    bodyOptional: true,
  },
];

let service: Service;
before(async () => {
  service = await startService();
});
after(() => service.stop());

for (const operation of OPERATIONS)
  for (const dialect of DIALECTS) {
    describe(`${operation.name} in the dialect ${dialect}, as every operation`, () => {
      testKey(operation, dialect);
      testPath(operation, dialect);
      testBody(operation, dialect);
      testDatabase(operation, dialect);
    });
  }

type Dialect = (typeof DIALECTS)[number];

function testKey({ method, prepare, path, body }: ChangingOperation, dialect: Dialect): void {
  test('401 without a body: no key, an unknown key, a key of the other mode, a revoked key', async () => {
    const { client, merchant, secretKey } = await service.openShop({ dialect });
    const target = path(await prepare(client));
    const { key, secret } = await createKey(service.pool, merchant);
    await revokeKey(service.pool, key.id);
    const bad = [undefined, 'nonsense', `test-secret-key-${'0'.repeat(32)}`, secretKey.replace('test', 'live'), secret];
    for (const secretKeyOfNobody of bad)
      expectNoBody(await service.client(secretKeyOfNobody).send(method, target, body), 401);
  });
}

function testPath(operation: ChangingOperation, dialect: Dialect): void {
  const { method, prepare, path, body, status, idName = 'paymentId' } = operation;

  test("404 without a body: an id that is nobody's, malformed, or another merchant's", async () => {
    const [{ client }, other] = [await service.openShop({ dialect }), await service.openShop({ dialect })];
    const id = await prepare(client);
    for (const unknown of [NOBODYS_ID, 'nonsense', '0'.repeat(32), `${id}0`])
      expectNoBody(await client.send(method, path(unknown), body), 404);
    expectNoBody(await other.client.send(method, path(id), body), 404);
    assert.equal((await client.send(method, path(id), body)).status, status, 'its own merchant still can');
  });

  test('400: an id of more than 128 characters, or badly percent-encoded', async () => {
    const { client } = await service.openShop({ dialect });
    const long = await client.send(method, path('a'.repeat(129)), body);
    expectErrors(long, { [idName]: ['must have at most 128 characters, found 129'] });
    expectErrors(await client.send(method, path('%zz'), body), { path: ['is badly percent-encoded'] });
  });

  test('the path matches in any case and with a slash at the end', async () => {
    const { client } = await service.openShop({ dialect });
    const shouted = path(await prepare(client)).toUpperCase();
    assert.equal((await client.send(method, `${shouted}/`, body)).status, status);
  });

  test('405 with Allow: a wrong method, whoever asks', async () => {
    const { client } = await service.openShop({ dialect });
    const target = path(await prepare(client));
    for (const wrong of ['GET', 'DELETE', 'PATCH', method === 'POST' ? 'PUT' : 'POST'])
      for (const asking of [client, service.client()]) {
        const message = `${wrong} is not allowed here; allowed: ${method}.`;
        expectFailure(await asking.send(wrong, target), { status: 405, code: '1000', message, allow: method });
      }
  });
}

function testBody(operation: ChangingOperation, dialect: Dialect): void {
  const { method, prepare, path, body, status, bodyOptional = false } = operation;

  test('415: a body that is not called JSON', async () => {
    const { client } = await service.openShop({ dialect });
    const target = path(await prepare(client));
    const reply = await client.send(method, target, JSON.stringify(body), { 'content-type': 'text/plain' });
    expectFailure(reply, { status: 415, code: '1000', message: /^The content type is text\/plain; send JSON/ });
  });

  test('any JSON media type is taken', async () => {
    const { client } = await service.openShop({ dialect });
    for (const type of ['text/json', 'application/vnd.shop+json', 'application/json; charset=utf-8']) {
      const target = path(await prepare(client));
      assert.equal((await client.send(method, target, body, { 'content-type': type })).status, status, type);
    }
  });

  test('400 errors.body: malformed JSON', async () => {
    const { client } = await service.openShop({ dialect });
    const target = path(await prepare(client));
    expectErrors(await client.send(method, target, '{"amount":'), { body: [/^must be JSON: /] });
    expectErrors(await client.send(method, target, '{"__proto__":{}}'), { body: [/__proto__/] });
  });

  if (bodyOptional) return;
  test('400 errors.instance: no body, an empty one, null', async () => {
    const { client } = await service.openShop({ dialect });
    const target = path(await prepare(client));
    for (const empty of [undefined, '', ' ', 'null'])
      expectErrors(await client.send(method, target, empty), { instance: ['cannot be null'] });
  });

  test('400 errors.body: JSON that is no object', async () => {
    const { client } = await service.openShop({ dialect });
    const target = path(await prepare(client));
    expectErrors(await client.send(method, target, []), { body: ['must be an object, found an array'] });
    expectErrors(await client.send(method, target, '7'), { body: ['must be an object, found a number'] });
  });
}

function testDatabase(operation: ChangingOperation, dialect: Dialect): void {
  const { method, prepare, path, body, status } = operation;

  test('500 when the database is broken: the id of the request and no internals, and nothing is lost', async () => {
    const { client } = await service.openShop({ dialect });
    const target = path(await prepare(client));
    const headers = { 'x-request-id': 'request-of-the-test' };
    const reply = await whileTableIsMissing(service, 'payments', () => client.send(method, target, body, headers));
    const message = 'Something is wrong on our side. Tell us this request id: request-of-the-test.';
    expectFailure(reply, { status: 500, code: '1000', message });
    assert.equal(reply.headers.get('x-request-id'), 'request-of-the-test');
    assert.equal((await client.send(method, target, body)).status, status);
  });

  test('503 with Retry-After while the database is away, and served again when it is back', async () => {
    const { client } = await service.openShop({ dialect });
    const target = path(await prepare(client));
    const reply = await whileDatabaseIsAway(service, () => client.send(method, target, body));
    expectFailure(reply, { status: 503, code: '1000', message: /^The database is away\. Try again in a moment/ });
    assert.equal(reply.headers.get('retry-after'), '1');
    assert.equal((await client.send(method, target, body)).status, status);
  });
}
