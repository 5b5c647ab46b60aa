// The consumer pays: what the checkout's button does, and what follows the bank's challenge, if there is one. Both use
// the same path as every change; a consumer who presses twice, in two tabs or after a lost answer, pays once.
import { isDeepStrictEqual } from 'node:util';
import type { Instrument } from '../acquirers/test-cards.ts';
import { challengeNamed, closeChallenge, isChallengeOpen, leaveChallenge, openChallenge } from '../domain/challenge.ts';
import { typedOver } from '../domain/consumer.ts';
import type { Consumer } from '../domain/consumer.ts';
import { altered, joinChanges } from '../domain/decision.ts';
import type { Decision } from '../domain/decision.ts';
import { amountBy } from '../domain/fee.ts';
import { partOf } from '../domain/id.ts';
import { isInApp, offeredMethods } from '../domain/offered-methods.ts';
import type { Merchant } from '../domain/merchant.ts';
import { reservationOf } from '../domain/payment.ts';
import type { Challenge, Payment } from '../domain/payment.ts';
import type { Refusal } from '../domain/refusal.ts';
import { refuseUnlessOpen, reserve, withoutOpenChallenge } from '../domain/reserve.ts';
import { settle } from '../domain/settle.ts';
import { newId, newSecret } from './ids.ts';
import { digestOfOrder } from './order-digest.ts';
import type { OperationOutcome } from './outcome.ts';
import { finishCheckout } from './reserve.ts';
import type { Payments } from './service.ts';

/** The consumer has pressed the button. */
export type Pressing = {
  /** What they entered; undefined if the shop provides the consumer's data. */
  readonly consumer?: Consumer;
  readonly ip: string;
  /** The total that they saw. */
  readonly confirmedAmount: number;
};

export type Paying = Pressing & {
  readonly instrument: Instrument;
  readonly language?: string;
  /** The bank's challenge page, if there is one. */
  readonly acsUrl: string;
};

export type Unpaid =
  | 'declined'
  | 'already_paid'
  | 'payment_pending'
  | 'amount_changed'
  | 'shipping_cost_missing'
  | 'expired'
  | 'terminated'
  | 'challenge_over'
  | 'too_many_attempts';

export type PayOutcome =
  | { readonly kind: 'paid' }
  /** The consumer's data is stored; nothing is reserved. */
  | { readonly kind: 'noted' }
  | { readonly kind: 'challenge'; readonly session: string }
  /** The acquirer's own reason: for the merchant and the log, never for the consumer. */
  | { readonly kind: Unpaid; readonly reason?: string; readonly issuerCode?: string; readonly waitMs?: number };

type Decided = { readonly decision: Decision | undefined; readonly result: PayOutcome };

/** The reason recorded for a failed challenge, which the merchant sees. */
export const CHALLENGE_FAILED = 'the consumer did not pass the check of their bank';
export const DECLINED_IN_APP = 'the consumer declined in the app';

// Card testers try hundreds of cards on one open payment; a person gives up or succeeds after a few.
export const ATTEMPTS_WINDOW_MS = 10 * 60_000;

const ID_DIGITS = 32;
const SESSION = /^[0-9a-f]{64}$/;

/** The secret id of a challenge: it contains the payment's id, and proves that its holder received it. */
export const sessionOf = (payment: Payment, nonce: string): string => payment.id + nonce;

export function readSession(text: string): { readonly paymentId: string; readonly nonce: string } | undefined {
  return SESSION.test(text) ? { paymentId: text.slice(0, ID_DIGITS), nonce: text.slice(ID_DIGITS) } : undefined;
}

/** Whether the consumer can still complete a challenge of the payment, and would agree to the current order. */
export const isStillAsked = ({ order }: Payment, challenge: Challenge, at: number): boolean =>
  isChallengeOpen(challenge, digestOfOrder(order), at);

/** The shop has yet to add the shipping cost; only a shop whose page is notified of the address can. */
export const isShippingCostMissing = ({ checkout }: Payment): boolean =>
  checkout.integrationType === 'EmbeddedCheckout' &&
  checkout.merchantHandlesShippingCost === true &&
  checkout.shippingCostSpecified !== true;

