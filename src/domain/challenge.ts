// Decides the steps of a 3-D Secure challenge. It is opened when the consumer presses Pay and holds no money; only
// passing it makes a reservation. A newer challenge replaces an older one, and a completed one is kept, so that returning
// to it twice changes nothing.
import { altered } from './decision.ts';
import type { Change, Refused } from './decision.ts';
import type { Consumer } from './consumer.ts';
import type { Challenge, ChallengeState, Lifetimes, Payment, PaymentMethod } from './payment.ts';
import { eventsOfFirstTry, refuseUnlessOpen } from './reserve.ts';

export type OpenChallengeCommand = {
  readonly nonce: string;
  /** The digest of the payment's order as it is now. */
  readonly order: string;
  readonly acquirer: string;
  readonly source: string;
  readonly method: PaymentMethod;
  readonly consumer: Consumer;
  readonly language?: string;
  readonly acsUrl: string;
};

// Banks give a consumer five to ten minutes.
const LIFETIME_MS = 15 * 60_000;

export function openChallenge(
  payment: Payment,
  command: OpenChallengeCommand,
  at: number,
  lifetimes: Lifetimes,
): { readonly change: Change } | Refused {
  const refused = refuseUnlessOpen(payment, at, lifetimes);
  if (refused) return refused;
  const { consumer, ...asked } = command;
  const { challenge: before } = payment;
  const tries = before && at - before.openedAt < LIFETIME_MS ? before.tries + 1 : 1;
  const challenge: Challenge = { ...asked, state: 'open', amount: payment.order.amount, openedAt: at, tries };
  const events = eventsOfFirstTry(payment, at);
  return { change: { payment: { ...payment, consumer, challenge }, moved: [], events } };
}

/** The payment's challenge, unless it was replaced by another one. */
export const challengeNamed = ({ challenge }: Payment, nonce: string): Challenge | undefined =>
  challenge?.nonce === nonce ? challenge : undefined;

/** Whether the consumer can still go through it, given the digest of the order as it is now. */
export const isChallengeOpen = (challenge: Challenge, order: string, at: number): boolean =>
  challenge.state === 'open' && at < challenge.openedAt + LIFETIME_MS && challenge.order === order;

export const closeChallenge = (payment: Payment, challenge: Challenge, state: ChallengeState): Payment => ({
  ...payment,
  challenge: { ...challenge, state },
});

/** The consumer turned back before the bank had decided: nothing happened. */
export const leaveChallenge = (payment: Payment, challenge: Challenge): Change =>
  altered(closeChallenge(payment, challenge, 'left'));
