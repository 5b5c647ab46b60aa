// What a decision gives: the changed payment with the movements that are new or altered and the events to tell, or
// one named refusal. A refusal may carry a change as well: a decline by the acquirer is kept.
import { assertBalanced } from './payment.ts';
import type { Movement } from './movement.ts';
import type { Payment } from './payment.ts';
import type { Refusal } from './refusal.ts';
import type { SubscriptionChange } from './subscription.ts';

export type PaymentEventName =
  | 'payment.created'
  | 'payment.reservation.created'
  | 'payment.reservation.created.v2'
  | 'payment.reservation.failed'
  | 'payment.checkout.completed'
  | 'payment.charge.created'
  | 'payment.charge.created.v2'
  | 'payment.charge.failed'
  | 'payment.charge.failed.v2'
  | 'payment.refund.initiated'
  | 'payment.refund.initiated.v2'
  | 'payment.refund.completed'
  | 'payment.refund.failed'
  | 'payment.cancel.created'
  | 'payment.cancel.failed'
  | 'subscription.created'
  | 'subscription.card.replaced';

/** Everything that there can be to tell; what is ended or switched off later is no event of a payment. */
export type EventName = PaymentEventName | 'subscription.ended' | 'webhook.disabled';

/** Something to tell the merchant. Holds no personal data: its body is completed when it is delivered. */
export type PaymentEvent = { readonly name: PaymentEventName; readonly at: number; readonly movementId?: string };

export type Change = {
  readonly payment: Payment;
  readonly moved: readonly Movement[];
  readonly events: readonly PaymentEvent[];
  /** What it does to the subscription that the payment is for. */
  readonly subscription?: SubscriptionChange;
};

export type Refused = { readonly refusal: Refusal; readonly change?: undefined };
export type Decision = { readonly change: Change; readonly refusal?: Refusal } | Refused;

export const refuse = (refusal: Refusal): Refused => ({ refusal });

/** A change that alters the payment alone. */
export const altered = (payment: Payment): Change => ({ payment, moved: [], events: [] });

type MovementParts = Pick<Movement, 'id' | 'kind' | 'amount' | 'items' | 'acquirer'> &
  Partial<Pick<Movement, 'source' | 'chargeId' | 'invoiceNumber' | 'details'>>;

/** A movement as every one begins: pending, the next of its payment, with nothing given back. */
export const newMovement = (payment: Payment, parts: MovementParts, at: number): Movement => ({
  ...parts,
  state: 'pending',
  sequence: payment.movements.length + 1,
  updatedAt: at,
  refunded: 0,
  refunding: 0,
});

/** Puts a movement into the payment, in place of its earlier self if there is one. */
export function withMovement(payment: Payment, movement: Movement): Payment {
  const known = payment.movements.some((other) => other.id === movement.id);
  const movements = known
    ? payment.movements.map((other) => (other.id === movement.id ? movement : other))
    : [...payment.movements, movement];
  return { ...payment, movements };
}

/** One change out of two that follow each other: the later state of everything, and all there is to tell. */
export function joinChanges(first: Change, second: Change): Change {
  const later = new Map([...first.moved, ...second.moved].map((movement) => [movement.id, movement]));
  assertBalanced(second.payment);
  const subscription = second.subscription ?? first.subscription;
  return {
    payment: second.payment,
    moved: [...later.values()],
    events: [...first.events, ...second.events],
    ...(subscription && { subscription }),
  };
}

/** The payment as a change of it was committed. */
export const committedOf = ({ payment }: Pick<Change, 'payment'>, before: Payment): Payment => ({
  ...payment,
  version: before.version + 1,
});
