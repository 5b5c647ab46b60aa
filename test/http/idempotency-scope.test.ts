// Goal: an Idempotency-Key means something for one merchant, operation and target, wherever and whenever it comes
// again: after a restart, at another process, a week later. Method: real requests, two services on one database.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { createKey } from '../../src/store/merchants/keys.ts';
import { updateMerchant } from '../../src/store/merchants/merchants.ts';
import { purgeIdempotencyRecords } from '../../src/store/purge/idempotency-records.ts';
import type { Pool } from '../../src/store/connections/pool.ts';
import { aCreate } from '../support/client.ts';
import { expectDoneOnce, isReplayed, keyed, keyedOperations, readEffects } from '../support/keyed-operations.ts';
import { purgeNow } from '../support/purge.ts';
import { shareService, spawnService, startService } from '../support/service.ts';
import type { SharedService, SpawnedService } from '../support/service.ts';

const purgeAnswers = async (pool: Pool): Promise<number> =>
  (await purgeNow(purgeIdempotencyRecords(pool, 8 * 86_400_000)))['idempotency_records'] ?? 0;

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

describe('scope of an Idempotency-Key', () => {
  // decision: scope-of-an-idempotency-key
  test('another merchant: the same key and body make another payment', async () => {
    const first = await service.openShop();
    const shops = [first, await service.openShop({ dialect: 'nexi', beside: first })];
    const replies = [];
    for (const { client } of shops) replies.push(await client.post('/v1/payments', aCreate(), keyed('shared')));
    assert.deepEqual(
      replies.map((reply) => [reply.status, isReplayed(reply)]),
      [
        [201, false],
        [201, false],
      ],
    );
    assert.notEqual(replies[0]?.body.paymentId, replies[1]?.body.paymentId);
  });

  // decision: scope-of-an-idempotency-key
  test('another operation: create, charge, refund and cancel with one key are four requests', async () => {
    const { client } = await service.openShop();
    const created = await client.post('/v1/payments', aCreate(100), keyed('one'));
    const { paymentId } = created.body;
    await client.must(201, 'POST', `/v1/sandbox/payments/${paymentId}/reserve`);
    const body = { amount: 10 };
    const charged = await client.post(`/v1/payments/${paymentId}/charges`, body, keyed('one'));
    const replies = [
      created,
      charged,
      await client.post(`/v1/payments/${paymentId}/cancels`, body, keyed('one')),
      await client.post(`/v1/charges/${charged.body.chargeId}/refunds`, { amount: 4 }, keyed('one')),
      await client.post(`/v1/payments/${paymentId}/refunds`, { amount: 6 }, keyed('one')),
    ];
    assert.deepEqual(
      replies.map(({ status }) => status),
      [201, 201, 204, 201, 201],
    );
    assert.ok(replies.every((reply) => !isReplayed(reply)));
    const { summary } = await client.payment(paymentId);
    assert.deepEqual(summary, { reservedAmount: 100, chargedAmount: 10, refundedAmount: 10, cancelledAmount: 10 });
  });

  // decision: scope-of-an-idempotency-key
  test('another target: one key charges two payments, and refunds two charges', async () => {
    const { client } = await service.openShop();
    const ids = [await client.createReserved(100), await client.createReserved(100)];
    for (const paymentId of ids) {
      const charged = await client.post(`/v1/payments/${paymentId}/charges`, { amount: 100 }, keyed('one'));
      const refunded = await client.post(`/v1/charges/${charged.body.chargeId}/refunds`, { amount: 100 }, keyed('one'));
      assert.deepEqual(
        [charged.status, refunded.status, isReplayed(charged), isReplayed(refunded)],
        [201, 201, false, false],
      );
    }
  });

  test('the same target in another spelling is the same', async () => {
    const { client } = await service.openShop();
    const paymentId = await client.createReserved(100);
    const first = await client.post(`/v1/payments/${paymentId}/charges`, { amount: 1 }, keyed('one'));
    const again = await client.post(`/V1/Payments/${paymentId.toUpperCase()}/charges/`, { amount: 1 }, keyed('one'));
    assert.deepEqual([again.status, again.text, isReplayed(again)], [201, first.text, true]);
    const created = await client.post('/v1/payments', aCreate(), keyed('one'));
    const recreated = await client.post('/v1/payments/', aCreate(), keyed('one'));
    assert.deepEqual([recreated.text, isReplayed(recreated)], [created.text, true]);
  });

  // decision: answers-that-are-kept
  test('the same merchant with another of its keys, or in another dialect since, gets the first answer', async () => {
    const { client, merchant } = await service.openShop();
    const paymentId = await client.createReserved(100);
    const path = `/v1/payments/${paymentId}/charges`;
    const first = await client.post(path, { amount: 1 }, keyed('one'));
    await updateMerchant(service.pool, merchant.id, { dialect: 'nexi' });
    const { secret } = await createKey(service.pool, merchant);
    const again = await service.client(secret).post(path, { amount: 1 }, keyed('one'));
    assert.deepEqual([again.text, isReplayed(again)], [first.text, true]);
  });

  // decision: idempotency-keys
  test('ignored on GET and PUT and in the sandbox, well-formed or not', async () => {
    const { client } = await service.openShop();
    const paymentId = await client.create(100);
    const base = `/v1/payments/${paymentId}`;
    for (const headers of [keyed('one'), keyed('not well formed')]) {
      const replies = [
        await client.get(base, headers),
        await client.put(`${base}/referenceinformation`, { reference: `r-${headers['idempotency-key']}` }, headers),
        await client.put(`${base}/myreference`, { myReference: 'm' }, headers),
        await client.put(`${base}/myreference`, { myReference: 'n' }, headers),
        await client.put(`${base}/orderitems`, { items: aCreate(100).order.items }, headers),
      ];
      assert.deepEqual(
        replies.map((reply) => [reply.status, isReplayed(reply)]),
        [200, 204, 204, 204, 204].map((status) => [status, false]),
      );
    }
    const { myReference, orderDetails } = await client.payment(paymentId);
    assert.deepEqual([myReference, orderDetails.reference], ['n', 'r-not well formed']);
    const reserve = `/v1/sandbox/payments/${paymentId}/reserve`;
    assert.equal((await client.post(reserve, {}, keyed('one'))).status, 201);
    assert.equal((await client.post(reserve, {}, keyed('one'))).status, 405);
  });
});