/** How long the consumer must wait before another try; 0 if they need not. */
function waitAfterTries({ movements, challenge }: Payment, at: number, most: number): number {
  const since = at - ATTEMPTS_WINDOW_MS;
  const declined = movements.filter(({ state, updatedAt }) => state === 'declined' && updatedAt > since);
  const challenges = challenge !== undefined && challenge.openedAt > since ? challenge.tries : 0;
  if (declined.length < most && challenges < most) return 0;
  const oldest = declined.at(-most)?.updatedAt ?? challenge?.openedAt ?? at;
  return oldest + ATTEMPTS_WINDOW_MS - at;
}

const REFUSALS: Partial<Record<Refusal['name'], Unpaid>> = {
  payment_is_already_reserved: 'already_paid',
  reservation_is_pending: 'payment_pending',
  payment_has_expired: 'expired',
  payment_is_terminated: 'terminated',
  payment_has_too_many_movements: 'too_many_attempts',
  payment_holds_too_many_lines: 'too_many_attempts',
  acquirer_declined: 'declined',
};

function unpaidFor(refusal: Refusal): PayOutcome {
  const kind = REFUSALS[refusal.name];
  if (kind === undefined) throw new Error(`a checkout cannot be refused as ${refusal.name}`);
  if (refusal.name !== 'acquirer_declined') return { kind };
  const { reason, issuerCode } = refusal;
  return { kind, reason, ...(issuerCode !== undefined && { issuerCode }) };
}

const resultOf = ({ refusal }: Decision): PayOutcome => (refusal ? unpaidFor(refusal) : { kind: 'paid' });

/** The outcome of a try to pay, for the consumer; undefined if there was nothing to pay. */
export function payOutcomeOf(outcome: OperationOutcome<PayOutcome>): PayOutcome | undefined {
  switch (outcome.kind) {
    case 'made':
    case 'unchanged':
      return outcome.result;
    case 'refused':
      // The outcome at a remote acquirer was not known when the result was built.
      return unpaidFor(outcome.refusal);
    case 'pending':
      return { kind: 'payment_pending' };
    case 'not_found':
      return undefined;
    case 'replayed':
    case 'other_request_had_key':
    case 'outcome_of_key_is_open':
      throw new Error('a consumer has no idempotency key');
  }
}

const unchanged = (kind: Unpaid): Decided => ({ decision: undefined, result: { kind } });

/** The consumer as they entered it; data from the shop has precedence. */
function consumerOf({ consumer: known, checkout }: Payment, { consumer, ip }: Pressing): Consumer {
  if (checkout.merchantHandlesConsumerData === true) return { ...known, ip };
  const { reference } = known;
  return typedOver(known, consumer ? { ...consumer, ...(reference !== undefined && { reference }) } : known, ip);
}

/** Whether the consumer has seen the total; before they choose a method, it may be that of any method. */
function isTotal(payment: Payment, { confirmedAmount, instrument }: Pressing & Partial<Paying>): boolean {
  if (instrument) return confirmedAmount === amountBy(payment, instrument.method);
  return offeredMethods(payment).some((paymentMethod) => confirmedAmount === amountBy(payment, { paymentMethod }));
}

/** Why the consumer cannot pay now, before any money is requested. The end of the payment comes first. */
function refusePay(
  payments: Payments,
  payment: Payment,
  pressing: Pressing,
  at: number,
  most: number,
): PayOutcome | undefined {
  const refused = refuseUnlessOpen(payment, at, payments.lifetimes);
  if (refused) return unpaidFor(refused.refusal);
  if (!isTotal(payment, pressing)) return { kind: 'amount_changed' };
  if (isShippingCostMissing(payment)) return { kind: 'shipping_cost_missing' };
  const waitMs = waitAfterTries(payment, at, most);
  return waitMs > 0 ? { kind: 'too_many_attempts', waitMs } : undefined;
}

/**
 * Stores the consumer's data, for a shop that places its order before it lets the payment continue. What would be
 * refused later is refused here already. Ends a running challenge: its consumer must not approve what someone else has
 * entered since.
 */
