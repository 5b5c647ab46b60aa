// Goal: while the outcome of a movement is not known, its amount is set aside: not in the summary, and not to be had a
// second time; while it is a reservation, cart and terminate wait. Method: the acquirer of the tests answers at once,
// so a finished movement is turned back into a pending one in the rows, as the store would have left it.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { partOf, timeOf } from '../../src/domain/id.ts';
import { DIALECTS, expectErrors, expectFailure, summaryIn } from '../support/answers.ts';
import { anItem } from '../support/client.ts';
import { shareService } from '../support/service.ts';
import type { SharedService, Shop } from '../support/service.ts';

let service: SharedService;
before(async () => {
  service = shareService();
});
after(() => service.close());

/** Makes the latest movement of the payment pending again. */
async function makePending(paymentId: string, totals: string): Promise<void> {
  const values = [partOf(paymentId), paymentId];
  await service.pool.query(
    `update movements set state = 'pending' where part = $1 and payment_id = $2
     and sequence = (select max(sequence) from movements where part = $1 and payment_id = $2)`,
    values,
  );
  await service.pool.query(`update payments set ${totals} where part = $1 and id = $2`, values);
}

for (const dialect of DIALECTS) {
  describe(`pending movements in the dialect ${dialect}`, () => {
    /** A read of the payment and the list tell what is pending in `spec`, and nothing of it in `nexi`. */
    async function expectPending(paymentId: string, expected?: { kind: string; id: string; amount: number }) {
      const payment = await shop.client.payment(paymentId);
      const { payments } = (await shop.client.get('/v1/payments?limit=1')).body;
      assert.deepEqual(payments[0], payment);
      if (dialect === 'nexi' || !expected) return assert.equal('pending' in payment, false);
      const [{ created, ...shown }, ...others] = payment.pending;
      assert.deepEqual([shown, others], [expected, []]);
      return assert.ok(Math.abs(Date.parse(created) - timeOf(expected.id)) < 1, created);
    }

    async function latestMovementOf(paymentId: string): Promise<string> {
      const [row] = await service.pool.query<{ id: string }>(
        'select id from movements where part = $1 and payment_id = $2 order by sequence desc limit 1',
        [partOf(paymentId), paymentId],
      );
      return (row?.id ?? '').replaceAll('-', '');
    }

    let shop: Shop;
    before(async () => {
      shop = await service.openShop({ dialect });
    });

    // decision: two-reservations, payments-under-way
    test('a pending reservation: cart, reserve 405 (1004), terminate 409 (1000), charge 402 and cancel 405 (1003)', async () => {
      const { client } = shop;
      const paymentId = await client.createReserved(100);
      await makePending(paymentId, 'reserved = 0');
      const base = `/v1/payments/${paymentId}`;
      const message = 'The reservation of the payment is under way; its outcome is not known yet.';
      const waits = { status: 405, code: '1004', message };
      expectFailure(await client.put(`${base}/orderitems`, { items: [anItem()] }), waits);
      expectFailure(await client.put(`${base}/terminate`), { status: 409, code: '1000', message });
      expectFailure(await client.post(`/v1/sandbox/payments/${paymentId}/reserve`), waits);
      expectFailure(await client.post(`${base}/charges`, { amount: 1 }), { status: 402, code: '1003', message });
      expectFailure(await client.post(`${base}/cancels`, { amount: 1 }), { status: 405, code: '1003', message });
      assert.deepEqual((await client.payment(paymentId)).summary, summaryIn(dialect, {}));
      await expectPending(paymentId, { kind: 'reservation', id: await latestMovementOf(paymentId), amount: 100 });
      await client.must(204, 'PUT', `${base}/referenceinformation`, { reference: 'meanwhile' });
    });

    test('reserveOnDemand does not reserve beside a pending reservation', async () => {
      const { client } = await service.openShop({ dialect, reserveOnDemand: true });
      const paymentId = await client.createReserved(100);
      await makePending(paymentId, 'reserved = 0');
      const reply = await client.post(`/v1/payments/${paymentId}/charges`, { amount: 1 });
      expectFailure(reply, { status: 402, code: '1003', message: /^The reservation of the payment is under way/ });
    });

    // decision: limits-on-totals, payments-under-way
    test('a pending charge is not charged yet, and not to be charged or cancelled again', async () => {
      const { client } = shop;
      const paymentId = await client.createReserved(100);
      await expectPending(paymentId);
      const chargeId = await client.charge(paymentId, 60);
      await expectPending(paymentId);
      await makePending(paymentId, 'charged = 0, charging = 60');
      await expectPending(paymentId, { kind: 'charge', id: chargeId, amount: 60 });
      const base = `/v1/payments/${paymentId}`;
      const payment = await client.payment(paymentId);
      assert.deepEqual(payment.summary, summaryIn(dialect, { reserved: 100 }));
      assert.deepEqual(payment.charges ?? [], []);
      const message = 'The charge of 41 is more than the 40 left to charge.';
      expectFailure(await client.post(`${base}/charges`, { amount: 41 }), { status: 402, code: '1001', message });
      const text = 'the cancel of 41 is more than the 40 left to cancel';
      expectErrors(await client.post(`${base}/cancels`, { amount: 41 }), { amount: [text] });
      await client.charge(paymentId, 40);
      const { summary } = await client.payment(paymentId);
      assert.deepEqual(summary, summaryIn(dialect, { reserved: 100, charged: 40 }));
    });

    // decision: limits-on-totals, payments-under-way
    test('a pending cancel is not cancelled yet, and not to be charged or cancelled again', async () => {
      const { client } = shop;
      const paymentId = await client.createReserved(100);
      await client.cancel(paymentId, 100);
      await makePending(paymentId, 'cancelled = 0, cancelling = 100');
      await expectPending(paymentId, { kind: 'cancel', id: await latestMovementOf(paymentId), amount: 100 });
      const base = `/v1/payments/${paymentId}`;
      assert.deepEqual((await client.payment(paymentId)).summary, summaryIn(dialect, { reserved: 100 }));
      const message = 'The charge of 1 is more than the 0 left to charge.';
      expectFailure(await client.post(`${base}/charges`, { amount: 1 }), { status: 402, code: '1001', message });
      assert.equal((await client.post(`${base}/cancels`, { amount: 1 })).status, 405);
    });

    // decision: limits-on-totals, charges-and-refunds-in-nexi
    test('a pending refund is shown as Pending, and its amount is not to be refunded again', async () => {
      const { client } = shop;
      const paymentId = await client.createReserved(100);
      const chargeId = await client.charge(paymentId, 100);
      const refundId = await client.refund(chargeId, 70);
      await makePending(paymentId, 'refunded = 0, refunding = 70');
      await service.pool.query('update movements set refunded = 0, refunding = 70 where part = $1 and id = $2', [
        partOf(chargeId),
        chargeId,
      ]);
      const payment = await client.payment(paymentId);
      assert.deepEqual(payment.summary, summaryIn(dialect, { reserved: 100, charged: 100 }));
      assert.deepEqual([payment.refunds[0].refundId, payment.refunds[0].state], [refundId, 'Pending']);
      await expectPending(paymentId);
      const reply = await client.post(`/v1/charges/${chargeId}/refunds`, { amount: 31 });
      assert.match(reply.text, /he refund of 31 is more than the 30 left of the charge/);
      const text = `no charge has 31 left: charge ${chargeId} has 30 left`;
      expectErrors(await client.post(`/v1/payments/${paymentId}/refunds`, { amount: 31 }), { amount: [text] });
      await client.refund(chargeId, 30);
    });
  });
}
