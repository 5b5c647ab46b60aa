// Goal: every request with a key is kept for its merchant's developers, masked and within bounds; what is not kept is
// counted; nothing of it is told to another merchant; it ends when its time is over, and is written before the end. Method:
// a real service and the rows behind it.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { listKeys } from '../../src/store/merchants/keys.ts';
import { openPool } from '../../src/store/connections/pool.ts';
import { purgeRequestLog } from '../../src/store/purge/request-log.ts';
import { countOmitted, findRequest, listRequests } from '../../src/store/request-log/read.ts';
import type { RequestFilter, WholeRequest } from '../../src/store/request-log/read.ts';
import { aCreate } from '../support/client.ts';
import { until } from '../support/kassa.ts';
import { readMetrics } from '../support/metrics.ts';
import { purgeNow } from '../support/purge.ts';
import { startService } from '../support/service.ts';
import type { Service, Shop } from '../support/service.ts';

const CARD = '4111111111111111';

describe('the request log', () => {
  let service: Service;
  before(async () => {
    service = await startService();
  });
  after(() => service.stop());

  const list = async ({ merchant }: Shop, filter: RequestFilter = {}) =>
    (await listRequests(service.pool, merchant, { limit: 200, ...filter })).requests;

  /** The one request with this id, once it is written. */
  const findOne = async (shop: Shop, requestId: string): Promise<WholeRequest> => {
    const { id } = await until(`request ${requestId}`, async () => (await list(shop, { requestId }))[0] ?? false);
    return (await findRequest(service.pool, shop.merchant, id)) ?? assert.fail('it is listed and not there');
  };

  test('keeps what was asked and answered, by which key, and how long it took', async () => {
    const shop = await service.openShop();
    const began = Date.now();
    const headers = { 'x-request-id': 'create-1', 'idempotency-key': 'k-1', 'user-agent': 'shop/1.0' };
    const made = await shop.client.post('/v1/payments', aCreate(), headers);
    await shop.client.post('/v1/payments', aCreate(), { ...headers, 'x-request-id': 'create-2' });
    const request = await findOne(shop, 'create-1');
    const [key] = await listKeys(service.pool, shop.merchant.id);
    const { at, durationMs, request: sent, answer, ...others } = request;
    assert.ok(at >= began - 1_000 && at <= Date.now() && durationMs > 0);
    assert.deepEqual(others, {
      id: request.id,
      requestId: 'create-1',
      method: 'POST',
      route: '/v1/payments',
      path: '/v1/payments',
      status: 201,
      keyId: key?.id,
      isReplayed: false,
      paymentId: made.body.paymentId,
      address: '127.0.0.1',
      idempotencyKey: 'k-1',
      userAgent: 'shop/1.0',
      contentType: 'application/json',
    });
    assert.deepEqual(JSON.parse(sent.text ?? ''), aCreate());
    assert.equal(sent.bytes, JSON.stringify(aCreate()).length);
    assert.deepEqual(JSON.parse(answer.text ?? ''), made.body);
    assert.equal((await findOne(shop, 'create-2')).isReplayed, true);
  });

  test('keeps no secret and nothing of a consumer, wherever it was put', async () => {
    const shop = await service.openShop();
    const consumer = { email: 'anna@example.se', privatePerson: { firstName: 'Anna', lastName: 'Berg' } };
    const create = aCreate(100_000, { consumer, merchantHandlesConsumerData: true });
    create.notifications = {
      webHooks: [{ eventName: 'payment.created', url: 'https://shop.example/h?t=sesame', authorization: 'sesame' }],
    };
    await shop.client.post('/v1/payments', create, { 'x-request-id': 'secrets-1' });
    const paymentId = await shop.client.create();
    const reserve = `/v1/sandbox/payments/${paymentId}/reserve`;
    await shop.client.post(reserve, { card: CARD }, { 'x-request-id': 'secrets-2', 'idempotency-key': CARD });
    await shop.client.post(reserve, `{"card":"${CARD}","email":"anna`, { 'x-request-id': 'secrets-3' });
    await shop.client.post(reserve, `card=${CARD}`, { 'x-request-id': 'secrets-4', 'content-type': 'text/plain' });
    const lists = `/v1/payments?email=anna%40example.se&reference=${CARD}`;
    const named = await shop.client.get(lists, { 'x-request-id': `order-${CARD}` });
    await shop.client.post(
      '/v1/webhooks',
      { url: 'https://shop.example/h', events: ['*'] },
      { 'x-request-id': 'hook' },
    );
    await shop.client.get(`/v1/payments/${paymentId}`, { 'x-request-id': 'secrets-5' });
    for (const id of ['secrets-1', 'secrets-2', 'secrets-3', 'secrets-4', 'secrets-5', 'hook']) await findOne(shop, id);
    await findOne(shop, named.headers.get('x-request-id') ?? '');
    const rows = await service.pool.query<{ row: string }>(
      'select request_log::text as row from request_log where merchant_id = $1',
      [shop.merchant.id],
    );
    const text = rows.map(({ row }) => row).join('\n');
    for (const secret of [CARD, 'anna', 'Anna', 'Berg', 'sesame', 'whsec_', shop.secretKey, shop.merchant.checkoutKey])
      assert.ok(!text.includes(secret), secret);
    assert.equal((await findOne(shop, 'secrets-3')).status, 400);
    assert.equal((await findOne(shop, 'secrets-4')).status, 415);
  });

  test('finds what touched a payment, also by a charge or refund of it, and tells it to no other merchant', async () => {
    const shop = await service.openShop();
    const other = await service.openShop({ beside: shop });
    const paymentId = await shop.client.createReserved();
    const chargeId = await shop.client.charge(paymentId, 1_000);
    const refundId = await shop.client.refund(chargeId, 400);
    await shop.client.get(`/v1/refunds/${refundId}`);
    await other.client.post(`/v1/charges/${chargeId}/refunds`, { amount: 1 }, { 'x-request-id': 'foreign' });
    const touched = await until('all five', async () => {
      const found = await list(shop, { paymentId });
      return found.length === 5 && found;
    });
    assert.deepEqual(
      touched.map(({ method, route }) => `${method} ${route}`),
      [
        'GET /v1/refunds/:refundId',
        'POST /v1/charges/:chargeId/refunds',
        'POST /v1/payments/:paymentId/charges',
        'POST /v1/sandbox/payments/:paymentId/reserve',
        'POST /v1/payments',
      ],
    );
    const foreign = await findOne(other, 'foreign');
    assert.equal(foreign.status, 404);
    assert.equal(foreign.paymentId, undefined);
    assert.deepEqual(await list(other, { paymentId }), []);
    assert.equal(await findRequest(service.pool, other.merchant, touched[0]?.id ?? ''), undefined);
  });

  test('of a flood so many a second are kept, failures apart, another merchant’s all; the rest is counted', async () => {
    const shop = await service.openShop();
    const other = await service.openShop({ beside: shop });
    const from = Date.now();
    const sent = 400;
    const flood = Array.from({ length: sent }, () => shop.client.get('/v1/paymentmethods'));
    const failing = Array.from({ length: 20 }, () => shop.client.get('/v1/payments/none'));
    const quiet = Array.from({ length: 20 }, () => other.client.get('/v1/paymentmethods'));
    await Promise.all([...flood, ...failing, ...quiet]);
    const [ok, failed] = [{ status: 'ok' }, { status: '4xx' }] as const;
    await until('what failed', async () => (await list(shop, failed)).length === 20);
    await until('all of the other', async () => (await list(other)).length === 20);
    const seconds = Math.ceil((Date.now() - from) / 1_000) + 1;
    const omitted = await until('what was left out', async () => {
      const count = await countOmitted(service.pool, shop.merchant, { fromMs: from, toMs: Date.now() });
      const { requests } = await listRequests(service.pool, shop.merchant, { limit: 1_000, ...ok });
      return count + requests.length === sent && count;
    });
    assert.ok(omitted >= sent - 50 * seconds, `${omitted} in ${seconds} s`);
    const untilNow = { fromMs: from, toMs: Date.now() };
    assert.equal(await countOmitted(service.pool, other.merchant, untilNow), 0);
    const figures = await readMetrics(service.client());
    assert.match(figures, /kassa_logged_requests_total\{outcome="kept"\} \d/);
    if (omitted > 0) assert.match(figures, /kassa_logged_requests_total\{outcome="over_rate"\} \d/);
  });

  test('pages follow each other without gaps, and filters hold', async () => {
    const shop = await service.openShop();
    for (let count = 0; count < 7; count += 1)
      await shop.client.get(count % 2 === 0 ? '/v1/paymentmethods' : '/v1/payments/none');
    await until('all', async () => (await list(shop)).length === 7);
    const walked: string[] = [];
    for (let from: string | undefined; ;) {
      const query = { limit: 3, ...(from !== undefined && { before: from }) };
      const { requests, next } = await listRequests(service.pool, shop.merchant, query);
      walked.push(...requests.map(({ id }) => id));
      if (next === undefined) break;
      from = next;
    }
    assert.deepEqual(
      walked,
      (await list(shop)).map(({ id }) => id),
    );
    assert.deepEqual(walked, walked.toSorted().toReversed());
    const count = async (filter: RequestFilter): Promise<number> => (await list(shop, filter)).length;
    assert.equal(await count({ status: 'failed' }), 3);
    assert.equal(await count({ status: 'ok' }), 4);
    assert.equal(await count({ status: '5xx' }), 0);
    assert.equal(await count({ route: '/v1/paymentmethods' }), 4);
    assert.equal(await count({ method: 'POST' }), 0);
    assert.equal(await count({ keyId: 'key_none' }), 0);
    assert.equal(await count({ fromMs: Date.now() + 60_000 }), 0);
    assert.equal(await count({ toMs: Date.now() + 60_000 }), 7);
  });

  test('is forgotten when its time is over, and no sooner', async () => {
    const shop = await service.openShop();
    for (let made = 0; made < 3; made += 1) await shop.client.get('/v1/paymentmethods');
    await until('all', async () => (await list(shop)).length === 3);
    const old = (await list(shop))[0]?.id;
    await service.pool.query(
      `insert into request_log_omissions (part, merchant_id, minute, count, logged_at)
       values ($1, $2, now(), 5, now() - interval '8 days')`,
      [shop.merchant.parts[0], shop.merchant.id],
    );
    await service.pool.query(`update request_log set logged_at = now() - interval '8 days' where id = $1`, [old]);
    const gone = await purgeNow(purgeRequestLog(service.pool, 7 * 86_400_000));
    assert.deepEqual(gone, { request_log: 1, request_log_omissions: 1 });
    assert.equal((await list(shop)).length, 2);
  });
});

describe('the request log of a process', () => {
  test('is written before the process ends, and not at all where it is off', async () => {
    const service = await startService();
    const shop = await service.openShop();
    await Promise.all(Array.from({ length: 20 }, () => shop.client.get('/v1/paymentmethods')));
    await service.stop();
    const pool = openPool(service.databaseUrl, { size: 1 });
    const count = async (): Promise<number> =>
      (await listRequests(pool, shop.merchant, { limit: 100 })).requests.length;
    assert.equal(await count(), 20);
    const env = { KASSA_REQUEST_LOG_DAYS: '0' };
    const without = await startService({ databaseUrl: service.databaseUrl, env });
    await without.client(shop.secretKey).get('/v1/paymentmethods');
    await until('what was kept to be forgotten', async () => (await count()) === 0);
    await without.stop();
    assert.equal(await count(), 0);
    await pool.close();
  });
});
