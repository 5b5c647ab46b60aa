// Goal: POST /v1/pending-refunds/{refundId}/cancel cancels a refund whose outcome is not known, for good, or says why it
// cannot; its amount can be refunded again, and it is told. Method: real requests in both dialects against a bank that
// acts late, loses what it says or does not answer; the bank's book and the check of ours are the judges.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { partOf } from '../../src/domain/id.ts';
import { putAcquirer } from '../../src/store/merchants/acquirers.ts';
import { verifyBooks } from '../../src/store/books/verify.ts';
import { DIALECTS, expectErrors, expectFailure, expectNoBody, summaryIn } from '../support/answers.ts';
import { startBank } from '../support/bank.ts';
import type { RunningBank } from '../support/bank.ts';
import type { Client } from '../support/client.ts';
import { signIn } from '../support/console.ts';
import { readEventNames } from '../support/events.ts';
import { until } from '../support/kassa.ts';
import { startService } from '../support/service.ts';
import type { Service, Shop } from '../support/service.ts';

let service: Service;
let bank: RunningBank;
before(async () => {
  [service, bank] = await Promise.all([startService({ env: { KASSA_ACQUIRER_TIMEOUT: '2s' } }), startBank()]);
  await putAcquirer(service.pool, { name: 'bank', url: bank.url, key: bank.key });
});
after(async () => {
  await service.stop();
  await bank.stop();
});

const cancelOf = (refundId: string): string => `/v1/pending-refunds/${refundId}/cancel`;
const stateOf = async (client: Client, refundId: string): Promise<string> =>
  (await client.must(200, 'GET', `/v1/refunds/${refundId}`)).state;

/** From now on nobody asks about what is pending, until it is set to be due. */
const setDue = (when: 'infinity' | 'now', paymentId: string) =>
  service.pool.query(
    `update movements set next_try_at = $1::text::timestamptz
     where part = $2 and payment_id = $3 and state = 'pending'`,
    [when, partOf(paymentId), paymentId],
  );

const chargeOf = async (client: Client): Promise<{ paymentId: string; chargeId: string }> => {
  const paymentId = await client.createReserved(1_000);
  return { paymentId, chargeId: await client.charge(paymentId, 600) };
};

/** Far beyond any test: the bank takes it, and has not acted when the test is over. */
const NEVER_MS = 600_000;

