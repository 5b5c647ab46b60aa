// Goal: what holds for every operation, in both dialects: the key, the path, the body, and a database that is broken or
// away. Method: each operation is described once, in operations.ts, and gets all of the tests of its sort at a Kassa whose
// database can be taken away; what is its own is tested in the file of its name.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { createKey, revokeKey } from '../../src/store/merchants/keys.ts';
import { DIALECTS, expectErrors, expectFailure, expectNoBody } from '../support/answers.ts';
import type { Client, Reply } from '../support/client.ts';
import { depth } from '../support/depth.ts';
import { until } from '../support/kassa.ts';
import { CHANGES, LISTS, MAKINGS, NOBODYS_ID, READS } from '../support/operations.ts';
import type { ChangingOperation, MakingOperation, ReadingOperation } from '../support/operations.ts';
import { whileDatabaseIsAway, whileTableIsMissing } from '../support/outage.ts';
import { startService } from '../support/service.ts';
import type { Service, Shop } from '../support/service.ts';

let service: Service;
before(async () => {
  service = await startService();
});
after(() => service.stop());

/** Something is broken, or away; neither is told more of than a client can use. */
const BROKEN = { status: 500, code: '1000', message: /^Something is wrong on our side\. Tell us this request id: / };
const AWAY = { status: 503, code: '1000', message: /^The database is away\. Try again in a moment/ };

type Dialect = (typeof DIALECTS)[number];

/** What is ready for an operation, so that whatever is refused is not refused for want of it. */
type Ready = { readonly shop: Shop; readonly id: string; readonly target: string };

async function makeReady({ prepare, path }: ChangingOperation, shop: Shop): Promise<Ready> {
  const id = await prepare(shop.client);
  return { shop, id, target: path(id) };
}

for (const operation of CHANGES)
  for (const dialect of DIALECTS) {
    describe(`${operation.name} in the dialect ${dialect}, as every operation`, () => {
      // What is refused changes nothing: in the end it is still done.
      let ready: Ready;
      before(async () => {
        ready = await makeReady(operation, await service.openShop({ dialect }));
      });
      // Decided before anybody looks at the dialect.
      if (depth({ daily: dialect === 'spec', release: true })) testRefusals(operation, () => ready);
      testBody(operation, () => ready);
      testTaken(operation, () => ready);
    });
  }

function testRefusals({ method, path, body, idName }: ChangingOperation, ready: () => Ready): void {
  // decision: invalid-keys
  test('401 without a body: no key, an unknown key, a key of the other mode, a revoked key', async () => {
    const { shop, target } = ready();
    const { key, secret } = await createKey(service.pool, shop.merchant);
    await revokeKey(service.pool, key.id);
    const otherMode = shop.secretKey.replace('test', 'live');
    for (const secretKeyOfNobody of [undefined, 'nonsense', `test-secret-key-${'0'.repeat(32)}`, otherMode, secret])
      expectNoBody(await service.client(secretKeyOfNobody).send(method, target, body), 401);
  });

  // decision: payments-of-other-merchants, ids, not-found-and-wrong-methods
  test("404 without a body: an id that is nobody's, malformed, or another merchant's", async () => {
    const { shop, id } = ready();
    const other = await service.openShop({ dialect: shop.merchant.dialect });
    for (const unknown of [NOBODYS_ID, 'nonsense', '0'.repeat(32), `${id}0`])
      expectNoBody(await shop.client.send(method, path(unknown), body), 404);
    expectNoBody(await other.client.send(method, path(id), body), 404);
  });

  // decision: ids
  test('400: an id of more than 128 characters, or badly percent-encoded', async () => {
    const { client } = ready().shop;
    const long = await client.send(method, path('a'.repeat(129)), body);
    expectErrors(long, { [idName]: ['must have at most 128 characters, found 129'] });
    expectErrors(await client.send(method, path('%zz'), body), { path: ['is badly percent-encoded'] });
  });

  // decision: not-found-and-wrong-methods, body-of-a-refusal
  test('405 with Allow: a wrong method, whoever asks', async () => {
    const { shop, target } = ready();
    for (const wrong of ['GET', 'DELETE', 'PATCH', method === 'POST' ? 'PUT' : 'POST'])
      for (const asking of [shop.client, service.client()]) {
        const message = `${wrong} is not allowed here; allowed: ${method}.`;
        expectFailure(await asking.send(wrong, target), { status: 405, code: '1000', message, allow: method });
      }
  });
}

function testBody({ method, body, bodyOptional }: ChangingOperation, ready: () => Ready): void {
  // decision: content-types, body-of-a-refusal
  test('415: a body that is not called JSON', async () => {
    const { shop, target } = ready();
    const reply = await shop.client.send(method, target, JSON.stringify(body), { 'content-type': 'text/plain' });
    expectFailure(reply, { status: 415, code: '1000', message: /^The content type is text\/plain; send JSON/ });
  });

  // decision: malformed-and-missing-bodies
  test('400 errors.body: malformed JSON', async () => {
    const { shop, target } = ready();
    expectErrors(await shop.client.send(method, target, '{"amount":'), { body: [/^must be JSON: /] });
    expectErrors(await shop.client.send(method, target, '{"__proto__":{}}'), { body: [/__proto__/] });
  });

  if (bodyOptional) return;
  // decision: malformed-and-missing-bodies
  test('400 errors.instance: no body, an empty one, null', async () => {
    const { shop, target } = ready();
    for (const empty of [undefined, '', ' ', 'null'])
      expectErrors(await shop.client.send(method, target, empty), { instance: ['cannot be null'] });
  });

  test('400 errors.body: JSON that is no object', async () => {
    const { shop, target } = ready();
    expectErrors(await shop.client.send(method, target, []), { body: ['must be an object, found an array'] });
    expectErrors(await shop.client.send(method, target, '7'), { body: ['must be an object, found a number'] });
  });
}

