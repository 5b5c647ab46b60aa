// Goal: GET /v1/events shows every event of a merchant once, oldest first, and whoever follows it misses none, however
// many write at once and wherever. Method: real services; every test has a shop of its own, so that it knows all that
// happened; the order is held against what the payments themselves went through.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { positionOf } from '../../src/domain/id.ts';
import { createKey, revokeKey } from '../../src/store/merchants/keys.ts';
import { DIALECTS, expectErrors, expectFailure, expectNoBody } from '../support/answers.ts';
import type { Client, Reply } from '../support/client.ts';
import { shareService, spawnService } from '../support/service.ts';
import type { SharedService, SpawnedService } from '../support/service.ts';
import { Writers } from '../support/writers.ts';

const NOBODYS_ID = '0190a1b2c3d47abc8def0123456789ab';
const RESERVED = [
  'payment.created',
  'payment.reservation.created',
  'payment.reservation.created.v2',
  'payment.checkout.completed',
];
const CHARGED = ['payment.charge.created', 'payment.charge.created.v2'];
/** What the writers lead every payment through. */
const LIFE = [
  ...RESERVED,
  ...CHARGED,
  ...CHARGED,
  'payment.refund.initiated',
  'payment.refund.initiated.v2',
  'payment.refund.completed',
  'payment.cancel.created',
];

type Event = { readonly id: string; readonly event: string; readonly data: { readonly paymentId: string } };
type Page = { readonly events: readonly Event[]; readonly cursor?: string };

const list = (client: Client, query = ''): Promise<Page> =>
  client.must(200, 'GET', `/v1/events${query}`) as Promise<Page>;
const namesOf = ({ events }: Page): string[] => events.map(({ event }) => event);
const idsOf = ({ events }: Page): string[] => events.map(({ id }) => id);

