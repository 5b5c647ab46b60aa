// Goal: a refund gives back a part of one charge, never more than it has left, whenever it comes. Method: one test for
// each refusal, one for the choice of a charge, one for what a refund leaves behind.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import {
  anOrderItem,
  changeOf,
  charged,
  chargeIdOf,
  decideCharge,
  decideRefund,
  DECLINED,
  idOf,
  refunded,
  refusalOf,
  reserved,
  RULES,
  settled,
  STRICT,
} from '../../test/support/domain-payment.ts';
import { chooseChargeToRefund, findCharge, refund } from './refund.ts';

describe('refund', () => {
  test('sets the amount aside on its charge and on the payment, and tells that it began', () => {
    const payment = charged(reserved(1_000), 600);
    const { payment: next, moved, events } = changeOf(decideRefund(payment, chargeIdOf(payment), 200));
    assert.deepEqual([next.totals.refunding, next.totals.refunded], [200, 0]);
    assert.deepEqual(
      moved.map(({ kind, refunding }) => [kind, refunding]),
      [
        ['charge', 200],
        ['refund', 0],
      ],
    );
    assert.deepEqual(
      events.map(({ name }) => name),
      ['payment.refund.initiated', 'payment.refund.initiated.v2'],
    );
    const done = settled(next);
    assert.deepEqual([done.totals.refunding, done.totals.refunded], [0, 200]);
    assert.partialDeepStrictEqual(findCharge(done, chargeIdOf(done)), { refunding: 0, refunded: 200 });
    const declined = settled(next, DECLINED);
    assert.deepEqual(declined.totals, payment.totals);
    assert.partialDeepStrictEqual(findCharge(declined, chargeIdOf(done)), { refunding: 0, refunded: 0 });
  });

  // decision: charge-of-a-refund
  test('is refused beyond what is left of its charge, whatever other charges have left', () => {
    const payment = refunded(
      charged(charged(reserved(1_000), 600), 400),
      chargeIdOf(charged(reserved(1_000), 600)),
      500,
    );
    assert.deepEqual(decideRefund(payment, chargeIdOf(payment), 101).refusal, {
      name: 'refund_exceeds_what_is_left',
      amount: 101,
      left: 100,
    });
    const pending = changeOf(decideRefund(payment, chargeIdOf(payment), 60)).payment;
    assert.equal(refusalOf(decideRefund(pending, chargeIdOf(payment), 41)), 'refund_exceeds_what_is_left');
    assert.equal(refusalOf(decideRefund(pending, chargeIdOf(payment), 40)), undefined);
  });

  test('is possible long after the reservation has expired', () => {
    const payment = charged(reserved(1_000), 600);
    const charge = findCharge(payment, chargeIdOf(payment));
    const late = Number.MAX_SAFE_INTEGER / 2;
    assert.ok(charge && changeOf(refund(payment, charge, { movementId: idOf(9), amount: 1, items: [] }, late, RULES)));
  });

  test('finds no charge that was declined or is still open', () => {
    const open = changeOf(decideCharge(reserved(1_000), 600)).payment;
    assert.equal(findCharge(open, idOf(2)), undefined);
    assert.equal(findCharge(settled(open, DECLINED), idOf(2)), undefined);
    assert.equal(findCharge(settled(open), idOf(1)), undefined);
    assert.equal(findCharge(settled(open), idOf(2))?.amount, 600);
  });

  test('that names only its payment takes the oldest charge that has it all left', () => {
    const payment = charged(charged(charged(reserved(1_000), 100), 300), 600);
    const partly = refunded(payment, chargeIdOf(payment, 1), 250);
    const choose = (amount: number) => {
      const chosen = chooseChargeToRefund(partly, amount);
      return 'refusal' in chosen ? chosen.refusal : chosen.amount;
    };
    assert.equal(choose(50), 100);
    assert.equal(choose(100), 100);
    assert.equal(choose(101), 600);
    assert.deepEqual(choose(601), {
      name: 'no_charge_has_that_much_left',
      amount: 601,
      charges: [
        { chargeId: chargeIdOf(payment, 0), left: 100 },
        { chargeId: chargeIdOf(payment, 1), left: 50 },
        { chargeId: chargeIdOf(payment, 2), left: 600 },
      ],
    });
  });

  test('of the whole charge, without items, is for the charge’s items', () => {
    const payment = charged(reserved(1_000), 600);
    assert.equal(changeOf(decideRefund(payment, chargeIdOf(payment), 600)).moved[1]?.items, null);
    assert.deepEqual(changeOf(decideRefund(payment, chargeIdOf(payment), 599)).moved[1]?.items, []);
  });

  test('names only items that are left of its charge, for a strict merchant alone', () => {
    const line = (reference: string, gross: number) => anOrderItem(gross, { reference, quantity: gross / 1_000 });
    const order = [line('a', 600), line('b', 400)];
    const payment = charged(reserved(1_000, order), 600, [line('a', 600)]);
    const chargeId = chargeIdOf(payment);
    assert.equal(refusalOf(decideRefund(payment, chargeId, 1, [line('b', 1)], STRICT)), 'item_is_not_left');
    assert.equal(refusalOf(decideRefund(payment, chargeId, 1, [line('b', 1)], RULES)), undefined);
    const partly = refunded(payment, chargeId, 400, [line('a', 400)]);
    assert.equal(refusalOf(decideRefund(partly, chargeId, 200, [line('a', 200)], STRICT)), undefined);
    assert.equal(
      refusalOf(decideRefund(partly, chargeId, 200, [line('a', 201), line('a', -1)], STRICT)),
      undefined,
      'lines of one reference are summed',
    );
    const tooMany = { ...line('a', 200), quantity: 0.3 };
    assert.equal(refusalOf(decideRefund(partly, chargeId, 200, [tooMany], STRICT)), 'item_is_not_left');
  });
});
