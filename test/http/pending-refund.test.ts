// Goal: a refund of the card that is made for it stays pending until it is settled or cancelled by a call, each told once
// and with exact sums. Method: real requests in both dialects; the check of the books is the judge.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { countPending } from '../../src/store/payments/pending.ts';
import { listLongPending } from '../../src/store/books/reconciliation.ts';
import { verifyBooks } from '../../src/store/books/verify.ts';
import { DIALECTS, expectFailure, expectNoBody, summaryIn } from '../support/answers.ts';
import type { Client } from '../support/client.ts';
import { readEventNames } from '../support/events.ts';
import { startService } from '../support/service.ts';
import type { Service, Shop } from '../support/service.ts';

const CARD = '4000000000007726';
const NOT_OPEN = { status: 405, code: '1000', message: /does not wait to be settled/ };

let service: Service;
before(async () => {
  service = await startService();
});
after(() => service.stop());

const settleOf = (refundId: string): string => `/v1/sandbox/refunds/${refundId}/settle`;
const cancelOf = (refundId: string): string => `/v1/pending-refunds/${refundId}/cancel`;
const stateOf = async (client: Client, refundId: string): Promise<string> =>
  (await client.must(200, 'GET', `/v1/refunds/${refundId}`)).state;

type Refunded = { readonly paymentId: string; readonly chargeId: string; readonly refundId: string };

async function refund(client: Client): Promise<Refunded> {
  const paymentId = await client.createReserved(1_000, CARD);
  const chargeId = await client.charge(paymentId, 600);
  const { refundId } = await client.must(201, 'POST', `/v1/charges/${chargeId}/refunds`, { amount: 400 });
  return { paymentId, chargeId, refundId };
}

for (const dialect of DIALECTS)
  describe(`a refund that stays pending, in the dialect ${dialect}`, () => {
    let shop: Shop;
    before(async () => {
      shop = await service.openShop({ dialect });
    });

    const eventsOf = async (paymentId: string): Promise<string[]> =>
      (await readEventNames(service.pool, paymentId)).filter((name) => name.startsWith('payment.refund.'));

    // decision: pending-refunds-on-demand
    test('its amount is set aside, it is told as initiated alone, and a key gives the same answer', async () => {
      const { client } = shop;
      const { paymentId, chargeId, refundId } = await refund(client);
      assert.equal(await stateOf(client, refundId), 'Pending');
      const { summary } = await client.payment(paymentId);
      assert.deepEqual(summary, summaryIn(dialect, { reserved: 1_000, charged: 600 }));
      assert.deepEqual(await eventsOf(paymentId), ['payment.refund.initiated']);
      const tooMuch = await client.post(`/v1/charges/${chargeId}/refunds`, { amount: 201 });
      assert.equal(tooMuch.status, dialect === 'spec' ? 400 : 402);
      const key = { 'idempotency-key': 'again' };
      const keyed = () => client.post(`/v1/charges/${chargeId}/refunds`, { amount: 100 }, key);
      const [first, again] = [await keyed(), await keyed()];
      assert.deepEqual([first.status, again.status], [201, 201]);
      assert.equal(again.body.refundId, first.body.refundId);
      assert.equal(await stateOf(client, first.body.refundId), 'Pending');
    });

    for (const [state, moved, event] of [
      ['Completed', 400, 'payment.refund.completed'],
      ['Failed', 0, 'payment.refund.failed'],
    ] as const)
      test(`settled as ${state}: 204, again 204, told once; otherwise it is 405 from then on`, async () => {
        const { client } = shop;
        const { paymentId, refundId } = await refund(client);
        for (let time = 0; time < 2; time += 1) expectNoBody(await client.post(settleOf(refundId), { state }), 204);
        assert.equal(await stateOf(client, refundId), state);
        const { summary } = await client.payment(paymentId);
        assert.deepEqual(summary, summaryIn(dialect, { reserved: 1_000, charged: 600, refunded: moved }));
        assert.equal((await eventsOf(paymentId)).filter((name) => name === event).length, 1);
        const other = state === 'Completed' ? 'Failed' : 'Completed';
        expectFailure(await client.post(settleOf(refundId), { state: other }), NOT_OPEN);
        assert.equal((await client.post(cancelOf(refundId))).status, 405);
      });

    // decision: pending-refunds-on-demand
    test('cancelled: 204, again 204; it is Cancelled, told as failed, and its amount can be refunded and settled again', async () => {
      const { client } = shop;
      const { paymentId, chargeId, refundId } = await refund(client);
      for (let time = 0; time < 2; time += 1) expectNoBody(await client.post(cancelOf(refundId)), 204);
      assert.equal(await stateOf(client, refundId), 'Cancelled');
      assert.equal((await eventsOf(paymentId)).filter((name) => name === 'payment.refund.failed').length, 1);
      expectFailure(await client.post(settleOf(refundId)), NOT_OPEN);
      const { refundId: next } = await client.must(201, 'POST', `/v1/charges/${chargeId}/refunds`, { amount: 600 });
      expectNoBody(await client.post(settleOf(next)), 204);
      const { summary } = await client.payment(paymentId);
      assert.deepEqual(summary, summaryIn(dialect, { reserved: 1_000, charged: 600, refunded: 600 }));
    });

    test('what does not wait is 405: a refund of another card; another merchant’s and no refund are 404', async () => {
      const { client } = shop;
      const paymentId = await client.createReserved(1_000);
      const chargeId = await client.charge(paymentId, 600);
      const { refundId } = await client.must(201, 'POST', `/v1/charges/${chargeId}/refunds`, { amount: 400 });
      expectFailure(await client.post(settleOf(refundId), { state: 'Failed' }), NOT_OPEN);
      const open = await refund(client);
      const other = await service.openShop({ dialect });
      expectNoBody(await other.client.post(settleOf(open.refundId)), 404);
      expectNoBody(await client.post(settleOf(open.chargeId)), 404);
      const live = await service.openShop({ dialect, live: true });
      expectNoBody(await live.client.post(settleOf(open.refundId)), 404);
      assert.equal((await client.post(settleOf(open.refundId), { state: 'Done' })).status, 400);
    });
  });

// decision: pending-refunds-on-demand
test('the books balance, and nobody is told that an acquirer does not answer', async () => {
  assert.deepEqual((await verifyBooks(service.pool)).differences, []);
  assert.deepEqual(await listLongPending(service.pool, -60), []);
  assert.deepEqual(await countPending(service.pool), []);
});
