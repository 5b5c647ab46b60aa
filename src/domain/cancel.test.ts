// Goal: a cancel gives back what is reserved and neither charged nor cancelled, and says why when nothing is. Method:
// one test for each refusal in its order, and one for what a cancel leaves behind.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import {
  aPayment,
  AT,
  anOrderItem,
  cancelled,
  changeOf,
  charged,
  decideCancel,
  DECLINED,
  refusalOf,
  reserved,
  reserving,
  RULES,
  settled,
  STRICT,
} from '../../test/support/domain-payment.ts';

describe('cancel', () => {
  test('sets the amount aside until the outcome is known, and leaves the reserved amount as it was', () => {
    const { payment, moved } = changeOf(decideCancel(reserved(1_000), 400));
    assert.deepEqual([payment.totals.cancelling, payment.totals.cancelled], [400, 0]);
    assert.partialDeepStrictEqual(moved[0], { kind: 'cancel', state: 'pending', sequence: 2, amount: 400 });
    const done = settled(payment);
    assert.partialDeepStrictEqual(done.totals, { reserved: 1_000, cancelling: 0, cancelled: 400 });
    assert.deepEqual(settled(payment, DECLINED).totals, reserved(1_000).totals);
  });

  test('is refused when nothing was ever reserved', () => {
    assert.equal(refusalOf(decideCancel(aPayment(), 1)), 'payment_was_never_reserved');
    assert.equal(refusalOf(decideCancel(reserving(aPayment()), 1)), 'reservation_is_pending');
    const late = AT + RULES.lifetimes.paymentMs;
    assert.equal(refusalOf(decideCancel(aPayment(), 1, [], RULES, late)), 'payment_has_expired');
  });

  test('is refused beyond what is left, and when nothing is left says where it went', () => {
    const cases: readonly [payment: ReturnType<typeof reserved>, name: string][] = [
      [cancelled(reserved(1_000), 1_000), 'reservation_is_fully_cancelled'],
      [changeOf(decideCancel(reserved(1_000), 1_000)).payment, 'reservation_is_fully_cancelled'],
      [charged(reserved(1_000), 1_000), 'reservation_is_fully_charged'],
      [cancelled(charged(reserved(1_000), 1), 999), 'reservation_is_fully_charged'],
      [cancelled(charged(reserved(1_000), 300), 200), 'cancel_exceeds_what_is_left'],
    ];
    for (const [payment, name] of cases) assert.equal(refusalOf(decideCancel(payment, 501)), name);
    assert.equal(refusalOf(decideCancel(cancelled(charged(reserved(1_000), 300), 200), 500)), undefined);
  });

  // decision: cancel-of-an-expired-reservation
  test('is refused when the reservation has expired, unless nothing was left of it anyway', () => {
    const end = AT + RULES.lifetimes.reservationMs;
    assert.equal(refusalOf(decideCancel(reserved(1_000), 1, [], RULES, end - 1)), undefined);
    assert.equal(refusalOf(decideCancel(reserved(1_000), 1, [], RULES, end)), 'reservation_has_expired');
    const gone = charged(reserved(1_000), 1_000);
    assert.equal(refusalOf(decideCancel(gone, 1, [], RULES, end)), 'reservation_is_fully_charged');
  });

  test('shares the order’s items with the charges, for a strict merchant', () => {
    const payment = charged(reserved(1_000), 600, [anOrderItem(600, { quantity: 1 })]);
    assert.equal(
      refusalOf(decideCancel(payment, 400, [anOrderItem(400, { quantity: 1 })], STRICT)),
      'item_is_not_left',
    );
    assert.equal(refusalOf(decideCancel(payment, 400, [anOrderItem(400, { quantity: 0 })], STRICT)), undefined);
  });
});
