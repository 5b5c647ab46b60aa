// Goal: movement events contain what the newest clients require: a reference for reconciliation, what a refund gives
// back and when, the issuer's code. Method: the domain's own decisions produce the payments' histories.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { anOrderItem } from '../../test/support/domain-payment.ts';
import {
  bodiesOf,
  bodyNamed,
  cancelling,
  CARD,
  charging,
  created,
  DECLINED,
  ITEM,
  refunding,
  reserving,
} from '../../test/support/payment-histories.ts';
import { exchangeInvoice } from '../acquirers/test-cards.ts';
import { timeOf } from '../domain/id.ts';
import type { Outcome } from '../domain/settle.ts';
import { isoTime } from '../domain/time.ts';

const byCard = reserving(created({ myReference: 'mine' }), CARD, { email: 'kari@example.test' });
const whole = refunding(charging(byCard, 4_000), 4_000);
const inParts = cancelling(charging(charging(byCard, 1_000), 1_000, [anOrderItem(1_000)]), 500);
const onInvoice = refunding(charging(reserving(created(), exchangeInvoice(), {}), 4_000), 1_000);
const declined = refunding(charging(charging(byCard, 4_000, [], DECLINED), 4_000), 4_000, DECLINED);
const erased = { ...whole, payment: { ...whole.payment, consumer: {} } };

// decision: fields-of-events
test('a decline with a code of the issuer: that code, and Issuer as the source', () => {
  const refused: Outcome = { result: 'declined', reason: 'insufficient funds', issuerCode: '51' };
  const { data } = bodyNamed(reserving(created(), CARD, {}, refused), 'payment.reservation.failed');
  const message = 'The reservation was declined: insufficient funds.';
  assert.deepEqual(data.error, { code: '51', message, source: 'Issuer' });
});

// decision: fields-of-events
test('every movement has its own reference for reconciliation, and a surcharge of 0', () => {
  const without = new Set(['payment.created', 'payment.checkout.completed', 'payment.reservation.failed']);
  for (const history of [whole, inParts, onInvoice, declined]) {
    const references = new Map<string, string>();
    for (const { event, data } of bodiesOf(history)) {
      const isMoney = event !== 'payment.created' && event !== 'payment.checkout.completed';
      assert.equal(data.surchargeAmount, isMoney ? 0 : undefined, event);
      if (without.has(event) || event.startsWith('payment.cancel')) continue;
      const id = data.refundId ?? data.chargeId ?? data.reserveId ?? data.reservationId ?? 'the reservation';
      assert.match(data.reconciliationReference, /^[0-9A-Z]{25}$/, event);
      assert.equal(references.get(id) ?? data.reconciliationReference, data.reconciliationReference, event);
      references.set(id, data.reconciliationReference);
    }
    const { 'the reservation': _short, ...named } = Object.fromEntries(references);
    assert.equal(new Set(Object.values(named)).size, Object.keys(named).length, 'no two movements share one');
  }
});

// decision: fields-of-events
test('a refund says from its start what it gives back, and its newer shape when', () => {
  for (const [history, items] of [
    [whole, [ITEM]],
    [onInvoice, []],
  ] as const) {
    const refund = history.payment.movements.find(({ kind }) => kind === 'refund');
    assert.deepEqual(bodyNamed(history, 'payment.refund.initiated').data.orderItems, items);
    const { data } = bodyNamed(history, 'payment.refund.initiated.v2');
    assert.deepEqual(data.orderItems, items);
    assert.equal(data.executed, isoTime(timeOf(refund?.id ?? '')));
  }
  assert.ok(!('chargeId' in bodyNamed(whole, 'payment.refund.completed').data));
});

test('a reservation has six digits for people, always the same', () => {
  const { reservationReference } = bodyNamed(whole, 'payment.reservation.created').data;
  assert.match(reservationReference, /^\d{6}$/);
  assert.equal(bodyNamed(erased, 'payment.reservation.created').data.reservationReference, reservationReference);
});

test('your second reference is in every event of its payment', () => {
  for (const { data } of bodiesOf(whole)) assert.equal(data.myReference, 'mine');
});
