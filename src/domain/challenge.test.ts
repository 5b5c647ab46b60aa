// A challenge holds no money and no time for ever: what opens it, what ends it, and what it says of itself meanwhile.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { aPayment, AT, changeOf, refusalOf, reserved, RULES } from '../../test/support/domain-payment.ts';
import { challengeNamed, closeChallenge, isChallengeOpen, leaveChallenge, openChallenge } from './challenge.ts';
import type { Challenge, Payment } from './payment.ts';
import { reserve } from './reserve.ts';

const METHOD = { paymentType: 'CARD', paymentMethod: 'Visa', maskedPan: '426827******4847' } as const;
const commandOf = (nonce: string) => ({
  nonce,
  order: 'digest of the order',
  acquirer: 'simulator',
  source: 'sim_approved',
  method: METHOD,
  consumer: { email: 'ada@example.test' },
  acsUrl: 'https://bank.example/challenge',
});
const open = (payment: Payment, nonce = 'n1', at = AT) =>
  changeOf(openChallenge(payment, commandOf(nonce), at, RULES.lifetimes));
const challengeOf = (payment: Payment): Challenge => payment.challenge as Challenge;
const MINUTE_MS = 60_000;

test('opening one writes the consumer and moves no money; the merchant hears of the payment once', () => {
  const first = open(aPayment());
  assert.deepEqual(first.moved, []);
  assert.deepEqual(first.events, [{ name: 'payment.created', at: AT }]);
  assert.equal(first.payment.consumer.email, 'ada@example.test');
  assert.deepEqual(first.payment.totals, aPayment().totals);
  assert.deepEqual(open(first.payment, 'n2').events, []);
  const command = { ...commandOf('x'), movementId: aPayment().id };
  assert.deepEqual(changeOf(reserve(first.payment, command, AT, RULES.lifetimes)).events, []);
});

test('a newer one takes the place of an older one', () => {
  const { payment } = open(open(aPayment()).payment, 'n2');
  assert.equal(challengeNamed(payment, 'n1'), undefined);
  assert.equal(challengeNamed(payment, 'n2')?.state, 'open');
});

test('tries are counted as long as the one before could still be open', () => {
  const first = open(aPayment()).payment;
  const triesAt = (at: number): number => challengeOf(open(first, 'n2', at).payment).tries;
  assert.equal(challengeOf(first).tries, 1);
  assert.equal(triesAt(AT + 15 * MINUTE_MS - 1), 2);
  assert.equal(triesAt(AT + 15 * MINUTE_MS), 1);
});

// decision: effect-of-3-d-secure
test('it is open for 15 minutes, for the order that the consumer saw, and until it is decided', () => {
  const { payment } = open(aPayment());
  const challenge = challengeOf(payment);
  const order = 'digest of the order';
  assert.equal(isChallengeOpen(challenge, order, AT + 15 * MINUTE_MS - 1), true);
  assert.equal(isChallengeOpen(challenge, order, AT + 15 * MINUTE_MS), false);
  assert.equal(isChallengeOpen(challenge, 'digest of another', AT), false);
  for (const state of ['passed', 'failed', 'left'] as const)
    assert.equal(isChallengeOpen(challengeOf(closeChallenge(payment, challenge, state)), order, AT), false);
});

test('leaving it is no news', () => {
  const { payment } = open(aPayment());
  const left = leaveChallenge(payment, challengeOf(payment));
  assert.deepEqual([left.moved, left.events, left.payment.challenge?.state], [[], [], 'left']);
});

test('there is none for a payment that cannot be paid', () => {
  const lifetimes = RULES.lifetimes;
  assert.equal(refusalOf(openChallenge(reserved(), commandOf('n'), AT, lifetimes)), 'payment_is_already_reserved');
  const late = AT + lifetimes.paymentMs;
  assert.equal(refusalOf(openChallenge(aPayment(), commandOf('n'), late, lifetimes)), 'payment_has_expired');
  const terminated = { ...aPayment(), terminatedAt: AT };
  assert.equal(refusalOf(openChallenge(terminated, commandOf('n'), AT, lifetimes)), 'payment_is_terminated');
});
