// Goal: a charge takes what is reserved and left, never more, never without a reservation or after its time. Method: one
// test for each refusal in its order, and one for what a charge leaves behind.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import {
  aPayment,
  anOrderItem,
  AT,
  cancelled,
  changeOf,
  charged,
  decideCharge,
  DECLINED,
  idOf,
  refusalOf,
  reserved,
  reserving,
  RULES,
  settled,
  STRICT,
} from '../../test/support/domain-payment.ts';
import { invoiceNumberOf } from './invoice.ts';
import { terminate } from './terminate.ts';

const { lifetimes } = RULES;

describe('charge', () => {
  test('sets the amount aside until the outcome is known', () => {
    const { payment, moved, events } = changeOf(decideCharge(reserved(1_000), 400));
    assert.deepEqual([payment.totals.charging, payment.totals.charged], [400, 0]);
    const [movement] = moved;
    assert.partialDeepStrictEqual(movement, { kind: 'charge', state: 'pending', sequence: 2, amount: 400, items: [] });
    assert.equal(movement?.invoiceNumber, invoiceNumberOf(idOf(2)));
    assert.deepEqual(events, []);
  });

  test('of the whole order, without items, is for the order’s items; of a part, for none; with items, for those', () => {
    const items = [anOrderItem(400)];
    assert.equal(changeOf(decideCharge(reserved(1_000), 1_000)).moved[0]?.items, null);
    assert.deepEqual(changeOf(decideCharge(reserved(1_000), 999)).moved[0]?.items, []);
    assert.deepEqual(changeOf(decideCharge(reserved(1_000), 400, items)).moved[0]?.items, items);
  });

  test('is refused when nothing was ever reserved, and says how the payment ended', () => {
    const payment = aPayment();
    assert.equal(refusalOf(decideCharge(payment, 1)), 'payment_was_never_reserved');
    assert.equal(refusalOf(decideCharge(settled(reserving(payment), DECLINED), 1)), 'payment_was_never_reserved');
    assert.equal(refusalOf(decideCharge(reserving(payment), 1)), 'reservation_is_pending');
    const terminated = terminate(payment, AT)?.change?.payment ?? payment;
    assert.equal(refusalOf(decideCharge(terminated, 1)), 'payment_is_terminated');
    const late = AT + lifetimes.paymentMs;
    assert.equal(refusalOf(decideCharge(payment, 1, [], RULES, late)), 'payment_has_expired');
  });

  test('is refused beyond what is neither charged nor cancelled, nor about to be', () => {
    const payment = cancelled(charged(reserved(1_000), 300), 200);
    const pending = changeOf(decideCharge(payment, 100)).payment;
    assert.deepEqual(decideCharge(pending, 401).refusal, {
      name: 'charge_exceeds_what_is_left',
      amount: 401,
      left: 400,
    });
    assert.equal(refusalOf(decideCharge(pending, 400)), undefined);
    assert.equal(refusalOf(decideCharge(charged(reserved(1), 1), 1)), 'charge_exceeds_what_is_left');
  });

  test('is possible until the last millisecond of the reservation, and refused from then on', () => {
    const end = AT + lifetimes.reservationMs;
    assert.equal(refusalOf(decideCharge(reserved(1_000), 1, [], RULES, end - 1)), undefined);
    assert.deepEqual(decideCharge(reserved(1_000), 1, [], RULES, end).refusal, {
      name: 'reservation_has_expired',
      at: end,
    });
  });

  test('names only items that are left, for a strict merchant alone', () => {
    const line = (gross: number) => [anOrderItem(gross, { quantity: 0.6 })];
    const payment = charged(reserved(1_000), 600, line(600));
    assert.equal(refusalOf(decideCharge(payment, 400, line(400), RULES)), undefined);
    assert.equal(refusalOf(decideCharge(payment, 400, line(400), STRICT)), 'item_is_not_left');
    assert.equal(refusalOf(decideCharge(payment, 400, [], STRICT)), undefined);
  });

  test('that was declined frees its amount and its items again', () => {
    const payment = reserved(1_000);
    const declined = settled(changeOf(decideCharge(payment, 1_000, payment.order.items)).payment, DECLINED);
    assert.deepEqual(declined.totals, payment.totals);
    assert.equal(refusalOf(decideCharge(declined, 1_000, payment.order.items, STRICT)), undefined);
  });
});
