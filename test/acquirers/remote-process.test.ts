// Goal: an acquirer that is away, a service that ends, a database that goes away in the middle: nobody is told a lie, and
// what was begun is finished, whichever process began it.
// Method: real services and real banks; each test takes something away while a movement is under way.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text as readText } from 'node:stream/consumers';
import { after, before, describe, test } from 'node:test';
import { putAcquirer } from '../../src/store/merchants/acquirers.ts';
import { startBank } from '../support/bank.ts';
import type { RunningBank } from '../support/bank.ts';
import { anOrder } from '../support/client.ts';
import type { Reply } from '../support/client.ts';
import { until } from '../support/kassa.ts';
import { isReplayed, keyed } from '../support/keyed-operations.ts';
import { whileDatabaseIsAway } from '../support/outage.ts';
import { spawnService, startService } from '../support/service.ts';
import type { Service, Shop } from '../support/service.ts';
import { subscribe } from '../support/subscriptions.ts';

// As long as can be set, for whoever expects an answer; short for whoever expects none.
const ENV = { KASSA_ACQUIRER_TIMEOUT: '10s' };
const HASTY = { KASSA_ACQUIRER_TIMEOUT: '3s' };

describe('an acquirer on another machine, and the processes around it', () => {
  let service: Service;
  let bank: RunningBank;
  let shop: Shop;
  before(async () => {
    [service, bank] = await Promise.all([startService({ env: ENV }), startBank()]);
    await putAcquirer(service.pool, { name: 'bank', url: bank.url, key: bank.key });
    shop = await service.openShop({ acquirer: 'bank' });
  });
  after(async () => {
    await service.stop();
    await bank.stop();
  });

  const linesOf = async (kind: string) => (await bank.book()).filter((line) => line.kind === kind);
  const charges = (paymentId: string): string => `/v1/payments/${paymentId}/charges`;

  /** Sends until the answer is another one than "being worked on". */
  const answerTo = (send: () => Promise<Reply>): Promise<Reply> =>
    until('the answer', async () => {
      const reply = await send();
      return reply.status === 409 || reply.status === 503 ? undefined : reply;
    });

  test('stopped while a call is under way: it is finished and answered', async (t) => {
    const other = await startService({ databaseUrl: service.databaseUrl, env: ENV });
    t.after(() => other.stop());
    const paymentId = await shop.client.createReserved(1_000);
    const lines = (await linesOf('charge')).length;
    await bank.setFaults({ latency: { kind: 'fixed', ms: 600 } });
    const reply = other.client(shop.secretKey).post(charges(paymentId), { amount: 600 });
    await until(
      'the call',
      async () => (await service.pool.query(`select 1 from movements where state = 'pending'`))[0],
    );
    const stopped = other.stop();
    assert.equal((await reply).status, 201);
    await stopped;
    await bank.setFaults({});
    assert.equal((await linesOf('charge')).length, lines + 1);
  });

  test('stopped while the bank does not answer: who waits is told so, and another service finishes it', async (t) => {
    const other = await startService({ databaseUrl: service.databaseUrl, env: HASTY });
    t.after(() => other.stop());
    const paymentId = await shop.client.createReserved(1_000);
    await bank.setFaults({ hang: 1 });
    const reply = other.client(shop.secretKey).post(charges(paymentId), { amount: 600 }, keyed('stopped'));
    await until(
      'the call',
      async () => (await service.pool.query(`select 1 from movements where state = 'pending'`))[0],
    );
    const stopped = other.stop();
    assert.equal((await reply).status, 500);
    await stopped;
    await bank.setFaults({});
    const later = await answerTo(() => shop.client.post(charges(paymentId), { amount: 600 }, keyed('stopped')));
    assert.deepEqual([later.status, isReplayed(later)], [201, true]);
    assert.equal((await linesOf('charge')).filter(({ id }) => id === later.body.chargeId).length, 1);
  });

  test('SIGKILL while the bank does not answer: another process, which runs already, finishes it', async (t) => {
    const other = await spawnService({ databaseUrl: service.databaseUrl, env: HASTY });
    t.after(() => other.kill());
    const paymentId = await shop.client.createReserved(1_000);
    await bank.setFaults({ hangAfter: 1 });
    const lines = (await linesOf('charge')).length;
    const reply = other
      .client(shop.secretKey)
      .post(charges(paymentId), { amount: 600 }, keyed('killed'))
      .catch(() => undefined);
    await until('the bank to act', async () => (await linesOf('charge')).length > lines);
    await other.kill();
    assert.equal(await reply, undefined);
    await bank.setFaults({});
    const later = await answerTo(() => shop.client.post(charges(paymentId), { amount: 600 }, keyed('killed')));
    assert.deepEqual([later.status, isReplayed(later)], [201, true]);
    assert.equal((await linesOf('charge')).length, lines + 1);
  });

  test('a database that goes away after the bank was asked: "being determined", and never "try again"', async (t) => {
    const slow = await startService({ databaseUrl: service.databaseUrl, env: ENV });
    t.after(() => slow.stop());
    const [charged, paid] = [await shop.client.createReserved(1_000), await shop.client.createReserved(1_000)];
    const chargeId = await shop.client.charge(paid, 600);
    const subscriptionId = await subscribe(shop.client, 'unscheduled');
    const lines = (await bank.book()).length;
    // It is held until the database is away, and answers then, however slow the machine is.
    process.kill(bank.pid(), 'SIGSTOP');
    const client = slow.client(shop.secretKey);
    const sent = [
      client.post(charges(charged), { amount: 600 }),
      client.post(`/v1/charges/${chargeId}/refunds`, { amount: 100 }),
      client.post(`/v1/charges/${chargeId}/refunds`, { amount: 200 }, keyed('away')),
      client.post(`/v1/unscheduledsubscriptions/${subscriptionId}/charges`, { order: anOrder(5_003) }),
    ];
    await until('the calls', async () => {
      const rows = await service.pool.query(`select 1 from movements where state = 'pending'`);
      return rows.length === sent.length;
    });
    const replies = await whileDatabaseIsAway(slow, () => {
      process.kill(bank.pid(), 'SIGCONT');
      return Promise.all(sent);
    });
    assert.deepEqual(
      replies.map(({ status }) => status),
      [500, 201, 500, 500],
      replies.map(({ text }) => text).join('\n'),
    );
    for (const { body } of [replies[0], replies[2], replies[3]] as Reply[])
      assert.match(body.message, /is being determined/);
    await slow.stop();
    // It would be given to the resolvers after the forty seconds in which the slow service may still ask itself.
    await until('the database', () =>
      service.pool
        .query(`update movements set next_try_at = now() where state = 'pending' returning id`)
        .catch(() => undefined),
    );
    await until('nothing to be pending', async () => {
      const rows = await service.pool.query(`select 1 from movements where state = 'pending'`);
      return rows.length === 0;
    });
    assert.equal((await shop.client.payment(charged)).summary.chargedAmount, 600);
    assert.equal((await shop.client.payment(paid)).summary.refundedAmount, 300);
    const again = await shop.client.post(`/v1/charges/${chargeId}/refunds`, { amount: 200 }, keyed('away'));
    assert.equal(again.status, 201);
    const ofSubscription = (await bank.book()).filter(({ amount }) => amount === 5_003).map(({ kind }) => kind);
    assert.deepEqual(ofSubscription.toSorted(), ['charge', 'reservation']);
    assert.equal((await bank.book()).length, lines + sent.length + 1);
  });

  test('an acquirer at a new address is asked there, within seconds', async (t) => {
    let asked = 0;
    const second = createServer((request, response) => {
      void readText(request).then((body) => {
        const { id } = JSON.parse(body) as { id: string };
        asked += 1;
        response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ id, state: 'approved' }));
      });
    }).listen(0, '127.0.0.1');
    await once(second, 'listening');
    t.after(() => {
      second.close();
      second.closeAllConnections();
    });
    const url = `http://127.0.0.1:${(second.address() as AddressInfo).port}`;
    const moving = await service.openShop({ acquirer: 'bank' });
    await putAcquirer(service.pool, { name: 'bank', url, key: 'any-key-will-do' });
    await until('the new address to be used', async () => {
      await moving.client.createReserved(1_000);
      return asked > 0;
    });
    await putAcquirer(service.pool, { name: 'bank', url: bank.url, key: bank.key });
    const lines = (await bank.book()).length;
    await until('the old address to be used', async () => {
      await moving.client.createReserved(1_000);
      return (await bank.book()).length > lines;
    });
  });

  // decision: acquirer-that-does-not-answer
  test('an acquirer that is away: 503 with Retry-After, nothing written; others keep working; it comes back', async () => {
    const local = await service.openShop();
    const [paymentId, ...others] = await Promise.all(
      Array.from({ length: 9 }, () => shop.client.createReserved(1_000)),
    );
    await bank.kill();
    // Those who come first are told that the outcome is not known; then nobody is let in.
    const first = await Promise.all(others.map((id) => shop.client.post(charges(id), { amount: 600 }, keyed('away'))));
    assert.deepEqual(new Set(first.map(({ status }) => status)), new Set([500]));
    const count = async () =>
      (await service.pool.query('select count(*)::int as rows from movements where payment_id = $1', [paymentId]))[0];
    const written = await count();
    const refused = await until('the guard', async () => {
      const reply = await shop.client.post(charges(paymentId as string), { amount: 600 }, keyed('refused'));
      return reply.status === 503 ? reply : undefined;
    });
    assert.match(refused.headers.get('retry-after') ?? '', /^[1-9]\d?$/);
    assert.match(refused.body.message, /The acquirer bank does not answer at the moment; nothing was done/);
    assert.equal(refused.body.source, 'bank');
    assert.deepEqual(await count(), written);
    await local.client.charge(await local.client.createReserved(1_000), 600);
    await bank.restart();
    for (const id of [paymentId as string, ...others]) {
      const key = keyed(id === paymentId ? 'refused' : 'away');
      const reply = await answerTo(() => shop.client.post(charges(id), { amount: 600 }, key));
      assert.equal(reply.status, 201, reply.text);
      assert.equal((await shop.client.payment(id)).summary.chargedAmount, 600);
    }
  });
});
