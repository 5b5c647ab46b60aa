// Goal: a payment is reserved once, in its time, for the whole order; before that, and only then, it can be changed or
// terminated. Method: every state a payment can be in against reserve, cart, terminate and reference.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import {
  anOrderItem,
  aPayment,
  AT,
  cancelled,
  changeOf,
  charged,
  DECLINED,
  nextId,
  refusalOf,
  reserved,
  reserving,
  RULES,
  settled,
} from '../../test/support/domain-payment.ts';
import type { Decision } from './decision.ts';
import type { Payment } from './payment.ts';
import { reserve } from './reserve.ts';
import { settle } from './settle.ts';
import { terminate } from './terminate.ts';
import { updateCart } from './update-cart.ts';
import { updateMyReference, updateReference } from './update-reference.ts';

const { lifetimes } = RULES;
const method = { paymentType: 'INVOICE', paymentMethod: 'EasyInvoice' } as const;
const consumer = { email: 'consumer@example.test' };

const decideReserve = (payment: Payment, at = AT): Decision =>
  reserve(payment, { movementId: nextId(payment), acquirer: 'x', source: 's', method, consumer }, at, lifetimes);
const decideCart = (payment: Payment, at = AT): Decision =>
  updateCart(payment, { amount: 700, items: [anOrderItem(700)] }, at, lifetimes);

const terminated = changeOf(terminate(aPayment(), AT) ?? assert.fail()).payment;
const declined = settled(reserving(aPayment()), DECLINED);

/** What each of the four says to a payment in that state; undefined: it does it. */
const states: readonly [name: string, payment: Payment, open: string | undefined, end: string | undefined][] = [
  ['created', aPayment(), undefined, undefined],
  ['declined once', declined, undefined, undefined],
  ['being reserved', reserving(aPayment()), 'reservation_is_pending', undefined],
  ['reserved', reserved(), 'payment_is_already_reserved', undefined],
  ['charged in full', charged(reserved(), 1_000), 'payment_is_already_reserved', undefined],
  ['cancelled in part', cancelled(reserved(), 999), 'payment_is_already_reserved', undefined],
  ['cancelled in full', cancelled(reserved(), 1_000), 'payment_is_already_reserved', 'reservation_is_fully_cancelled'],
  ['terminated', terminated, 'payment_is_terminated', 'payment_is_terminated'],
];

describe('states', () => {
  for (const [name, payment, open, end] of states)
    // decision: life-of-a-payment
    test(`a payment that is ${name}: reserve, cart, terminate and references`, () => {
      assert.equal(refusalOf(decideReserve(payment)), open);
      assert.equal(refusalOf(decideCart(payment)), open);
      assert.equal(refusalOf(updateReference(payment, { reference: 'r' })), end);
      assert.equal(refusalOf(updateMyReference(payment, 'm')), end);
      if (payment.terminatedAt === undefined) assert.equal(refusalOf(terminate(payment, AT)), open);
      else assert.equal(terminate(payment, AT + 1), undefined, 'again, it changes nothing');
    });
});

describe('reserve', () => {
  test('is for the whole order, and keeps who pays and how', () => {
    const { payment, moved, events } = changeOf(decideReserve(aPayment(1_000)));
    assert.partialDeepStrictEqual(moved[0], { kind: 'reservation', state: 'pending', amount: 1_000, source: 's' });
    assert.deepEqual([payment.consumer, payment.method, payment.totals.reserved], [consumer, method, 0]);
    assert.deepEqual(
      events.map(({ name }) => name),
      ['payment.created'],
    );
  });

  test('tells of the payment with the first try alone', () => {
    assert.deepEqual(changeOf(decideReserve(declined)).events, []);
  });

  test('is possible until the last millisecond of the payment, as is an update of the cart; terminating always is', () => {
    const end = AT + lifetimes.paymentMs;
    for (const decide of [decideReserve, decideCart]) {
      assert.equal(refusalOf(decide(aPayment(), end - 1)), undefined);
      assert.deepEqual(decide(aPayment(), end).refusal, { name: 'payment_has_expired', at: end });
    }
    assert.equal(refusalOf(terminate(aPayment(), end)), undefined);
  });
});

describe('settle', () => {
  // decision: sandbox-reservation
  test('makes the reservation count, and tells that the checkout is finished', () => {
    const { payment, events } = changeOf(settle(reserving(aPayment()), nextId(aPayment()), { result: 'approved' }, AT));
    assert.equal(payment.totals.reserved, 1_000);
    assert.deepEqual(
      events.map(({ name }) => name),
      ['payment.reservation.created', 'payment.reservation.created.v2', 'payment.checkout.completed'],
    );
  });

  test('keeps a decline with its reason, as a refusal and a change in one', () => {
    const decision = settle(reserving(aPayment()), nextId(aPayment()), DECLINED, AT + 5);
    assert.partialDeepStrictEqual(decision.refusal, {
      name: 'acquirer_declined',
      kind: 'reservation',
      reason: 'no reason',
    });
    assert.partialDeepStrictEqual(changeOf(decision).moved[0], {
      state: 'declined',
      reason: 'no reason',
      updatedAt: AT + 5,
    });
  });

  test('keeps and tells that the same may be approved later, where the acquirer says so', () => {
    const outcome = { ...DECLINED, retryable: true };
    const { refusal, change } = settle(reserving(aPayment()), nextId(aPayment()), outcome, AT + 5);
    const reason = 'no reason; it may be approved later';
    assert.partialDeepStrictEqual(refusal, { reason });
    assert.equal(change?.moved[0]?.reason, reason);
  });

  test('throws at a movement that has its outcome, or that is not there', () => {
    assert.throws(() => settle(reserved(), nextId(aPayment()), DECLINED, AT), /is not pending/);
    assert.throws(() => settle(aPayment(), nextId(aPayment()), DECLINED, AT), /is not pending/);
  });
});

describe('updates', () => {
  test('a cart replaces items and amount, and changes nothing else', () => {
    const payment = aPayment(1_000);
    const next = changeOf(decideCart(payment)).payment;
    assert.deepEqual(next, { ...payment, order: { ...payment.order, amount: 700, items: [anOrderItem(700)] } });
  });

  test('a reference and an address are each left as they were when they are left out', () => {
    const payment = changeOf(updateReference(aPayment(), { reference: 'a', checkoutUrl: 'https://a.example' })).payment;
    const other = changeOf(updateReference(payment, { reference: 'b' })).payment;
    assert.deepEqual([other.order.reference, other.checkoutUrl], ['b', 'https://a.example']);
    const moved = changeOf(updateReference(payment, { checkoutUrl: 'https://b.example' })).payment;
    assert.deepEqual([moved.order.reference, moved.checkoutUrl], ['a', 'https://b.example']);
  });
});
