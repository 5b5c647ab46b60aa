// Goal: each reason has the status and code that shops were promised; what a consumer can mend is told by the issuer's
// code, whatever words an acquirer has for it, and to few tries.
// Method: the function alone, with outcomes as acquirers give them.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { CheckoutContext } from './context.ts';
import { answerPay, answerUnpaid } from './pay-answer.ts';
import type { Tries } from './pay-answer.ts';

const FIRST: Tries = { ofPayment: 1, ofAddress: 1 };

function hintOf(told: { reason: string; issuerCode?: string }, tries: Tries | undefined = FIRST): unknown {
  const context = {} as CheckoutContext;
  const { status, body } = answerPay(context, 'id', { kind: 'declined', ...told }, tries);
  assert.equal(status, 402);
  assert.ok(!body.includes(told.reason), 'the words are for the merchant');
  return (JSON.parse(body) as { hint?: string }).hint;
}

// decision: text-of-a-decline
test('by the code, whatever the acquirer says; words alone tell nothing', () => {
  assert.equal(hintOf({ reason: 'CVV2 failure', issuerCode: '82' }), 'cvc');
  assert.equal(hintOf({ reason: 'card past its date; it may be approved later', issuerCode: '54' }), 'expiry');
  assert.equal(hintOf({ reason: 'pick up', issuerCode: '33' }), 'expiry');
  assert.equal(hintOf({ reason: 'wrong CVC' }), undefined);
  assert.equal(hintOf({ reason: 'wrong CVC', issuerCode: '05' }), undefined);
});

test('to the first tries of a payment and of an address, and to nobody who cannot mend it', () => {
  const wrong = { reason: 'no', issuerCode: '82' };
  assert.equal(hintOf(wrong, { ofPayment: 3, ofAddress: 5 }), 'cvc');
  assert.equal(hintOf(wrong, { ofPayment: 4, ofAddress: 1 }), undefined);
  assert.equal(hintOf(wrong, { ofPayment: 1, ofAddress: 6 }), undefined);
});

test('each reason why nothing was paid has its status and code', () => {
  const promised = [
    ['declined', 402, '1022'],
    ['challenge_over', 402, '1022'],
    ['already_paid', 409, '1004'],
    ['payment_pending', 409, '1004'],
    ['amount_changed', 409, '1000'],
    ['shipping_cost_missing', 409, '1021'],
    ['expired', 410, '1010'],
    ['terminated', 410, '1000'],
    ['too_many_attempts', 429, '1000'],
    ['not_available', 403, '1000'],
  ] as const;
  for (const [reason, ...answer] of promised) {
    const { status, body } = answerUnpaid(reason);
    const told = JSON.parse(body) as { code: string; reason: string };
    assert.deepEqual([told.reason, status, told.code], [reason, ...answer]);
  }
});