for (const dialect of DIALECTS)
  describe(`cancel of a pending refund in the dialect ${dialect}`, () => {
    let shop: Shop;
    before(async () => {
      shop = await service.openShop({ dialect, acquirer: 'bank' });
    });

    // decision: cancelling-a-pending-refund
    test('204, again 204: it is Cancelled and told, and its amount can be refunded again', async (t) => {
      const { client } = shop;
      const { paymentId, chargeId } = await chargeOf(client);
      t.after(() => bank.setFaults({}));
      await bank.setFaults({ actsLateMs: NEVER_MS });
      const refundId = await client.refund(chargeId, 500);
      assert.equal(await stateOf(client, refundId), 'Pending');
      expectNoBody(await client.post(cancelOf(refundId)), 204);
      expectNoBody(await client.post(cancelOf(refundId), {}), 204);
      expectNoBody(await client.post(cancelOf(refundId), '', { 'content-type': 'application/json' }), 204);
      assert.equal(await stateOf(client, refundId), 'Cancelled');
      const payment = await client.payment(paymentId);
      assert.equal(payment.refunds[0].state, 'Cancelled');
      assert.deepEqual(payment.summary, summaryIn(dialect, { reserved: 1_000, charged: 600 }));
      await bank.setFaults({});
      const again = await client.refund(chargeId, 600);
      assert.equal(await stateOf(client, again), 'Completed');
      assert.deepEqual((await readEventNames(service.pool, paymentId)).slice(-4), [
        'payment.refund.initiated',
        'payment.refund.failed',
        'payment.refund.initiated',
        'payment.refund.completed',
      ]);
      const { events } = await client.must(200, 'GET', `/v1/events?paymentId=${paymentId}&type=payment.refund.failed`);
      assert.deepEqual(events[0].data.error, {
        code: '1012',
        message: 'The refund was cancelled.',
        source: 'internal',
      });
      assert.deepEqual(
        (await bank.book()).filter(({ id }) => id === refundId),
        [],
      );
      assert.deepEqual((await verifyBooks(service.pool)).differences, []);
    });

    // decision: cancelling-a-pending-refund
    test('404 without a body: nobody’s, another merchant’s, malformed; a charge is no refund', async (t) => {
      const other = await service.openShop({ dialect });
      const { chargeId } = await chargeOf(shop.client);
      t.after(() => bank.setFaults({}));
      await bank.setFaults({ actsLateMs: NEVER_MS });
      const refundId = await shop.client.refund(chargeId, 500);
      for (const id of ['0190a1b2c3d47abc8def0123456789ab', 'nonsense', chargeId])
        expectNoBody(await shop.client.post(cancelOf(id)), 404);
      expectNoBody(await other.client.post(cancelOf(refundId)), 404);
      expectNoBody(await service.client().post(cancelOf(refundId)), 401);
      expectErrors(await shop.client.post(cancelOf('a'.repeat(129))), { refundId: [/at most 128 characters/] });
      assert.equal(await stateOf(shop.client, refundId), 'Pending');
    });

    // decision: cancelling-a-pending-refund
    test('405: completed (1023), failed (1014); a wrong method', async () => {
      const { client } = await service.openShop({ dialect });
      const refundId = await client.refund((await chargeOf(client)).chargeId, 500);
      const completed = 'The refund is completed, so it cannot be cancelled any more.';
      expectFailure(await client.post(cancelOf(refundId)), { status: 405, code: '1023', message: completed });
      const paymentId = await client.createReserved(1_000, '4000000000005126');
      const chargeId = await client.charge(paymentId, 600);
      assert.ok([400, 402].includes((await client.post(`/v1/charges/${chargeId}/refunds`, { amount: 1 })).status));
      const failed = (await client.payment(paymentId)).refunds[0].refundId;
      const message = 'The refund has failed, so there is nothing to cancel.';
      expectFailure(await client.post(cancelOf(failed)), { status: 405, code: '1014', message });
      assert.equal(await stateOf(client, failed), 'Failed');
      assert.equal((await client.get(cancelOf(refundId))).headers.get('allow'), 'POST');
    });

    // decision: cancelling-a-pending-refund
    test('405 (1025): the bank had done it already; it is Completed then', async (t) => {
      const { client } = shop;
      const { paymentId, chargeId } = await chargeOf(client);
      t.after(() => bank.setFaults({}));
      const lines = (await bank.book()).length;
      await bank.setFaults({ hangAfter: 1 });
      const refunding = client.refund(chargeId, 500);
      await until('the bank to act', async () => (await bank.book()).length > lines);
      await bank.setFaults({ hang: 1 });
      await setDue('infinity', paymentId);
      const refundId = await refunding;
      await bank.setFaults({});
      const message = 'It is too late to cancel the refund: the acquirer has carried it out meanwhile.';
      expectFailure(await client.post(cancelOf(refundId)), { status: 405, code: '1025', message });
      assert.equal(await stateOf(client, refundId), 'Completed');
      assert.equal((await client.post(cancelOf(refundId))).body.code, '1023');
      assert.deepEqual((await verifyBooks(service.pool)).differences, []);
    });

    // It says nothing that a dialect words, and waits for the bank to be given up.
    if (dialect === 'spec')
      test('who asks again while the bank has not promised it has it asked again', async (t) => {
        const { client } = shop;
        const { paymentId, chargeId } = await chargeOf(client);
        t.after(() => bank.setFaults({}));
        await bank.setFaults({ actsLateMs: NEVER_MS });
        const refundId = await client.refund(chargeId, 500);
        await setDue('infinity', paymentId);
        await bank.setFaults({ hang: 1 });
        assert.equal((await client.post(cancelOf(refundId))).status, 500);
        await bank.setFaults({});
        expectNoBody(await client.post(cancelOf(refundId)), 204);
        assert.equal(await stateOf(client, refundId), 'Cancelled');
        assert.deepEqual((await verifyBooks(service.pool)).differences, []);
      });

    // decision: cancelling-a-pending-refund
    test('500 while the bank does not answer; the wish stays, and is carried out', async (t) => {
      const { client } = shop;
      const { paymentId, chargeId } = await chargeOf(client);
      t.after(() => bank.setFaults({}));
      await bank.setFaults({ actsLateMs: NEVER_MS });
      const refundId = await client.refund(chargeId, 500);
      await setDue('infinity', paymentId);
      await bank.setFaults({ hang: 1 });
      const message = /^The outcome of the refund is being determined: /;
      expectFailure(await client.post(cancelOf(refundId)), { status: 500, code: '1000', message });
      assert.equal(await stateOf(client, refundId), 'Pending');
      const viewer = await signIn(service, shop.merchant.id, 'viewer');
      const page = `/console/${shop.merchant.id}/payments/${paymentId}`;
      const readStory = async () => (await (await viewer.ask(page)).text()).replaceAll(/<[^>]*>|\s+/g, ' ');
      assert.match(await readStory(), /its cancel is asked for, by key …/);
      await bank.setFaults({});
      await setDue('now', paymentId);
      await until('it to be cancelled', async () => (await stateOf(client, refundId)) === 'Cancelled');
      expectNoBody(await client.post(cancelOf(refundId)), 204);
      assert.match(await readStory(), /Refund cancelled 5\.00 SEK .*by key ….* cancelled by key …/);
      assert.deepEqual((await verifyBooks(service.pool)).differences, []);
    });
  });

test('from the console: a refund that is under way is offered to be cancelled, and is', async (t) => {
  const { merchant, client } = await service.openShop({ acquirer: 'bank' });
  const { paymentId, chargeId } = await chargeOf(client);
  t.after(() => bank.setFaults({}));
  await bank.setFaults({ actsLateMs: NEVER_MS });
  const refundId = await client.refund(chargeId, 500);
  const operator = await signIn(service, merchant.id, 'operator');
  const page = `/console/${merchant.id}/payments/${paymentId}`;
  const path = `${page}/refunds/${refundId}/cancel`;
  assert.ok((await (await operator.ask(page)).text()).includes(`href="${path}"`));
  assert.match(await (await operator.ask(path)).text(), /The refund of 5\.00 SEK is under way\./);
  const form = { 'content-type': 'application/x-www-form-urlencoded' };
  for (let times = 0; times < 2; times += 1) {
    const answer = await operator.ask(path, { method: 'POST', body: '', more: form });
    assert.deepEqual([answer.status, answer.headers.get('location')], [303, page]);
  }
  assert.equal(await stateOf(client, refundId), 'Cancelled');
  const shown = await (await operator.ask(page)).text();
  assert.match(shown, /Refund cancelled 5\.00 SEK/);
  assert.ok(shown.includes(`cancelled by ${operator.email}`), 'the timeline names who cancelled it');
  assert.ok(!shown.includes(path), 'and no longer offered');
});
