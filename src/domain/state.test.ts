// Goal: each payment is in one state, the table of states says what can be done with it there, and the decisions do exactly
// that. Method: all that can become of three orders, by the decisions themselves, one after the other.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  aPayment,
  AT,
  changeOf,
  DECLINED,
  decideCancel,
  decideCharge,
  decideRefund,
  refusalOf,
  reserving,
  RULES,
  settled,
} from '../../test/support/domain-payment.ts';
import { leftOfCharge } from './movement.ts';
import { leftOfReservation } from './payment.ts';
import type { Payment } from './payment.ts';
import { chargesOf } from './refund.ts';
import { refuseUnlessOpen } from './reserve.ts';
import { factsOf, PAYMENT_STATES, sayState, STATE_NAMES, stateOf } from './state.ts';
import type { PaymentState } from './state.ts';
import { terminate } from './terminate.ts';
import { updateCart } from './update-cart.ts';

const { lifetimes } = RULES;
const TIMES = [AT, AT + lifetimes.paymentMs, AT + lifetimes.reservationMs];

type Decided = ReturnType<typeof decideCharge>;

/** What the decisions allow, by the names of the table. */
function allowed(payment: Payment, at: number): readonly string[] {
  const isFree = (decision: { readonly refusal?: unknown } | undefined): boolean =>
    decision !== undefined && decision.refusal === undefined;
  const charge = chargesOf(payment).find((each) => leftOfCharge(each) > 0);
  const { amount, items } = payment.order;
  const operations = {
    pay: refuseUnlessOpen(payment, at, lifetimes) === undefined,
    'update the cart': isFree(updateCart(payment, { amount, items }, at, lifetimes)),
    terminate: isFree(terminate(payment, at)),
    charge: isFree(decideCharge(payment, 1, [], RULES, at)),
    cancel: isFree(decideCancel(payment, 1, [], RULES, at)),
    refund: charge !== undefined && isFree(decideRefund(payment, charge.id, 1)),
  };
  return Object.entries(operations).flatMap(([name, is]) => (is ? [name] : []));
}

/** What a payment may become by one step: by parts of 40 and by all there is, approved, declined or not answered yet. */
function nextOf(payment: Payment): Payment[] {
  const decided: Decided[] = [];
  const parts = (left: number): number[] => [...new Set([Math.min(40, left), left])].filter((part) => part > 0);
  for (const part of parts(leftOfReservation(payment)))
    decided.push(decideCharge(payment, part), decideCancel(payment, part));
  for (const charge of chargesOf(payment))
    for (const part of parts(leftOfCharge(charge))) decided.push(decideRefund(payment, charge.id, part));
  const pending = decided.map((decision) => changeOf(decision).payment);
  if (refuseUnlessOpen(payment, AT, lifetimes) === undefined) pending.push(reserving(payment));
  const ended = terminate(payment, AT);
  return [
    ...(ended === undefined || refusalOf(ended) !== undefined ? [] : [changeOf(ended).payment]),
    ...pending,
    ...pending.map((each) => settled(each)),
    ...pending.map((each) => settled(each, DECLINED)),
  ];
}

/** As far as a state can depend on it. */
const keyOf = (payment: Payment): string =>
  JSON.stringify([
    { ...factsOf(payment), reservation: factsOf(payment).reservation?.state },
    payment.order.amount,
    chargesOf(payment).map(leftOfCharge),
  ]);

function reachAll(): readonly Payment[] {
  const found = new Map<string, Payment>();
  let newest = [aPayment(100), aPayment(40), aPayment(0, [])];
  while (newest.length > 0) {
    for (const payment of newest) found.set(keyOf(payment), payment);
    const isSettled = ({ movements }: Payment): boolean => movements.every(({ state }) => state !== 'pending');
    const next = newest.filter(isSettled).flatMap(nextOf);
    newest = [...new Map(next.map((payment) => [keyOf(payment), payment])).values()].filter(
      (payment) => !found.has(keyOf(payment)),
    );
  }
  return [...found.values()];
}

const all = reachAll();

// decision: state-of-a-payment
test('in each state that can be done which the table says, and nothing else', () => {
  const done = new Map<PaymentState, Set<string>>();
  for (const payment of all)
    for (const at of TIMES) {
      const state = stateOf(factsOf(payment), at, lifetimes);
      const names = done.get(state) ?? new Set();
      done.set(state, names);
      for (const name of allowed(payment, at)) names.add(name);
      assert.equal(state === 'created', refuseUnlessOpen(payment, at, lifetimes) === undefined, keyOf(payment));
    }
  assert.ok(all.length > 100, `${all.length} payments`);
  for (const state of STATE_NAMES)
    assert.deepEqual(
      [...(done.get(state) ?? ['never reached'])].toSorted(),
      PAYMENT_STATES[state].next.toSorted(),
      state,
    );
});

test('no word is said twice', () => {
  for (const payment of all)
    for (const at of TIMES) {
      const { state, also } = sayState(factsOf(payment), at, lifetimes);
      assert.equal(new Set([state, ...also]).size, also.length + 1, [state, ...also].join());
    }
});
