// Goal: a charge of a subscription at an acquirer on another machine is made once, whatever happens to its answer or to
// the process. Method: a real service and a real bank, which is told to lose answers; a service that is killed in the
// middle of a bulk; the bank's book is the judge.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { putAcquirer } from '../../src/store/merchants/acquirers.ts';
import { verifyBooks } from '../../src/store/books/verify.ts';
import { startBank } from '../support/bank.ts';
import type { RunningBank } from '../support/bank.ts';
import { anOrder } from '../support/client.ts';
import type { Reply } from '../support/client.ts';
import { runCommand } from '../support/commands.ts';
import { cloneDatabase } from '../support/database.ts';
import { until } from '../support/kassa.ts';
import { keyed } from '../support/keyed-operations.ts';
import { spawnService, startService } from '../support/service.ts';
import type { Service, Shop } from '../support/service.ts';
import { createWith, reserveWith, subscribe, SUBSCRIPTION_PATHS } from '../support/subscriptions.ts';

const ENTRIES = 32;

describe('subscriptions at an acquirer on another machine', () => {
  let service: Service;
  let bank: RunningBank;
  let shop: Shop;
  let databaseUrl: string;
  const settings = () => ({ databaseUrl, env: { KASSA_ACQUIRER_TIMEOUT: '3s' } });
  before(async () => {
    databaseUrl = await cloneDatabase();
    [service, bank] = await Promise.all([startService(settings()), startBank()]);
    await putAcquirer(service.pool, { name: 'bank', url: bank.url, key: bank.key });
    shop = await service.openShop({ acquirer: 'bank' });
  });
  after(async () => {
    await service.stop();
    await bank.stop();
  });

  const approved = async (kind: string, amount: number) =>
    (await bank.book()).filter((line) => line.kind === kind && line.state === 'approved' && line.amount === amount);

  test('a card is registered with a reservation of 0, and charged: each is in the bank’s book once', async () => {
    const { client } = shop;
    const paymentId = await createWith(client, { subscription: { interval: 0 } }, 0);
    await reserveWith(client, paymentId);
    const { id } = (await client.payment(paymentId)).subscription;
    assert.equal((await approved('reservation', 0)).length, 1);
    const reply = await client.post(`/v1/subscriptions/${id}/charges`, { order: anOrder(5_001) });
    assert.equal(reply.status, 200, reply.text);
    for (const kind of ['reservation', 'charge']) assert.equal((await approved(kind, 5_001)).length, 1, kind);
    assert.equal((await client.payment(reply.body.paymentId)).charges[0].chargeId, reply.body.chargeId);
  });

  test('the issuer’s code comes through: soft and hard are told apart', async () => {
    const { client } = shop;
    const soft = await subscribe(client, 'scheduled');
    const reply = await client.post(`/v1/subscriptions/${soft}/charges`, { order: anOrder(151) });
    assert.deepEqual([reply.status, reply.body.code], [402, '1020'], reply.text);
    const hard = await subscribe(client, 'unscheduled', '4000000000004954');
    const refused = await client.post(`/v1/unscheduledsubscriptions/${hard}/charges`, { order: anOrder(5_000) });
    assert.deepEqual([refused.status, refused.body.code], [402, '1029'], refused.text);
  });

  // decision: charge-and-end-at-once
  test('a charge that is under way when its subscription is ended is finished; the next is refused', async () => {
    const { client } = shop;
    const id = await subscribe(client, 'scheduled');
    await bank.setFaults({ hangAfter: 1 });
    const key = keyed('under-way');
    const send = (headers?: Record<string, string>) =>
      client.post(`/v1/subscriptions/${id}/charges`, { order: anOrder(5_005) }, headers);
    assert.equal((await send(key)).status, 500);
    await client.must(204, 'PUT', `/v1/subscriptions/${id}/terminate`);
    await bank.setFaults({});
    const refused = await send();
    assert.deepEqual([refused.status, refused.body.code], [402, '1030'], refused.text);
    const finished = await until('the outcome to be known', async () => {
      const reply = await send(key);
      return reply.status === 409 ? undefined : reply;
    });
    assert.equal(finished.status, 200, finished.text);
    assert.equal((await approved('charge', 5_005)).length, 1);
  });

  // decision: idempotency-of-a-subscriptions-charge
  test('an answer that is lost is asked for, and one that never comes is told by the key', async () => {
    const { client } = shop;
    const id = await subscribe(client, 'scheduled');
    await bank.setFaults({ loseAfter: 1 });
    const lost = await client.post(`/v1/subscriptions/${id}/charges`, { order: anOrder(5_002) });
    assert.equal(lost.status, 200, lost.text);
    await bank.setFaults({ hangAfter: 1 });
    const key = keyed('unknown');
    const send = () => client.post(`/v1/subscriptions/${id}/charges`, { order: anOrder(5_003) }, key);
    const first = await send();
    assert.equal(first.status, 500, first.text);
    const status = await client.get(`/v1/subscriptions/${id}/charges/status`, key);
    assert.equal(status.body.completed, false);
    await bank.setFaults({});
    const later = await until('the outcome to be known', async () => {
      const reply = await send();
      return reply.status === 409 ? undefined : reply;
    });
    assert.equal(later.status, 200, later.text);
    for (const amount of [5_002, 5_003])
      for (const kind of ['reservation', 'charge']) assert.equal((await approved(kind, amount)).length, 1, kind);
  });

  test('a verification asks the bank, moves nothing, and the books agree', async () => {
    const { client } = shop;
    const [good, hard] = [
      await subscribe(client, 'scheduled'),
      await subscribe(client, 'scheduled', '4000000000004954'),
    ];
    const subscriptions = [good, hard].map((subscriptionId) => ({ subscriptionId }));
    const { bulkId } = await client.must(202, 'POST', '/v1/subscriptions/verifications', { subscriptions });
    const bulk = await until('both are verified', async () => {
      const now = await client.must(200, 'GET', `/v1/subscriptions/verifications/${bulkId}`);
      return now.status === 'Done' ? now : undefined;
    });
    assert.deepEqual(
      bulk.page.map(({ status, code }: Reply['body']) => [status, code]),
      [
        ['Succeeded', undefined],
        ['Failed', '54'],
      ],
    );
    const { code, out, err } = await runCommand(['reconcile', '--acquirer', 'bank'], {
      env: { DATABASE_URL: databaseUrl },
    });
    assert.equal(code, 0, out + err);
  });

  test('a bulk: the process is killed in the middle; none is lost and none is doubled', async () => {
    const { path, listName, idName } = SUBSCRIPTION_PATHS.scheduled;
    const ids: string[] = [];
    for (let n = 0; n < ENTRIES; n += 1) ids.push(await subscribe(shop.client, 'scheduled'));
    const entries = ids.map((id) => ({ [idName]: id, order: anOrder(7_007) }));
    const body = { externalBulkChargeId: 'killed', [listName]: entries };
    // One that works on it is killed, so no other may.
    await service.stop();
    const dying = await spawnService(settings());
    const { bulkId } = await dying.client(shop.secretKey).must(202, 'POST', `${path}/charges`, body);
    const read = async (by: Service): Promise<Reply['body']> =>
      by.client(shop.secretKey).must(200, 'GET', `${path}/charges/${bulkId}`);
    const countDone = (bulk: Reply['body']): number =>
      bulk.page.filter(({ status }: Reply['body']) => status !== 'Pending').length;
    await until('a part of it is done', async () => countDone(await read(dying)) >= ENTRIES / 4);
    await dying.kill();
    service = await startService(settings());
    // What the dead process had claimed is taken up when its lease is over: the test need not wait for that.
    await service.pool.query(`update bulk_entries set next_try_at = now() where state = 'pending'`);
    const bulk = await until('the rest is done', async () => {
      const now = await read(service);
      return now.status === 'Done' ? now : undefined;
    });
    assert.deepEqual([...new Set(bulk.page.map(({ status }: Reply['body']) => status))], ['Succeeded']);
    for (const kind of ['reservation', 'charge']) assert.equal((await approved(kind, 7_007)).length, ENTRIES, kind);
    assert.equal(new Set(bulk.page.map(({ paymentId }: Reply['body']) => paymentId)).size, ENTRIES);
    await until('nothing is pending', async () => (await verifyBooks(service.pool)).counts.pending === 0);
    assert.deepEqual((await verifyBooks(service.pool)).differences, []);
  });
});
