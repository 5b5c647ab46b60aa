// Goal: GET /v1/payments lists a merchant's own payments, newest first, by reference, state and time, in pages that
// stay the same while new payments are made.
// Method: a running service; every test has a shop of its own, so that it knows all that the list may hold. Where a
// test needs a payment of another day, the time in the id of a fresh row is changed.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { firstIdAt } from '../../src/domain/id.ts';
import { forgetFacets } from '../support/payouts.ts';
import { DIALECTS, expectErrors, expectNoBody } from '../support/answers.ts';
import { aCreate } from '../support/client.ts';
import type { Client } from '../support/client.ts';
import { shareService } from '../support/service.ts';
import type { SharedService } from '../support/service.ts';

const HOUR_MS = 3_600_000;

let service: SharedService;
before(async () => {
  service = shareService();
});
after(() => service.close());

async function list(client: Client, query: Record<string, string> = {}) {
  const reply = await client.get(`/v1/payments?${new URLSearchParams(query).toString()}`);
  assert.equal(reply.status, 200, reply.text);
  return reply.body as { payments: { paymentId: string; created: string }[]; cursor?: string };
}

const idsOf = ({ payments }: Awaited<ReturnType<typeof list>>): string[] => payments.map(({ paymentId }) => paymentId);

const idsIn = async (client: Client, query: Record<string, string> = {}): Promise<string[]> =>
  idsOf(await list(client, query));

const newestFirst = (ids: readonly string[]): string[] => ids.toSorted().toReversed();

async function createMany(client: Client, count: number): Promise<string[]> {
  const ids: string[] = [];
  for (let made = 0; made < count; made += 1) ids.push(await client.create());
  return ids;
}

async function createWithReference(client: Client, reference: string): Promise<string> {
  const body = aCreate();
  body.order.reference = reference;
  return (await client.must(201, 'POST', '/v1/payments', body)).paymentId;
}

/** A fresh payment that was created at the given moment. */
async function createAt(client: Client, atMs: number): Promise<string> {
  const fresh = await client.create();
  const id = firstIdAt(atMs).slice(0, 12) + fresh.slice(12);
  await service.pool.query('update payments set id = $2, created_at = $3 where id = $1', [fresh, id, new Date(atMs)]);
  await forgetFacets(service.pool);
  return id;
}