describe('events', () => {
  // Two processes: this one, and another one that has the same database.
  let service: SharedService;
  let elsewhere: SpawnedService;
  before(async () => {
    service = shareService();
    elsewhere = await spawnService({ databaseUrl: service.databaseUrl });
  });
  after(async () => {
    await elsewhere.stop();
    await service.close();
  });

  const openShop: SharedService['openShop'] = (settings) => service.openShop(settings);
  /** Clients of one merchant, one at each process. */
  const openAtBoth = async (): Promise<readonly [Client, Client]> => {
    const { client, secretKey } = await openShop();
    return [client, elsewhere.client(secretKey)];
  };

  for (const dialect of DIALECTS)
    test(`${dialect}: oldest first, at once after the answer, each as it is sent`, async () => {
      const { client, merchant } = await openShop({ dialect });
      assert.deepEqual(await list(client), { events: [] });
      const paymentId = await client.createReserved();
      assert.deepEqual(namesOf(await list(client)), RESERVED);
      await client.charge(paymentId, 40_000);
      const { events } = await list(client);
      assert.deepEqual(namesOf({ events }), [...RESERVED, ...CHARGED]);
      for (const event of events) {
        assert.deepEqual(Object.keys(event), ['id', 'merchantId', 'timestamp', 'merchantNumber', 'event', 'data']);
        assert.match(event.id, /^[0-9a-f]{32}$/);
        assert.equal(event.data.paymentId, paymentId);
        assert.deepEqual(await client.must(200, 'GET', `/v1/events/${event.id}`), event);
        assert.deepEqual(await client.must(200, 'GET', `/V1/Events/${event.id.toUpperCase()}/`), event);
      }
      assert.equal((events[0] as unknown as { merchantNumber: number }).merchantNumber, merchant.id);
    });

  test('paymentId: of this payment alone; of an unknown one or of another merchant none', async () => {
    const mine = await openShop();
    const { client } = mine;
    const other = await openShop({ beside: mine });
    const [first, second] = [await client.createReserved(), await client.createReserved()];
    const { events } = await list(client, `?paymentId=${second}`);
    assert.deepEqual(namesOf({ events }), RESERVED);
    assert.ok(events.every(({ data }) => data.paymentId === second));
    assert.deepEqual(idsOf(await list(client, `?paymentId=${first.toUpperCase()}&limit=1`)).length, 1);
    assert.deepEqual(await list(client, `?paymentId=${NOBODYS_ID}`), { events: [] });
    assert.deepEqual(await list(other.client, `?paymentId=${first}`), { events: [] });
    assert.deepEqual(await list(other.client), { events: [] });
  });

  test('type: one name or several; with paymentId and after, all must hold', async () => {
    const { client } = await openShop();
    const paymentId = await client.createReserved();
    await client.charge(paymentId, 1_000);
    const other = await client.createReserved();
    await client.charge(other, 1_000);
    const charges = await list(client, '?type=payment.charge.created');
    assert.deepEqual(namesOf(charges), ['payment.charge.created', 'payment.charge.created']);
    const both = '?type=payment.checkout.completed,%20payment.charge.created';
    assert.deepEqual(namesOf(await list(client, both)), [
      'payment.checkout.completed',
      'payment.charge.created',
      'payment.checkout.completed',
      'payment.charge.created',
    ]);
    const [first, second] = idsOf(charges);
    assert.deepEqual(idsOf(await list(client, `?type=payment.charge.created&after=${first}`)), [second]);
    assert.deepEqual(idsOf(await list(client, `?type=payment.charge.created&paymentId=${other}`)), [second]);
    assert.deepEqual(await list(client, '?type=webhook.disabled'), { events: [] });
  });

  test('limit and after: pages hold every event once, the last has no cursor, and any id goes on', async () => {
    const { client } = await openShop();
    for (let n = 0; n < 6; n += 1) await client.createReserved();
    const ids = idsOf(await list(client, '?limit=100'));
    assert.equal(ids.length, 24);
    const byDefault = await list(client);
    assert.deepEqual([idsOf(byDefault), byDefault.cursor], [ids.slice(0, 20), ids[19]]);
    for (const limit of [5, 23, 24, 25]) {
      const pages = [await list(client, `?limit=${limit}`)];
      for (let cursor = pages[0]?.cursor; cursor !== undefined; cursor = pages.at(-1)?.cursor)
        pages.push(await list(client, `?limit=${limit}&after=${cursor}`));
      assert.deepEqual(pages.flatMap(idsOf), ids);
      assert.equal(pages.length, Math.ceil(24 / limit));
    }
    assert.deepEqual(idsOf(await list(client, `?after=${ids[9]?.toUpperCase()}`)), ids.slice(10));
    assert.deepEqual(await list(client, `?after=${ids.at(-1)}`), { events: [] });
  });

  // decision: list-of-events
  test('since: what happened then or later, wherever among how many it begins; an empty after is the beginning', async () => {
    const { client, merchant } = await openShop();
    for (let n = 0; n < 3; n += 1) await client.createReserved();
    const ids = idsOf(await list(client, '?limit=100'));
    assert.deepEqual(idsOf(await list(client, '?limit=100&after=')), ids);
    // An hour between any two, the last an hour ago.
    await service.pool.query(
      `update events set (happened_at, recorded_at) = (
         select at, at from (select date_trunc('hour', now()) - make_interval(hours => $2::int - position::int)) as one (at)
       ) where merchant_id = $1`,
      [merchant.id, ids.length],
    );
    const { events } = await list(client, '?limit=100');
    for (const [index, event] of events.entries()) {
      const { timestamp } = event as unknown as { timestamp: string };
      const later = events.slice(index).map(({ id }) => id);
      assert.deepEqual(idsOf(await list(client, `?limit=100&since=${timestamp}`)), later);
      const page = await list(client, `?limit=2&since=${timestamp}`);
      assert.deepEqual(idsOf(page), later.slice(0, 2));
      assert.equal(page.cursor, later.length > 2 ? later[1] : undefined);
    }
    assert.equal((await list(client, '?limit=100&since=2020-01-01')).events.length, ids.length);
    assert.deepEqual(await list(client, '?since=2999-01-01'), { events: [] });
    const { timestamp } = events[3] as unknown as { timestamp: string };
    const first = events[0]?.id;
    const narrowed = await list(client, `?since=${timestamp}&type=payment.created&after=${first}`);
    assert.deepEqual(namesOf(narrowed), ['payment.created', 'payment.created']);
  });

  test('since: what was recorded a little later than what was published before it is not left out', async () => {
    const { client, merchant } = await openShop();
    for (let n = 0; n < 3; n += 1) await client.createReserved();
    await list(client);
    await service.pool.query(
      `update events
       set recorded_at = now() - case when position in (3, 5) then interval '100 seconds' else interval '140 seconds' end
       where merchant_id = $1`,
      [merchant.id],
    );
    const since = new Date(Date.now() - 120_000).toISOString();
    assert.deepEqual(idsOf(await list(client, `?since=${since}`)).map(positionOf), [3, 5]);
  });

  // decision: list-of-events
  test('who follows the cursor misses nothing while two services write at once', async () => {
    const [here, there] = await openAtBoth();
    const writers = new Writers({ clientFor: (n) => (n % 2 === 0 ? here : there) });
    let isWritten = false;
    const follow = async (client: Client, limit: number): Promise<Event[]> => {
      const seen: Event[] = [];
      for (let isLast = false; !isLast;) {
        // Read after everything was written, an empty page is the end.
        isLast = isWritten;
        const last = seen.at(-1);
        const { events } = await list(client, `?limit=${limit}${last === undefined ? '' : `&after=${last.id}`}`);
        seen.push(...events);
        isLast &&= events.length === 0;
      }
      return seen;
    };
    const payments = 18;
    const writing = writers.write(payments, 12).then(() => {
      isWritten = true;
    });
    const followers = await Promise.all([follow(here, 7), follow(there, 100)]);
    await writing;

    const [seen] = followers;
    assert.equal(seen.length, payments * LIFE.length);
    for (const other of followers) assert.deepEqual(idsOf({ events: other }), idsOf({ events: seen }));
    const positions = seen.map(({ id }) => positionOf(id));
    assert.deepEqual(
      positions,
      [...new Set(positions)].toSorted((a, b) => a - b),
    );
    for (const paymentId of new Set(seen.map(({ data }) => data.paymentId)))
      assert.deepEqual(namesOf({ events: seen.filter(({ data }) => data.paymentId === paymentId) }), LIFE);
  });

  // decision: list-of-events
  test('everybody reads their own writes, at either service', async () => {
    const clients = await openAtBoth();
    const live = async (client: Client): Promise<void> => {
      const paymentId = await client.createReserved();
      for (let charges = 1; charges <= 4; charges += 1) {
        await client.charge(paymentId, 1_000);
        const page = await list(client, `?paymentId=${paymentId}&type=payment.charge.created&limit=100`);
        assert.equal(page.events.length, charges);
      }
    };
    await Promise.all(Array.from({ length: 8 }, (_, n) => live(clients[n % 2 === 0 ? 0 : 1])));
  });

  test('what another process is publishing at this moment is waited for', async () => {
    const { client, merchant } = await openShop();
    const paymentId = await client.createReserved();
    assert.equal((await list(client)).events.length, 4);
    const other = new pg.Client({ connectionString: service.databaseUrl });
    await other.connect();
    try {
      await other.query('begin');
      await other.query('select from event_counters where merchant_id = $1 for update', [merchant.id]);
      await client.charge(paymentId, 1_000);
      const listing = list(client);
      // As long as it may take: whoever does not wait has answered by then.
      await sleep(200);
      await other.query('rollback');
      assert.deepEqual(namesOf(await listing), [...RESERVED, ...CHARGED]);
    } finally {
      await other.end();
    }
  });

  const LIMIT = 'must be a whole number from 1 to 100';
  let shops: Client[];
  before(async () => {
    shops = await Promise.all(DIALECTS.map(async (dialect) => (await openShop({ dialect })).client));
  });
  for (const [query, name, text] of [
    ['limit=0', 'limit', LIMIT],
    ['limit=101', 'limit', LIMIT],
    ['limit=ten', 'limit', LIMIT],
    ['limit=1&limit=2', 'limit', 'must be a text, found an array'],
    ['paymentId=nonsense', 'paymentId', 'must be the id of a payment: 32 hex digits'],
    ['paymentId=', 'paymentId', 'must be the id of a payment: 32 hex digits'],
    ['type=payment.charged', 'type', /^there is no such event; there are payment\.created, .*, webhook\.disabled$/],
    ['type=payment.created,', 'type', /^there is no such event/],
    ['type=*', 'type', /^there is no such event/],
    ['type=payment.created&type=x', 'type', 'must be a text, found an array'],
    ['after=now', 'after', 'must be the id of an event of yours'],
    [`after=${NOBODYS_ID}`, 'after', 'must be the id of an event of yours'],
    ['since=yesterday', 'since', /^must be a date or a timestamp such as /],
    ['cursor=x', 'cursor', 'there is no such filter; there are paymentId, type, after, since, limit'],
    ['%00=x', 'query', /^there is no such filter/],
  ] as const)
    test(`400: ?${query} names the parameter ${name}`, async () => {
      for (const shop of shops) expectErrors(await shop.get(`/v1/events?${query}`), { [name]: [text] });
    });

  // decision: list-of-events
  test('400: after an event of another merchant, which says nothing about where to go on', async () => {
    const mine = await openShop();
    const { client } = mine;
    const other = await openShop({ beside: mine });
    await client.createReserved();
    await other.client.createReserved();
    const [foreign] = idsOf(await list(other.client));
    expectErrors(await client.get(`/v1/events?after=${foreign}`), { after: ['must be the id of an event of yours'] });
  });

  const asked: readonly (readonly [name: string, ask: (client: Client, id: string) => Promise<Reply>])[] = [
    ['GET an event', (client, id) => client.get(`/v1/events/${id}`)],
    ['GET its deliveries', (client, id) => client.get(`/v1/events/${id}/deliveries`)],
    ['POST its redelivery', (client, id) => client.post(`/v1/events/${id}/redeliver`)],
  ];
  for (const [name, ask] of asked)
    test(`${name}: 404 without a body for an id that is nobody's, malformed or another merchant's; 400 for a long one`, async () => {
      const mine = await openShop();
      const { client } = mine;
      const other = await openShop({ beside: mine });
      const paymentId = await client.createReserved();
      await other.client.createReserved();
      const [id = ''] = idsOf(await list(client));
      const [foreign = ''] = idsOf(await list(other.client));
      // The same position, another time: an id is whole or nothing.
      const shifted = `${id.slice(0, 11)}${id[11] === '0' ? '1' : '0'}${id.slice(12)}`;
      for (const unknown of [NOBODYS_ID, 'nonsense', '0'.repeat(32), `${id}0`, paymentId, foreign, shifted])
        expectNoBody(await ask(client, unknown), 404);
      expectErrors(await ask(client, 'a'.repeat(129)), { eventId: ['must have at most 128 characters, found 129'] });
    });

  test('401 without a body: no key, an unknown key, a revoked key', async () => {
    const { client, merchant } = await openShop();
    await client.createReserved();
    const [id = ''] = idsOf(await list(client));
    const { key, secret } = await createKey(service.pool, merchant);
    await revokeKey(service.pool, key.id);
    for (const bad of [undefined, `test-secret-key-${'0'.repeat(32)}`, secret])
      for (const [method, path] of [
        ['GET', '/v1/events'],
        ['GET', `/v1/events/${id}`],
        ['GET', `/v1/events/${id}/deliveries`],
        ['POST', `/v1/events/${id}/redeliver`],
      ] as const)
        expectNoBody(await service.client(bad).send(method, path), 401);
  });

  test('405 with Allow: a wrong method', async () => {
    const client = service.client();
    for (const [method, path, allow] of [
      ['POST', '/v1/events', 'GET, HEAD'],
      ['DELETE', `/v1/events/${NOBODYS_ID}`, 'GET, HEAD'],
      ['PUT', `/v1/events/${NOBODYS_ID}/deliveries`, 'GET, HEAD'],
      ['GET', `/v1/events/${NOBODYS_ID}/redeliver`, 'POST'],
    ] as const) {
      const message = `${method} is not allowed here; allowed: ${allow}.`;
      expectFailure(await client.send(method, path), { status: 405, code: '1000', message, allow });
    }
  });
});
