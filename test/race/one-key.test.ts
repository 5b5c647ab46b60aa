// Goal: an idempotency key that is used many times at once, in two processes, has one effect and one answer. Method: the
// five operations that take a key, each 50 times at once with one key, and with bodies of two kinds.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { verifyBooks } from '../../src/store/books/verify.ts';
import { aCreate } from '../support/client.ts';
import type { Client } from '../support/client.ts';
import { depth } from '../support/depth.ts';
import { expectDoneOnce, isReplayed, keyed, keyedOperations } from '../support/keyed-operations.ts';
import { spawnService, startService } from '../support/service.ts';
import { countOutcomes, sendAtOnce, startTwoServices } from '../support/two-services.ts';
import type { TwoServices } from '../support/two-services.ts';

const TIMES = 50;

describe('one key', () => {
  let services: TwoServices;
  before(async () => {
    services = await startTwoServices({}, depth({ daily: startService, release: spawnService }));
  });
  after(() => services.stop());

  for (const operation of keyedOperations)
    // decision: repeating-an-idempotency-key
    test(`${operation.name}: 50 at once with one key have one effect, and 49 are told the first one's answer`, async () => {
      const clients = await services.openShop();
      const { path, paymentId } = await operation.prepare(clients[0]);
      const send = (client: Client) => client.post(path, operation.body, keyed('the-key'));
      const replies = await sendAtOnce(clients, TIMES, send);
      assert.deepEqual(countOutcomes(replies), { [operation.status]: TIMES });
      assert.equal(new Set(replies.map(({ text }) => text)).size, 1);
      assert.equal(replies.filter(isReplayed).length, TIMES - 1);
      await expectDoneOnce(clients[1], operation, paymentId);
    });

  for (const operation of keyedOperations)
    test(`${operation.name}: two bodies at once with one key: one is done, the other is 422, each every time`, async () => {
      const clients = await services.openShop();
      const { path } = await operation.prepare(clients[0]);
      const send = (client: Client, n: number) =>
        client.post(path, n % 4 < 2 ? operation.body : operation.otherBody, keyed('the-key'));
      const replies = await sendAtOnce(clients, 20, send);
      const { codeOfOtherBody, status } = operation;
      assert.deepEqual(countOutcomes(replies), { [status]: 10, [`422 ${codeOfOtherBody}`]: 10 });
      const done = new Set(replies.map((reply, n) => (reply.status === status ? n % 4 < 2 : undefined)));
      done.delete(undefined);
      assert.equal(done.size, 1, 'one of the two bodies');
    });

  test('a refused charge: 50 at once with one key get the one refusal, though the payment changes meanwhile', async () => {
    const clients = await services.openShop();
    const paymentId = await clients[0].create(1_000);
    const path = `/v1/payments/${paymentId}/charges`;
    const [replies] = await Promise.all([
      sendAtOnce(clients, TIMES, (client) => client.post(path, { amount: 1_000 }, keyed('the-key'))),
      clients[1].post(`/v1/sandbox/payments/${paymentId}/reserve`, {}),
    ]);
    assert.equal(new Set(replies.map(({ status, text }) => `${status}${text}`)).size, 1);
    assert.equal(replies.filter(isReplayed).length, TIMES - 1);
    const charged = replies[0]?.status === 201 ? 1_000 : 0;
    assert.equal((await clients[0].payment(paymentId)).summary.chargedAmount, charged);
  });

  // decision: scope-of-an-idempotency-key
  test('many keys at once, each twice and in another order in each process, make one payment each', async () => {
    const clients = await services.openShop();
    const keys = Array.from({ length: 100 }, (_, n) => `key-${n}`);
    const create = (client: Client, key: string) => client.post('/v1/payments', aCreate(1_000), keyed(key));
    const [first, second] = await Promise.all([
      Promise.all(keys.map((key) => create(clients[0], key))),
      Promise.all(keys.toReversed().map((key) => create(clients[1], key))),
    ]);
    const idsOf = (replies: typeof first): string[] => replies.map(({ body }) => body.paymentId);
    assert.deepEqual(idsOf(first), idsOf(second).toReversed());
    assert.equal(new Set(idsOf(first)).size, keys.length);
    assert.equal([...first, ...second].filter(isReplayed).length, keys.length);
  });

  test('the books balance after all of it, and there was no deadlock', async () => {
    const { pool } = services.first;
    assert.deepEqual((await verifyBooks(pool)).differences, []);
    const rows = await pool.query('select deadlocks from pg_stat_database where datname = current_database()');
    assert.deepEqual(rows, [{ deadlocks: 0 }]);
  });
});
