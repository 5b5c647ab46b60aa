// Goal: GET /v1/events/stream tells a merchant's events as they happen, from now on or from where the client was, none
// left out and none twice, and holds up nobody. Method: real services, real connections that are read, cut and left.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { createKey, revokeKey } from '../../src/store/merchants/keys.ts';
import { DIALECTS, expectErrors, expectFailure, expectNoBody } from '../support/answers.ts';
import type { Client } from '../support/client.ts';
import { openStream } from '../support/event-stream.ts';
import type { Told } from '../support/event-stream.ts';
import { until } from '../support/kassa.ts';
import { shareService, spawnService } from '../support/service.ts';
import type { SharedService, SpawnedService } from '../support/service.ts';

const RESERVED = [
  'payment.created',
  'payment.reservation.created',
  'payment.reservation.created.v2',
  'payment.checkout.completed',
];
const MOST_STREAMS = 20;

const namesOf = (told: readonly Told[]): string[] => told.map(({ name }) => name);
const idsOf = (told: readonly Told[]): string[] => told.map(({ id }) => id);

describe('the stream of events', () => {
  // Two processes: this one, and another one that has the same database.
  let service: SharedService;
  let second: SpawnedService;
  before(async () => {
    service = shareService();
    second = await spawnService({ databaseUrl: service.databaseUrl });
  });
  after(async () => {
    await second.stop();
    await service.close();
  });

  /** Clients of one merchant, one at each process. */
  const openAtBoth = async (): Promise<readonly [Client, Client]> => {
    const { client, secretKey } = await service.openShop();
    return [client, second.client(secretKey)];
  };

  const listed = async (client: Client): Promise<{ id: string }[]> =>
    (await client.must(200, 'GET', '/v1/events?limit=100')).events as { id: string }[];

  for (const dialect of DIALECTS)
    test(`${dialect}: from now on, each with its id, its name and its body`, async () => {
      const { client } = await service.openShop({ dialect });
      await client.createReserved();
      const stream = await openStream(client);
      assert.equal(stream.status, 200);
      assert.equal(stream.headers['content-type'], 'text/event-stream; charset=utf-8');
      assert.equal(stream.headers['cache-control'], 'no-store');
      assert.equal(stream.headers['x-content-type-options'], 'nosniff');
      assert.match(stream.headers['x-request-id'] as string, /^[\w.-]+$/);
      const paymentId = await client.createReserved();
      const told = await stream.until(4);
      stream.close();
      assert.deepEqual(namesOf(told), RESERVED);
      for (const { id, name, body } of told) {
        assert.deepEqual([body.id, body.event, body.data.paymentId], [id, name, paymentId]);
        assert.deepEqual(await client.must(200, 'GET', `/v1/events/${id}`), body);
      }
    });

  test("nobody hears of another merchant's events", async () => {
    const mine = await service.openShop();
    const other = await service.openShop({ beside: mine });
    const stream = await openStream(mine.client);
    await other.client.createReserved();
    await mine.client.createReserved();
    const told = await stream.until(4);
    stream.close();
    for (const { body } of told) assert.equal(body.merchantId, mine.merchant.id);
  });

  // decision: stream-of-events
  test('what happens at a second service arrives, too', async () => {
    const [here, there] = await openAtBoth();
    const stream = await openStream(here);
    const paymentId = await there.createReserved();
    const told = await stream.until(4);
    stream.close();
    assert.deepEqual(namesOf(told), RESERVED);
    assert.equal(told[0]?.body.data.paymentId, paymentId);
  });

  // decision: stream-of-events
  test('a stream that breaks off goes on with Last-Event-ID, without a gap and without a repetition', async () => {
    const [here, there] = await openAtBoth();
    await here.createReserved();
    const [first] = await listed(here);
    const writing = Promise.all(
      Array.from({ length: 24 }, async (_, n) => (n % 2 === 0 ? here : there).createReserved()),
    );
    const ids = [first?.id ?? ''];
    // From the other service each time, and from the middle of what came.
    for (let turn = 0; ids.length < 100; turn += 1) {
      const stream = await openStream(turn % 2 === 0 ? here : there, '', { 'last-event-id': ids.at(-1) as string });
      const told = await stream.until(Math.min(7, 100 - ids.length));
      ids.push(...idsOf(told).slice(0, 7));
      stream.close();
    }
    await writing;
    assert.deepEqual(
      ids,
      (await listed(here)).map(({ id }) => id),
    );
  });

  test('after= begins after that event; the header goes before it', async () => {
    const { client } = await service.openShop();
    await client.createReserved();
    const ids = (await listed(client)).map(({ id }) => id);
    const byQuery = await openStream(client, `?after=${ids[0]}`);
    assert.deepEqual(idsOf(await byQuery.until(3)), ids.slice(1));
    byQuery.close();
    const byBoth = await openStream(client, `?after=${ids[0]}`, { 'last-event-id': ids[2] as string });
    assert.deepEqual(idsOf(await byBoth.until(1)), ids.slice(3));
    byBoth.close();
    const empty = await openStream(client, `?after=${ids[2]}`, { 'last-event-id': '' });
    assert.deepEqual(idsOf(await empty.until(1)), ids.slice(3));
    empty.close();
  });

  test('a page after the other: more than one answer of the database holds', async () => {
    const { client } = await service.openShop();
    const first = await client.createReserved();
    await Promise.all(Array.from({ length: 51 }, () => client.createReserved()));
    const [event] = await listed(client);
    const stream = await openStream(client, `?after=${event?.id}`);
    const told = await stream.until(207);
    stream.close();
    assert.equal(new Set(idsOf(told)).size, 207);
    assert.equal(told[0]?.body.data.paymentId, first);
  });

  test('type: only these names, and what is not asked for does not hold them up', async () => {
    const { client } = await service.openShop();
    const stream = await openStream(client, '?type=payment.checkout.completed,payment.charge.created');
    const paymentId = await client.createReserved();
    await client.createReserved();
    await client.charge(paymentId, 1_000);
    const told = await stream.until(3);
    stream.close();
    assert.deepEqual(namesOf(told), [
      'payment.checkout.completed',
      'payment.checkout.completed',
      'payment.charge.created',
    ]);
  });

  test('400: an unknown filter, an unknown name, an id that is of no event', async () => {
    const mine = await service.openShop();
    const { client } = mine;
    const other = await service.openShop({ beside: mine });
    await other.client.createReserved();
    const [foreign] = await listed(other.client);
    const get = (query: string, headers?: Record<string, string>) => client.get(`/v1/events/stream${query}`, headers);
    expectErrors(await get('?types=x'), { types: ['there is no such filter; there are type, after'] });
    expectErrors(await get('?type=payment.charged'), {
      type: [/^there is no such event; there are payment\.created, /],
    });
    expectErrors(await get('?type='), { type: [/^there is no such event/] });
    expectErrors(await get('?after=yesterday'), { after: ['must be the id of an event of yours'] });
    expectErrors(await get(`?after=${foreign?.id}`), { after: ['must be the id of an event of yours'] });
    expectErrors(await get('', { 'last-event-id': 'x' }), { 'Last-Event-ID': ['must be the id of an event of yours'] });
  });

  test('401 without a key; 405 for another method', async () => {
    expectNoBody(await service.client().get('/v1/events/stream'), 401);
    const reply = await service.client().post('/v1/events/stream', {});
    const message = 'POST is not allowed here; allowed: GET, HEAD.';
    expectFailure(reply, { status: 405, code: '1000', message, allow: 'GET, HEAD' });
    const { client } = await service.openShop();
    expectNoBody(await client.send('HEAD', '/v1/events/stream'), 404);
  });

  // decision: stream-of-events
  test('429 over the limit of a merchant; one that hangs up makes room', async () => {
    const mine = await service.openShop();
    const { client } = mine;
    const other = await service.openShop({ beside: mine });
    const streams = await Promise.all(Array.from({ length: MOST_STREAMS }, () => openStream(client)));
    assert.ok(streams.every(({ status }) => status === 200));
    const message = 'There are 20 streams of your events already; close one of them first.';
    const refused = await client.get('/v1/events/stream');
    expectFailure(refused, { status: 429, code: '1000', message });
    assert.equal(refused.headers.get('retry-after'), '10');
    (await openStream(other.client)).close();
    streams[0]?.close();
    const again = await until('room for one more', async () => {
      const stream = await openStream(client);
      return stream.status === 200 && stream;
    });
    await client.createReserved();
    for (const stream of [...streams.slice(1), again]) {
      assert.deepEqual(namesOf(await stream.until(4)), RESERVED);
      stream.close();
    }
  });

  test('a key that is revoked hears no more', async () => {
    const { client, merchant } = await service.openShop();
    const { key, secret } = await createKey(service.pool, merchant);
    const stream = await openStream(service.client(secret));
    await client.createReserved();
    await stream.until(4);
    await revokeKey(service.pool, key.id);
    expectNoBody(await service.client(secret).get('/v1/events'), 401);
    await client.createReserved();
    assert.equal(await stream.ended(), true);
    assert.equal(stream.told.length, 4);
  });

  // decision: stream-of-events
  test('SIGTERM ends it, whole, and the service stops without waiting for it', async () => {
    const { client } = await second.openShop();
    const stream = await openStream(client);
    await client.createReserved();
    await stream.until(4);
    const code = await second.stop();
    assert.equal(code, 0);
    assert.equal(await stream.ended(), true);
    assert.doesNotMatch(second.log(), /Not everything was finished/);
  });
});
