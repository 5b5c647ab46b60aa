// Goal: a change is let in on the payment that it was decided on, and on no other with the same version: a database that
// lost a commit and has made its version again has other sums, or lacks the movement that is settled. Method: rows made by
// hand, and the very commit.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { Payment } from '../../src/domain/payment.ts';
import { openStore } from '../../src/store/store.ts';
import type { Store } from '../../src/store/store.ts';
import { cloneDatabase } from '../support/database.ts';
import * as rows from '../support/rows.ts';

let store: Store;
before(async () => {
  const nothing = (): void => {};
  const observer = { onGroup: nothing, onConflicts: nothing, onRunAlone: nothing, onLookUp: nothing };
  store = await openStore(await cloneDatabase(), observer);
});
after(() => store.close());

/** A payment of the database with one movement. */
async function aPayment(): Promise<Payment> {
  const { id } = await rows.insertRow(store.pool, 'payments', rows.aPaymentRow());
  await rows.insertRow(store.pool, 'movements', rows.aReservationRow(id));
  const { payment } = await store.load({ merchantId: null, target: String(id).replaceAll('-', '') });
  assert.equal(payment?.movements.length, 1);
  return payment;
}

const settle = (payment: Payment): Promise<string> => {
  const [movement] = payment.movements;
  assert.ok(movement);
  return store.commit({ change: { payment, moved: [movement], events: [] }, before: payment });
};

test('a movement that is there is settled, on the version that it was decided on', async () => {
  const payment = await aPayment();
  assert.equal(await settle(payment), 'committed');
  assert.equal(await settle(payment), 'conflict', 'the version has gone on');
});

test('one that is not there is a conflict, though the version is the same', async () => {
  const payment = await aPayment();
  await store.pool.query('delete from movements where payment_id = $1', [payment.id]);
  assert.equal(await settle(payment), 'conflict');
  const [row] = await store.pool.query<{ version: number }>('select version from payments where id = $1', [payment.id]);
  assert.equal(row?.version, payment.version, 'nothing was changed');
});

for (const sum of ['reserved', 'charged', 'charging', 'cancelled', 'cancelling', 'refunded', 'refunding'] as const)
  test(`other sums than those that were decided on are a conflict, though the version is the same: ${sum}`, async () => {
    const payment = await aPayment();
    const { totals } = payment;
    const decidedOn = { ...payment, totals: { ...totals, [sum]: totals[sum] + 1 } };
    const change = { payment: { ...payment, myReference: 'later' }, moved: [], events: [] };
    assert.equal(await store.commit({ change, before: decidedOn }), 'conflict');
    const now = await store.load({ merchantId: null, target: payment.id });
    assert.deepEqual(now.payment, payment, 'nothing was changed');
    assert.equal(await store.commit({ change, before: payment }), 'committed');
  });

test('another amount than the one that was decided on is a conflict', async () => {
  const payment = await aPayment();
  const decidedOn = { ...payment, order: { ...payment.order, amount: payment.order.amount + 1 } };
  const change = { payment: { ...payment, myReference: 'later' }, moved: [], events: [] };
  assert.equal(await store.commit({ change, before: decidedOn }), 'conflict');
});
