// Goal: a merchant can neither see nor change nor even detect what is another's.
// Method: all of them live in one part. Every operation is asked for with another merchant's key, of the same mode and of
// the other, and the answer is compared to the last header with the one for an id that nobody has; the database is the
// same before and after.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { partOf } from '../../src/domain/id.ts';
import { newId } from '../../src/payments/ids.ts';
import { verifyBooks } from '../../src/store/books/verify.ts';
import { aCreate } from '../support/client.ts';
import type { Reply } from '../support/client.ts';
import { dateBack, gatherNow } from '../support/payouts.ts';
import { startService } from '../support/service.ts';
import type { Service, Shop } from '../support/service.ts';
import { layGround, OPERATIONS } from './bad-input-table.ts';
import type { Ground } from './bad-input-table.ts';

type Asked = { readonly method: string; readonly path: string; readonly body?: object };

const READS = ['GET /v1/payments/{created}', 'GET /v1/payments/{reserved}'];
const READS_OF_MOVEMENTS = ['GET /v1/charges/{chargeId}', 'GET /v1/refunds/{refundId}'];

/** Every operation that names a payment, a charge or a refund. */
const ASKED: readonly Asked[] = [
  ...[...READS, ...READS_OF_MOVEMENTS].map((line) => ({ line, body: undefined })),
  ...Object.values(OPERATIONS).filter(({ line }) => line.includes('{')),
].map(({ line, body }) => {
  const [method = '', path = ''] = line.split(' ');
  return { method, path, ...(body && { body }) };
});

let service: Service;
let owner: Shop;
let liveOwner: Shop;
let ground: Ground;
let liveGround: Ground;
const others: Record<string, Shop> = {};

before(async () => {
  // The rate of a live key would refuse what these tests are about.
  service = await startService({ env: { KASSA_RATE_LIMIT: 'off' } });
  owner = await service.openShop();
  liveOwner = await service.openShop({ live: true, beside: owner });
  others['another test merchant'] = await service.openShop({ beside: owner });
  others['another merchant of another dialect'] = await service.openShop({ dialect: 'nexi', beside: owner });
  others['a live merchant'] = await service.openShop({ live: true, beside: owner });
  ground = await layGround(owner.client);
  // A live merchant has no simulator, so its payment stays as it was created; there is no movement to ask for.
  const created = await liveOwner.client.create();
  liveGround = { key: liveOwner.secretKey, created, reserved: created, chargeId: created, refundId: created };
});
after(() => service.stop());

/** The path with ids: those of the ground, or ids of the same part that nobody has. */
function pathOf({ path }: Asked, ids: Ground, isReal: boolean): string {
  return path.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    const id = ids[name as keyof Ground];
    return isReal ? id : newId(Date.now(), partOf(id));
  });
}

/** Everything of an answer that is not the request's own. */
function faceOf({ status, text, headers }: Reply): unknown {
  const kept = [...headers].filter(([name]) => name !== 'x-request-id' && name !== 'date');
  return { status, text, headers: kept };
}

async function readTables(merchantId: number): Promise<unknown> {
  const mine = `(select part, id from payments where merchant_id = $1)`;
  return Promise.all(
    [
      'select * from payments where merchant_id = $1 order by id',
      `select * from movements where (part, payment_id) in ${mine} order by id`,
      // Without the position, which publishing gives an event a moment later.
      `select to_jsonb(events) - 'position' from events where (part, subject_id) in ${mine}
       order by part, subject_id, version, ordinal`,
      `select * from idempotency_records where merchant_id = $1 or (part, subject_id) in ${mine} order by part, target, key`,
    ].map((text) => service.pool.query(text, [merchantId])),
  );
}

async function expectNothing(asked: Asked, other: Shop, ids: Ground): Promise<void> {
  const { method, body } = asked;
  for (const headers of [{}, { 'idempotency-key': `${method}-${asked.path}`.slice(0, 64) }]) {
    const unknown = await other.client.send(method, pathOf(asked, ids, false), body, headers);
    const reply = await other.client.send(method, pathOf(asked, ids, true), body, headers);
    assert.equal(reply.status, 404);
    assert.equal(reply.text, '');
    assert.deepEqual(faceOf(reply), faceOf(unknown));
  }
}

/** Asks for all of it; nothing of either merchant is changed by any of them. */
function testAll(all: readonly Asked[], shops: () => { of: Shop; other: Shop; ids: Ground }): void {
  const readBoth = async (): Promise<unknown> => {
    const { of, other } = shops();
    return [await readTables(of.merchant.id), await readTables(other.merchant.id)];
  };
  let earlier: unknown;
  before(async () => {
    earlier = await readBoth();
  });
  for (const asked of all)
    test(`${asked.method} ${asked.path}`, () => expectNothing(asked, shops().other, shops().ids));
  test('and nothing is changed', async () => {
    assert.deepEqual(await readBoth(), earlier);
  });
}

for (const name of ['another test merchant', 'another merchant of another dialect', 'a live merchant'])
  // decision: payments-of-other-merchants
  describe(`to ${name}, the payment of a test merchant is not there`, () =>
    testAll(ASKED, () => ({ of: owner, other: others[name] as Shop, ids: ground })));