const JSON_TYPES = ['text/json', 'application/vnd.shop+json', 'application/json; charset=utf-8'];

function testTaken(operation: ChangingOperation, ready: () => Ready): void {
  const { method, body, status } = operation;

  // decision: spelling-of-paths
  test('the path matches in any case and with a slash at the end, in nexi with two for one', async () => {
    const { shop, target } = ready();
    const joined = shop.merchant.dialect === 'nexi' ? `/${target.replace('/v1/', '/v1//')}` : target;
    assert.equal((await shop.client.send(method, `${joined.toUpperCase()}/`, body)).status, status);
  });

  // decision: content-types
  test('any JSON media type is taken', async () => {
    // By day one each, in turns: that there is one reader of bodies for all operations is seen by any of them.
    const oneEach = JSON_TYPES[CHANGES.indexOf(operation) % JSON_TYPES.length] as string;
    for (const type of depth({ daily: [oneEach], release: JSON_TYPES })) {
      const { shop, target } = await makeReady(operation, ready().shop);
      assert.equal((await shop.client.send(method, target, body, { 'content-type': type })).status, status, type);
    }
  });
}

for (const dialect of DIALECTS) describe(`every operation in the dialect ${dialect}`, () => testDatabase(dialect));

function testDatabase(dialect: Dialect): void {
  type Asked = Ready & { readonly operation: ChangingOperation };
  const makeAllReady = async (): Promise<Asked[]> => {
    const shop = await service.openShop({ dialect });
    return Promise.all(CHANGES.map(async (operation) => ({ ...(await makeReady(operation, shop)), operation })));
  };
  const send = ({ shop, target, operation: { method, body } }: Asked, headers?: Record<string, string>) =>
    shop.client.send(method, target, body, headers);
  const expectServed = async (all: readonly Asked[]): Promise<void> => {
    for (const asked of all) assert.equal((await send(asked)).status, asked.operation.status, asked.operation.name);
  };

  // decision: body-of-a-refusal
  test('500 when the database is broken: the id of the request and no internals, and nothing is lost', async () => {
    const all = await makeAllReady();
    const headers = { 'x-request-id': 'request-of-the-test' };
    const message = 'Something is wrong on our side. Tell us this request id: request-of-the-test.';
    for (const [table, some] of Map.groupBy(all, ({ operation }) => operation.table ?? 'payments'))
      await whileTableIsMissing(service, table, async () => {
        for (const asked of some) {
          const reply = await send(asked, headers);
          expectFailure(reply, { status: 500, code: '1000', message });
          assert.equal(reply.headers.get('x-request-id'), 'request-of-the-test');
        }
      });
    await expectServed(all);
  });

  // decision: body-of-a-refusal, database-away-or-overload
  test('503 with Retry-After while the database is away, and served again when it is back', async () => {
    const all = await makeAllReady();
    await whileDatabaseIsAway(service, async () => {
      for (const asked of all) {
        const reply = await send(asked);
        expectFailure(reply, AWAY);
        assert.equal(reply.headers.get('retry-after'), '1');
      }
    });
    await expectServed(all);
  });
}

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

  test('500 when the database is broken, and made once all is well', async () => {
    expectFailure(await whileTableIsMissing(service, table, () => client.post(path, body)), BROKEN);
    assert.equal((await client.post(path, body)).status, status);
  });
}

for (const dialect of DIALECTS)
  test(`503 for everything that is made while the database is away, in the dialect ${dialect}`, async () => {
    const { client } = await service.openShop({ dialect });
    const all = await Promise.all(MAKINGS.map(async (making) => ({ ...making, body: await making.prepare(client) })));
    await whileDatabaseIsAway(service, async () => {
      for (const { path, body } of all) expectFailure(await client.post(path, body), AWAY);
    });
    for (const { path, body, status } of all) assert.equal((await client.post(path, body)).status, status, path);
  });

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
        await client.get('/v1/payments?limit=1', { 'x-request-id': `away-${dialect}` });
      });
      const line = await until('the line of the log', () =>
        service
          .log()
          .split('\n')
          .slice(0, -1)
          .find((text) => text.includes(`"reqId":"away-${dialect}"`) && text.includes('"msg":"request refused"')),
      );
      const { why, err } = JSON.parse(line) as { why?: string; err?: object };
      assert.ok(why !== undefined && err === undefined, 'one line with the reason, and no stack');
      for (const { path, headers } of all()) assert.equal((await client.get(path, headers)).status, 200, path);
    });
  });
