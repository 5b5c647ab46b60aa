// Goal: what holds for every operation, in both dialects: the key, the path, the body, and a database that is broken or
// away. Method: each operation is described once, in operations.ts, and gets all of the tests of its sort at a Kassa whose
// database can be taken away; what is its own is tested in the file of its name.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { createKey, revokeKey } from '../../src/store/keys.ts';
import { DIALECTS, expectErrors, expectFailure, expectNoBody } from '../support/answers.ts';
import type { Client, Reply } from '../support/client.ts';
import { CHANGES, LISTS, MAKINGS, NOBODYS_ID, READS } from '../support/operations.ts';
import type { ChangingOperation, MakingOperation, ReadingOperation } from '../support/operations.ts';
import { whileDatabaseIsAway, whileTableIsMissing } from '../support/outage.ts';
import { startService } from '../support/service.ts';
import type { Service } from '../support/service.ts';

let service: Service;
before(async () => {
  service = await startService();
});
after(() => service.stop());

for (const operation of CHANGES)
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
  const { method, prepare, path, body, status, table = 'payments' } = operation;

  test('500 when the database is broken: the id of the request and no internals, and nothing is lost', async () => {
    const { client } = await service.openShop({ dialect });
    const target = path(await prepare(client));
    const headers = { 'x-request-id': 'request-of-the-test' };
    const reply = await whileTableIsMissing(service, table, () => client.send(method, target, body, headers));
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

/** Something is broken, or away; neither is told more of than a client can use. */
const BROKEN = { status: 500, code: '1000', message: /^Something is wrong on our side\. Tell us this request id: / };
const AWAY = { status: 503, code: '1000', message: /^The database is away\. Try again in a moment/ };

for (const making of MAKINGS)
  for (const dialect of DIALECTS)
    describe(`${making.name} in the dialect ${dialect}, as everything that is made`, () => testMaking(making, dialect));

function testMaking({ path, prepare, status, table, otherContent }: MakingOperation, dialect: Dialect): void {
  let client: Client;
  let body: object;
  before(async () => {
    ({ client } = await service.openShop({ dialect }));
    body = await prepare(client);
  });

  test('401, 405, 413, 415, and 400 for what is no body', async () => {
    expectNoBody(await service.client('nonsense').post(path, body), 401);
    const { status: wrong, headers } = await client.send('DELETE', path);
    assert.equal(wrong, 405);
    assert.match(headers.get('allow') ?? '', /\bPOST\b/);
    const large = await client.post(path, JSON.stringify({ padding: ' '.repeat(1_100_000) }));
    expectFailure(large, { status: 413, code: '1000', message: /^The body is larger than 1 MiB/ });
    const typed = await client.post(path, JSON.stringify(body), { 'content-type': 'text/plain' });
    expectFailure(typed, { status: 415, code: '1000', message: /^The content type is text\/plain; send JSON/ });
    for (const empty of [undefined, '', 'null'])
      expectErrors(await client.post(path, empty), { instance: ['cannot be null'] });
    expectErrors(await client.post(path, '{"'), { body: [/^must be JSON: /] });
    expectErrors(await client.post(path, []), { body: ['must be an object, found an array'] });
  });

  test('422 for other content under one key, and the first answer again for the same', async () => {
    const key = { 'idempotency-key': 'one' };
    const given = await prepare(client);
    const first = await client.post(path, given, key);
    assert.equal(first.status, status, first.text);
    const again = await client.post(path, given, key);
    assert.deepEqual([again.status, again.body], [status, first.body]);
    assert.equal(again.headers.get('idempotent-replayed'), 'true');
    const other = await client.post(path, { ...(await prepare(client)), myReference: 'other' }, key);
    assert.deepEqual([other.status, other.body.code], [422, otherContent], other.text);
  });

  test('500 and 503, and made once all is well', async () => {
    expectFailure(await whileTableIsMissing(service, table, () => client.post(path, body)), BROKEN);
    expectFailure(await whileDatabaseIsAway(service, () => client.post(path, body)), AWAY);
    assert.equal((await client.post(path, body)).status, status);
  });
}

for (const dialect of DIALECTS)
  describe(`reads in the dialect ${dialect}`, () => {
    let client: Client;
    let other: Client;
    const ids = new Map<ReadingOperation, string>();
    before(async () => {
      ({ client } = await service.openShop({ dialect }));
      ({ client: other } = await service.openShop({ dialect }));
      for (const read of READS) ids.set(read, await read.prepare(client));
    });
    const get = (by: Client, { path, headers }: ReadingOperation, id: string): Promise<Reply> =>
      by.get(path(id), headers);

    for (const read of READS)
      test(`${read.name}: 200 to its merchant; 404, 401, 400 and 405 as everywhere`, async () => {
        const id = ids.get(read) as string;
        const own = await get(client, read, id);
        assert.equal(own.status, 200, own.text);
        for (const unknown of [NOBODYS_ID, 'nonsense', '0'.repeat(32), `${id}0`])
          expectNoBody(await get(client, read, unknown), 404);
        expectNoBody(await get(other, read, id), 404);
        expectNoBody(await get(service.client('nonsense'), read, id), 401);
        const long = { [read.idName]: ['must have at most 128 characters, found 129'] };
        expectErrors(await get(client, read, 'a'.repeat(129)), long);
        expectErrors(await get(client, read, '%zz'), { path: ['is badly percent-encoded'] });
        const { status, headers } = await client.send('PATCH', read.path(id));
        assert.equal(status, 405);
        assert.match(headers.get('allow') ?? '', /\bGET\b/);
      });

    type Asked = Pick<ReadingOperation, 'table' | 'headers'> & { readonly path: string };
    const all = (): Asked[] => [
      ...READS.map((read) => ({ ...read, path: read.path(ids.get(read) as string) })),
      ...Object.entries(LISTS).map(([path, table]) => ({ path, table })),
    ];

    test('500 when the database is broken', async () => {
      for (const [table, reads] of Map.groupBy(all(), (read) => read.table))
        await whileTableIsMissing(service, table, async () => {
          for (const { path, headers } of reads) expectFailure(await client.get(path, headers), BROKEN);
        });
    });

    test('503 with Retry-After while it is away, and served again when it is back', async () => {
      await whileDatabaseIsAway(service, async () => {
        for (const { path, headers } of all()) {
          const reply = await client.get(path, headers);
          expectFailure(reply, AWAY);
          assert.equal(reply.headers.get('retry-after'), '1');
        }
      });
      for (const { path, headers } of all()) assert.equal((await client.get(path, headers)).status, 200, path);
    });
  });
