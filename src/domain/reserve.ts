// Decides a reservation of the whole order's amount when the consumer has completed the checkout. It also records the
// consumer and the payment method.
import { newMovement, refuse, withMovement } from './decision.ts';
import { refuseMoreTries } from './size.ts';
import type { Consumer } from './consumer.ts';
import type { Change, PaymentEvent, Refused } from './decision.ts';
import { amountBy } from './fee.ts';
import { refuseUnlessOffered } from './offered-methods.ts';
import { payableUntil, reservationOf } from './payment.ts';
import type { Lifetimes, Payment, PaymentMethod } from './payment.ts';

export type ReserveCommand = {
  readonly movementId: string;
  readonly acquirer: string;
  readonly source: string;
  readonly method: PaymentMethod;
  readonly consumer: Consumer;
  /** In which the consumer read what they agree to. */
  readonly language?: string;
};

/** Why a payment cannot be reserved, or changed in ways that are only allowed before its reservation. */
export function refuseUnlessOpen(payment: Payment, at: number, lifetimes: Lifetimes): Refused | undefined {
  if (payment.terminatedAt !== undefined) return refuse({ name: 'payment_is_terminated' });
  const reservation = reservationOf(payment);
  if (reservation?.state === 'pending') return refuse({ name: 'reservation_is_pending' });
  if (reservation !== undefined) return refuse({ name: 'payment_is_already_reserved' });
  const expiresAt = payableUntil(payment, lifetimes);
  if (at >= expiresAt) return refuse({ name: 'payment_has_expired', at: expiresAt });
  return undefined;
}

/** The event is sent when the consumer first presses Pay, not on later attempts. */
export const eventsOfFirstTry = (payment: Payment, at: number): PaymentEvent[] =>
  payment.movements.length === 0 && payment.challenge === undefined ? [{ name: 'payment.created', at }] : [];

/** A consumer who pays consents to the subscription shown: the time and language are recorded. */
function withConsent(payment: Payment, language: string | undefined, at: number): Payment {
  const { subscription } = payment.checkout;
  if (subscription === undefined || subscription.role === 'renewal') return payment;
  const { language: _before, ...terms } = subscription;
  const agreed = { ...terms, agreedAt: at, ...(language !== undefined && { language }) };
  return { ...payment, checkout: { ...payment.checkout, subscription: agreed } };
}

/**
 * Another attempt closes an open challenge: otherwise its later approval would approve data that someone else has typed
 * since.
 */
export function withoutOpenChallenge(payment: Payment): Payment {
  const { challenge } = payment;
  return challenge?.state === 'open' ? { ...payment, challenge: { ...challenge, state: 'left' } } : payment;
}

export function reserve(
  payment: Payment,
  command: ReserveCommand,
  at: number,
  lifetimes: Lifetimes,
): { readonly change: Change } | Refused {
  const refused =
    refuseUnlessOpen(payment, at, lifetimes) ??
    refuseUnlessOffered(payment, command.method) ??
    refuseMoreTries(payment);
  if (refused) return refused;

  const { movementId: id, acquirer, source } = command;
  const parts = {
    id,
    kind: 'reservation',
    amount: amountBy(payment, command.method),
    items: null,
    acquirer,
    source,
  } as const;
  const movement = newMovement(payment, parts, at);
  const events = eventsOfFirstTry(payment, at);
  const agreed = withConsent(withoutOpenChallenge(payment), command.language, at);
  const paying = { ...agreed, method: command.method, consumer: command.consumer };
  return { change: { payment: withMovement(paying, movement), moved: [movement], events } };
}