export function noteConsumer(payments: Payments, pressing: Pressing, mostAttempts: number) {
  return (payment: Payment, at: number): Decided => {
    const refused = refusePay(payments, payment, pressing, at, mostAttempts);
    if (refused) return { decision: undefined, result: refused };
    const noted = { kind: 'noted' } as const;
    const consumer = consumerOf(payment, pressing);
    const isKnown = pressing.consumer === undefined || payment.checkout.merchantHandlesConsumerData === true;
    if (isKnown || isDeepStrictEqual(consumer, payment.consumer)) return { decision: undefined, result: noted };
    return { decision: { change: altered({ ...withoutOpenChallenge(payment), consumer }) }, result: noted };
  };
}

export function pay(payments: Payments, merchant: Merchant, paying: Paying, mostAttempts: number) {
  return (payment: Payment, at: number): Decided => {
    const refused = refusePay(payments, payment, paying, at, mostAttempts);
    if (refused) return { decision: undefined, result: refused };
    const { instrument, language, acsUrl } = paying;
    const consumer = consumerOf(payment, paying);
    const spoken = language !== undefined && { language };
    if (instrument.challenge !== true) {
      const { decision } = finishCheckout(payments, merchant, payment, { instrument, consumer, ...spoken }, at);
      return { decision, result: resultOf(decision) };
    }
    const { source, method } = instrument;
    const nonce = newSecret();
    const order = digestOfOrder(payment.order);
    const command = { nonce, order, acquirer: merchant.acquirer, source, method, consumer, acsUrl, ...spoken };
    const decision = openChallenge(payment, command, at, payments.lifetimes);
    const session = sessionOf(payment, nonce);
    return { decision, result: decision.change ? { kind: 'challenge', session } : resultOf(decision) };
  };
}

export type ChallengeOutcome = 'passed' | 'failed' | 'left';

/** Undefined if the payment has no such challenge any more. */
export function settleChallenge(payments: Payments, merchant: Merchant, nonce: string, outcome: ChallengeOutcome) {
  return (payment: Payment, at: number): Decided | undefined => {
    const challenge = challengeNamed(payment, nonce);
    if (challenge === undefined) return undefined;
    // A consumer who returns a second time gets the outcome of the first.
    const reservation = reservationOf(payment);
    if (challenge.state === 'passed' && reservation)
      return reservation.state === 'pending'
        ? unchanged('payment_pending')
        : { decision: undefined, result: { kind: 'paid' } };
    if (challenge.state === 'passed' || challenge.state === 'failed') return unchanged('declined');
    if (reservation?.state === 'approved') return unchanged('already_paid');
    if (!isStillAsked(payment, challenge, at)) return unchanged('challenge_over');
    if (outcome === 'left')
      return { decision: { change: leaveChallenge(payment, challenge) }, result: { kind: 'challenge_over' } };
    const closed = closeChallenge(payment, challenge, outcome);
    const decision = outcome === 'passed' ? reserveAfter(closed, challenge, at) : failAfter(closed, challenge, at);
    return { decision, result: resultOf(decision) };
  };

  function reserveAfter(payment: Payment, { source, method, language }: Challenge, at: number): Decision {
    const reserving = { instrument: { source, method }, consumer: payment.consumer, ...(language && { language }) };
    return finishCheckout(payments, merchant, payment, reserving, at).decision;
  }

  /** The money was never requested: the try is recorded as declined, so that the merchant is notified. */
  function failAfter(payment: Payment, { acquirer, source, method }: Challenge, at: number): Decision {
    const movementId = newId(at, partOf(payment.id));
    const command = { movementId, acquirer, source, method, consumer: payment.consumer };
    const tried = reserve(payment, command, at, payments.lifetimes);
    if (tried.change === undefined) return tried;
    const reason = isInApp(method) ? DECLINED_IN_APP : CHALLENGE_FAILED;
    const failed = settle(tried.change.payment, movementId, { result: 'declined', reason }, at);
    return failed.change ? { ...failed, change: joinChanges(tried.change, failed.change) } : failed;
  }
}
