// Goal: whatever is decided in whatever order, with outcomes that come late, the totals are the sums of the movements
// and the invariants hold. Method: random commands and outcomes, everything recomputed after each.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import {
  aPayment,
  APPROVED,
  AT,
  decideCancel,
  decideCharge,
  DECLINED,
  nextId,
  reserved,
  reserving,
  RULES,
} from '../../test/support/domain-payment.ts';
import { joinChanges } from './decision.ts';
import type { Decision } from './decision.ts';
import type { Movement } from './movement.ts';
import { assertBalanced, NO_TOTALS } from './payment.ts';
import type { Payment, Totals } from './payment.ts';
import { chargesOf, chooseChargeToRefund, refund } from './refund.ts';
import { refuseUnlessOpen } from './reserve.ts';
import { settle } from './settle.ts';

type Step = { readonly what: 'reserve' | 'charge' | 'cancel' | 'refund' | 'approve' | 'decline'; readonly n: number };

const sum = (movements: readonly Movement[], kind: Movement['kind'], state: Movement['state']): number =>
  movements.filter((each) => each.kind === kind && each.state === state).reduce((all, { amount }) => all + amount, 0);

const recompute = ({ movements }: Payment): Totals => ({
  reserved: sum(movements, 'reservation', 'approved'),
  charged: sum(movements, 'charge', 'approved'),
  charging: sum(movements, 'charge', 'pending'),
  cancelled: sum(movements, 'cancel', 'approved'),
  cancelling: sum(movements, 'cancel', 'pending'),
  refunded: sum(movements, 'refund', 'approved'),
  refunding: sum(movements, 'refund', 'pending'),
});

function decide(payment: Payment, { what, n }: Step): Decision | undefined {
  const pending = payment.movements.filter(({ state }) => state === 'pending');
  switch (what) {
    case 'reserve':
      return refuseUnlessOpen(payment, AT, RULES.lifetimes)
        ? undefined
        : { change: { payment: reserving(payment), moved: [], events: [] } };
    case 'charge':
      return decideCharge(payment, n);
    case 'cancel':
      return decideCancel(payment, n);
    case 'refund': {
      const chosen = chooseChargeToRefund(payment, n);
      const command = { movementId: nextId(payment), amount: n, items: [] };
      return 'refusal' in chosen ? chosen : refund(payment, chosen, command, AT, RULES);
    }
    case 'approve':
    case 'decline': {
      const movement = pending[n % pending.length];
      return movement && settle(payment, movement.id, what === 'approve' ? APPROVED : DECLINED, AT);
    }
  }
}

const steps = fc.array(
  fc.record({
    what: fc.constantFrom<Step['what'][]>('reserve', 'charge', 'cancel', 'refund', 'approve', 'approve', 'decline'),
    n: fc.integer({ min: 1, max: 60 }),
  }),
  { maxLength: 60 },
);

describe('decisions', () => {
  // decision: limits-on-totals
  test('keep the totals equal to the movements and within each other, in any order', () => {
    fc.assert(
      fc.property(steps, (all) => {
        let payment = aPayment(100);
        for (const step of all) {
          const decision = decide(payment, step);
          const before = payment;
          payment = decision?.change?.payment ?? payment;
          assertBalanced(payment);
          assert.deepEqual(payment.totals, recompute(payment));
          assert.deepEqual(
            payment.movements.map(({ sequence }) => sequence),
            payment.movements.map((_, index) => index + 1),
          );
          for (const charge of chargesOf(payment)) {
            const refunds = payment.movements.filter(({ chargeId }) => chargeId === charge.id);
            assert.equal(charge.refunded, sum(refunds, 'refund', 'approved'));
            assert.equal(charge.refunding, sum(refunds, 'refund', 'pending'));
            assert.ok(charge.refunded + charge.refunding <= charge.amount);
          }
          if (decision?.refusal && decision.change === undefined) assert.equal(payment, before);
        }
      }),
      { numRuns: 300 },
    );
  });

  test('refuse exactly when the amount exceeds what is left', () => {
    fc.assert(
      fc.property(steps, fc.integer({ min: 1, max: 120 }), (all, amount) => {
        let payment = reserved(100);
        for (const step of all) payment = decide(payment, step)?.change?.payment ?? payment;
        const { reserved: whole, charged, charging, cancelled, cancelling } = payment.totals;
        const left = whole - charged - charging - cancelled - cancelling;
        assert.equal(decideCharge(payment, amount).change === undefined, amount > left);
        assert.equal(decideCancel(payment, amount).change === undefined, amount > left);
      }),
      { numRuns: 200 },
    );
  });

  test('joined into one change keep the latest of each movement and tell everything in order', () => {
    const first = decideCharge(reserved(100), 40).change ?? assert.fail();
    const second = settle(first.payment, first.moved[0]?.id ?? '', APPROVED, AT).change ?? assert.fail();
    const joined = joinChanges(first, second);
    assert.deepEqual(
      joined.moved.map(({ state }) => state),
      ['approved'],
    );
    assert.deepEqual(
      joined.events.map(({ name }) => name),
      ['payment.charge.created', 'payment.charge.created.v2'],
    );
    assert.equal(joined.payment, second.payment);
  });

  // decision: limits-on-totals
  test('that would break a balance are stopped as a defect', () => {
    const broken: readonly [totals: Partial<Totals>, text: RegExp][] = [
      [{ reserved: 101 }, /more is reserved than was ordered/],
      [{ reserved: 10, charged: 11 }, /more is taken than was reserved/],
      [{ reserved: 10, charged: 4, charging: 3, cancelled: 2, cancelling: 2 }, /more is taken than was reserved/],
      [{ reserved: 10, charged: 5, refunded: 3, refunding: 3 }, /more is refunded than was charged/],
      [{ charged: -1 }, /negative or not whole/],
      [{ reserved: 0.5 }, /negative or not whole/],
      [{ reserved: Number.NaN }, /negative or not whole/],
    ];
    for (const [totals, text] of broken)
      assert.throws(() => assertBalanced({ ...aPayment(100), totals: { ...NO_TOTALS, ...totals } }), text);
  });
});