const OF_PAYMENT = ASKED.filter(({ path }) => !path.includes('/charges/') && !path.includes('/refunds/'));
for (const name of ['another test merchant', 'a live merchant'])
  // decision: payments-of-other-merchants
  describe(`to ${name}, the payment of a live merchant is not there`, () =>
    testAll(OF_PAYMENT, () => ({ of: liveOwner, other: others[name] as Shop, ids: liveGround })));

describe('the list shows a merchant its own payments alone', () => {
  test('with no filter, with every filter, and after any cursor', async () => {
    const shop = await service.openShop({ beside: owner });
    const own = await shop.client.create();
    const queries = ['', '?reference=order-1', '?state=created', '?from=2020-01-01', '?to=2099-01-01', '?limit=100'];
    for (const query of [...queries, `?cursor=${'f'.repeat(12)}7${'f'.repeat(3)}8${'f'.repeat(15)}`]) {
      const { body } = await shop.client.get(`/v1/payments${query}`);
      assert.deepEqual(
        body.payments.map(({ paymentId }: { paymentId: string }) => paymentId),
        [own],
        query,
      );
    }
  });

  test("another merchant's id as a cursor shows nothing of that merchant's", async () => {
    for (const other of Object.values(others)) {
      const { body } = await other.client.get(`/v1/payments?cursor=${ground.reserved}`);
      assert.deepEqual(body, { payments: [] });
      for (const query of ['?limit=100', other.merchant.dialect === 'spec' ? '' : '?state=created'])
        assert.deepEqual((await other.client.get(`/v1/payments${query}`)).body, { payments: [] });
    }
  });

  test('its owner sees it', async () => {
    const { body } = await owner.client.get('/v1/payments?reference=order-1');
    const ids = body.payments.map(({ paymentId }: { paymentId: string }) => paymentId);
    assert.deepEqual(ids, [ground.reserved, ground.created]);
  });
});

test("another merchant's payout is not there, and in no list", async () => {
  const shop = await service.openShop({ beside: owner });
  const paymentId = await shop.client.createReserved();
  await shop.client.charge(paymentId, 100_000);
  await dateBack(service.pool, shop.merchant, { '2026-01-10': [paymentId] });
  await gatherNow(service.pool);
  const list = '/report/v1/payouts?fromDate=2026-01-01&toDate=2026-01-31';
  const { payouts } = await shop.client.must(200, 'GET', list);
  assert.equal(payouts.length, 1);
  for (const other of Object.values(others)) {
    const [real, unknown] = [payouts[0].id, newId(Date.now(), partOf(payouts[0].id))];
    const reply = await other.client.get(`/report/v1/payouts/${real}`);
    assert.equal(reply.status, 404);
    assert.deepEqual(faceOf(reply), faceOf(await other.client.get(`/report/v1/payouts/${unknown}`)));
    for (const query of ['', `&merchantNumber=${shop.merchant.id}`])
      assert.deepEqual((await other.client.get(`${list}${query}`)).body, { numberOfPayouts: 0, payouts: [] });
  }
});

describe('idempotency keys do not cross from merchant to merchant', () => {
  const headers = { 'idempotency-key': 'one-key-for-all' };
  const openTwo = async (): Promise<[Shop, Shop]> => {
    const shop = await service.openShop();
    return [shop, await service.openShop({ beside: shop })];
  };

  test('a create with the same key and body is a payment of its own for each', async () => {
    const shops = [...(await openTwo()), others['a live merchant'] as Shop];
    const first = await Promise.all(shops.map(({ client }) => client.post('/v1/payments', aCreate(), headers)));
    assert.equal(new Set(first.map(({ body }) => body.paymentId)).size, shops.length);
    for (const [index, { client }] of shops.entries()) {
      const again = await client.post('/v1/payments', aCreate(), headers);
      assert.equal(again.headers.get('idempotent-replayed'), 'true');
      assert.deepEqual(again.body, first[index]?.body);
    }
  });

  test('a create with the same key and another body is no 422 for another merchant', async () => {
    const [one, two] = await openTwo();
    assert.equal((await one.client.post('/v1/payments', aCreate(1_000), headers)).status, 201);
    const reply = await two.client.post('/v1/payments', aCreate(2_000), headers);
    assert.equal(reply.status, 201);
    assert.equal(reply.headers.get('idempotent-replayed'), null);
  });

  test("a key that was used up on another's payment is not used up for its owner", async () => {
    const [shop, other] = await openTwo();
    const paymentId = await shop.client.createReserved(1_000);
    const path = `/v1/payments/${paymentId}/charges`;
    assert.equal((await other.client.post(path, { amount: 1 }, headers)).status, 404);
    const reply = await shop.client.post(path, { amount: 1_000 }, headers);
    assert.equal(reply.status, 201);
    assert.equal(reply.headers.get('idempotent-replayed'), null);
    assert.equal(
      (await other.client.post(path, { amount: 1_000 }, headers)).status,
      404,
      'nor is it replayed to others',
    );
  });
});

test('the service lives and the books are right', async () => {
  assert.equal((await service.client().get('/healthz')).status, 200);
  assert.deepEqual((await verifyBooks(service.pool)).differences, []);
});