for (const operation of keyedOperations) {
  const { name, prepare, body, otherBody, status } = operation;
  describe(`Idempotency-Key on ${name} at two processes`, () => {
    test('what one has answered, the other answers again', async () => {
      const { client, secretKey } = await service.openShop();
      const { path, paymentId } = await prepare(client);
      const elsewhere = second.client(secretKey);
      const first = await client.post(path, body, keyed('one'));
      const effects = await readEffects(client, paymentId);
      const again = await elsewhere.post(path, body, keyed('one'));
      assert.deepEqual([again.status, again.text, isReplayed(again)], [status, first.text, true]);
      assert.equal((await elsewhere.post(path, otherBody, keyed('one'))).status, 422);
      assert.deepEqual(await readEffects(elsewhere, paymentId), effects);
    });

    test('asked at once, one does it and all give its answer', async () => {
      const { client, secretKey } = await service.openShop();
      const { path, paymentId } = await prepare(client);
      const clients = Array.from({ length: 10 }, (_, index) => (index % 2 === 0 ? client : second.client(secretKey)));
      const replies = await Promise.all(clients.map((each) => each.post(path, body, keyed('one'))));
      assert.deepEqual(new Set(replies.map((reply) => reply.status)), new Set([status]));
      assert.equal(new Set(replies.map(({ text }) => text)).size, 1);
      assert.equal(replies.filter((reply) => !isReplayed(reply)).length, 1);
      await expectDoneOnce(client, operation, paymentId);
    });
  });
}

// decision: answers-that-are-kept
test('the answer survives a restart, and a kill', async (t) => {
  const { client, secretKey } = await service.openShop();
  const prepared = await Promise.all(
    keyedOperations.map(async (each) => ({ ...each, ...(await each.prepare(client)) })),
  );
  const third = await spawnService({ databaseUrl: service.databaseUrl });
  t.after(() => third.kill());
  const firsts: string[] = [];
  for (const { path, body } of prepared)
    firsts.push((await third.client(secretKey).post(path, body, keyed('lasting'))).text);
  await third.kill();
  for (const _ of ['after the kill', 'after the stop']) {
    const next = await startService({ databaseUrl: service.databaseUrl });
    t.after(() => next.stop());
    for (const [index, { path, body, status }] of prepared.entries()) {
      const again = await next.client(secretKey).post(path, body, keyed('lasting'));
      assert.deepEqual([again.status, again.text, isReplayed(again)], [status, firsts[index], true]);
    }
    await next.stop();
  }
});

// decision: answers-that-are-kept
test('an answer is kept for seven days at least, and not for ever', async () => {
  const { client, merchant } = await service.openShop();
  const first = await client.post('/v1/payments', aCreate(), keyed('old'));
  const age = (days: number) =>
    service.pool.query(`update idempotency_records set created_at = now() - make_interval(days => ${days})
      where merchant_id = ${merchant.id} and key = 'old'`);
  await age(7);
  await purgeAnswers(service.pool);
  assert.equal((await client.post('/v1/payments', aCreate(), keyed('old'))).text, first.text);
  await age(30);
  await purgeAnswers(service.pool);
  const anew = await client.post('/v1/payments', aCreate(), keyed('old'));
  assert.deepEqual([anew.status, isReplayed(anew)], [201, false]);
  assert.notEqual(anew.body.paymentId, first.body.paymentId);
});