describe('list payments', () => {
  for (const dialect of DIALECTS)
    test(`${dialect}: each element is exactly what a read of the payment shows`, async () => {
      const { client } = await service.openShop({ dialect });
      const fresh = await client.create();
      const charged = await client.createReserved();
      await client.refund(await client.charge(charged, 40_000), 10_000);
      const { payments, ...others } = await list(client, dialect === 'spec' ? {} : { limit: '20' });
      assert.deepEqual(others, {});
      const read = await Promise.all(newestFirst([fresh, charged]).map((id) => client.payment(id)));
      assert.deepEqual(payments, read);
    });

  test('a merchant without payments has an empty list', async () => {
    const { client } = await service.openShop();
    assert.deepEqual(await list(client), { payments: [] });
  });

  // decision: list-of-payments
  test('newest first', async () => {
    const { client } = await service.openShop();
    const ids = await createMany(client, 5);
    const yesterday = await createAt(client, Date.now() - 24 * HOUR_MS);
    assert.deepEqual(await idsIn(client), [...newestFirst(ids), yesterday]);
    const created = (await list(client)).payments.map((payment) => payment.created);
    assert.deepEqual(created, created.toSorted().toReversed());
  });

  test("another merchant's payments are not visible, whatever is asked for", async () => {
    const [{ client }, other] = [await service.openShop(), await service.openShop()];
    const theirs = await createWithReference(other.client, 'shared');
    const ours = await createWithReference(client, 'shared');
    assert.deepEqual(await idsIn(client), [ours]);
    assert.deepEqual(await idsIn(client, { reference: 'shared' }), [ours]);
    assert.deepEqual(await idsIn(client, { cursor: theirs.replace(/^.{12}/, 'f'.repeat(12)) }), [ours]);
  });

  // decision: list-of-payments
  test('reference: exactly this one', async () => {
    const { client } = await service.openShop();
    const references = ['order-1', 'order-10', 'ORDER-1', 'order 1 & more', '😀'];
    const ids = await Promise.all(references.map((reference) => createWithReference(client, reference)));
    const second = await createWithReference(client, 'order-1');
    assert.deepEqual(await idsIn(client, { reference: 'order-1' }), newestFirst([ids[0] as string, second]));
    for (const index of [1, 2, 3, 4])
      assert.deepEqual(await idsIn(client, { reference: references[index] as string }), [ids[index]]);
    assert.deepEqual(await idsIn(client, { reference: 'order' }), []);
  });

  test('reference: follows an update of the reference', async () => {
    const { client } = await service.openShop();
    const paymentId = await createWithReference(client, 'before');
    await client.must(204, 'PUT', `/v1/payments/${paymentId}/referenceinformation`, { reference: 'after' });
    assert.deepEqual(await idsIn(client, { reference: 'before' }), []);
    assert.deepEqual(await idsIn(client, { reference: 'after' }), [paymentId]);
  });

  // decision: life-of-a-payment, state-filter-of-the-list
  test('state: the payments to which this has happened; created and expired are those never reserved', async () => {
    const { client } = await service.openShop();
    const created = await client.create();
    const expired = await createAt(client, Date.now() - 49 * HOUR_MS);
    const terminated = await client.create();
    await client.must(204, 'PUT', `/v1/payments/${terminated}/terminate`);
    const reserved = await client.createReserved();
    const charged = await client.createReserved();
    await client.charge(charged, 1);
    const refunded = await client.createReserved();
    await client.refund(await client.charge(refunded, 2), 1);
    const cancelled = await client.createReserved();
    await client.cancel(cancelled, 1);
    for (const [state, expected] of Object.entries({
      created: [created],
      expired: [expired],
      terminated: [terminated],
      reserved: [reserved, charged, refunded, cancelled],
      charged: [charged, refunded],
      refunded: [refunded],
      cancelled: [cancelled],
    }))
      assert.deepEqual(await idsIn(client, { state }), newestFirst(expected), state);
  });

  // decision: list-of-payments
  test('from and to: from this moment on, and before that one', async () => {
    const { client } = await service.openShop();
    const at = Date.parse('2026-03-15T12:00:00.000Z');
    const [earlier, exact, later] = [
      await createAt(client, at - 1),
      await createAt(client, at),
      await createAt(client, at + 1),
    ];
    const moment = '2026-03-15T12:00:00.000Z';
    assert.deepEqual(await idsIn(client, { from: moment }), [later, exact]);
    assert.deepEqual(await idsIn(client, { to: moment }), [earlier]);
    assert.deepEqual(await idsIn(client, { from: moment, to: '2026-03-15T12:00:00.001Z' }), [exact]);
    assert.deepEqual(await idsIn(client, { from: moment, to: moment }), []);
  });

  // decision: list-of-payments
  test('from and to: a date is its midnight UTC, a time without an offset is UTC, an offset counts', async () => {
    const { client } = await service.openShop();
    const paymentId = await createAt(client, Date.parse('2026-03-15T00:00:00.000Z'));
    for (const from of ['2026-03-15', '2026-03-15T00:00', '2026-03-15T00:00:00', '2026-03-15T02:00:00+02:00'])
      assert.deepEqual(await idsIn(client, { from }), [paymentId], from);
    for (const from of ['2026-03-16', '2026-03-15T00:00:00.001', '2026-03-14T23:00:00-02:00'])
      assert.deepEqual(await idsIn(client, { from }), [], from);
  });

  // decision: list-of-payments
  test('conditions are joined: all of them must hold', async () => {
    const { client } = await service.openShop();
    const plain = await createWithReference(client, 'mine');
    const reserved = await createWithReference(client, 'mine');
    await client.must(201, 'POST', `/v1/sandbox/payments/${reserved}/reserve`, {});
    await client.createReserved();
    assert.deepEqual(await idsIn(client, { reference: 'mine', state: 'reserved' }), [reserved]);
    assert.deepEqual(await idsIn(client, { reference: 'mine', state: 'created', from: '2026-01-01' }), [plain]);
    assert.deepEqual(await idsIn(client, { reference: 'mine', to: '2026-01-01' }), []);
  });

  // decision: list-of-payments
  test('limit: 20 when it is left out, 1 and 100 at its edges', async () => {
    const { client } = await service.openShop();
    const ids = newestFirst(await Promise.all(Array.from({ length: 101 }, () => client.create())));
    assert.deepEqual(await idsIn(client), ids.slice(0, 20));
    assert.deepEqual(await idsIn(client, { limit: '1' }), ids.slice(0, 1));
    const largest = await list(client, { limit: '100' });
    assert.deepEqual(idsOf(largest), ids.slice(0, 100));
    assert.deepEqual(await list(client, { limit: '100', cursor: largest.cursor as string }), {
      payments: [await client.payment(ids[100] as string)],
    });
  });

  // decision: list-of-payments
  test('cursor: pages hold every payment once, and the last page has no cursor', async () => {
    const { client } = await service.openShop();
    const ids = newestFirst(await createMany(client, 7));
    for (const limit of [1, 3, 6, 7, 8]) {
      const query = { limit: `${limit}` };
      const pages = [await list(client, query)];
      while (pages.at(-1)?.cursor !== undefined && pages.length <= ids.length)
        pages.push(await list(client, { ...query, cursor: pages.at(-1)?.cursor as string }));
      assert.deepEqual(pages.flatMap(idsOf), ids);
      assert.equal(pages.length, Math.ceil(ids.length / limit));
    }
  });

  // decision: list-of-payments
  test('cursor: pages stay the same while new payments are made and old ones move on in between', async () => {
    const { client } = await service.openShop();
    const ids = newestFirst(await createMany(client, 6));
    const first = await list(client, { limit: '2' });
    await createMany(client, 3);
    await client.must(201, 'POST', `/v1/sandbox/payments/${ids[3]}/reserve`, {});
    const second = await list(client, { limit: '2', cursor: first.cursor as string });
    await client.create();
    const third = await list(client, { limit: '2', cursor: second.cursor as string });
    assert.deepEqual([first, second, third].flatMap(idsOf), ids);
    assert.equal(third.cursor, undefined);
    assert.deepEqual(await list(client, { limit: '2', cursor: first.cursor as string }), second);
  });

  test('cursor: goes together with the other conditions', async () => {
    const { client } = await service.openShop();
    const ids: string[] = [];
    for (const reference of ['a', 'b', 'a', 'b', 'a']) ids.push(await createWithReference(client, reference));
    const wanted = newestFirst([ids[0], ids[2], ids[4]] as string[]);
    const first = await list(client, { reference: 'a', limit: '2' });
    const second = await list(client, { reference: 'a', limit: '2', cursor: first.cursor as string });
    assert.deepEqual([...idsOf(first), ...idsOf(second)], wanted);
  });

  for (const [query, name, text] of [
    ['limit=0', 'limit', 'must be a whole number from 1 to 100'],
    ['limit=101', 'limit', 'must be a whole number from 1 to 100'],
    ['limit=-1', 'limit', 'must be a whole number from 1 to 100'],
    ['limit=1.5', 'limit', 'must be a whole number from 1 to 100'],
    ['limit=many', 'limit', 'must be a whole number from 1 to 100'],
    ['limit=', 'limit', 'must be a whole number from 1 to 100'],
    ['limit=1&limit=2', 'limit', 'must be a text, found an array'],
    ['state=paid', 'state', /^must be one of created, reserved, .* found "paid"$/],
    ['state=', 'state', /^must be one of created, reserved, /],
    ['from=yesterday', 'from', /^must be a date or a timestamp such as 2026-11-15T08:00:00Z, found /],
    ['from=2026-02-30', 'from', /^must be a date or a timestamp /],
    ['from=2026-13-01', 'from', /^must be a date or a timestamp /],
    ['to=2026-01-01T25:00', 'to', /^must be a date or a timestamp /],
    ['to=1234567890', 'to', /^must be a date or a timestamp /],
    ['to=', 'to', /^must be a date or a timestamp /],
    ['cursor=next', 'cursor', 'must be a cursor of an earlier page'],
    ['cursor=', 'cursor', 'must be a cursor of an earlier page'],
    ['reference=', 'reference', 'must not be empty'],
    ['reference=%00', 'reference', /^must hold no NUL character/],
    [`reference=${'r'.repeat(129)}`, 'reference', /^must have at most 128 characters, found /],
  ] as const)
    test(`400: ?${query.slice(0, 30)} names the parameter ${name}`, async () => {
      for (const dialect of DIALECTS) {
        const { client } = await service.openShop({ dialect });
        expectErrors(await client.get(`/v1/payments?${query}`), { [name]: [text] });
      }
    });

  test('400: every malformed parameter is named', async () => {
    const { client } = await service.openShop();
    const reply = await client.get('/v1/payments?state=x&from=x&to=x');
    assert.deepEqual(Object.keys(reply.body.errors).toSorted(), ['from', 'state', 'to']);
  });

  // decision: list-of-payments
  test('a parameter that there is not is 400: a misspelt filter must not show everything', async () => {
    const { client } = await service.openShop();
    const { status, body } = await client.get('/v1/payments?refrence=order-1');
    const text = 'there is no such filter; there are reference, state, from, to, limit, cursor';
    assert.deepEqual([status, body], [400, { errors: { refrence: [text] } }]);
  });

  test('the path in any case, with a trailing slash', async () => {
    const { client } = await service.openShop();
    const paymentId = await client.create();
    for (const path of ['/V1/Payments', '/v1/payments/?limit=5']) {
      assert.equal((await client.get(path)).body.payments[0].paymentId, paymentId);
    }
  });

  test('401 without a body: no key, an unknown key', async () => {
    for (const key of [undefined, `test-secret-key-${'0'.repeat(32)}`])
      expectNoBody(await service.client(key).get('/v1/payments'), 401);
  });
});
