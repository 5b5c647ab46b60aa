// The result of a decision: the changed payment with its new or changed movements and events, or one named refusal. A
// refusal may also carry a change: a decline by the acquirer is recorded.
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

/** All events of payments. Events of subscriptions and webhooks are separate. */
export type EventName = PaymentEventName | 'subscription.ended' | 'webhook.disabled';

/** An event for the merchant. It holds no personal data: its body is completed at delivery. */
export type PaymentEvent = { readonly name: PaymentEventName; readonly at: number; readonly movementId?: string };

export type Change = {
  readonly payment: Payment;
  readonly moved: readonly Movement[];
  readonly events: readonly PaymentEvent[];
  /** The effect on the payment's subscription. */
  readonly subscription?: SubscriptionChange;
};

export type Refused = { readonly refusal: Refusal; readonly change?: undefined };
export type Decision = { readonly change: Change; readonly refusal?: Refusal } | Refused;

export const refuse = (refusal: Refusal): Refused => ({ refusal });

/** A change of the payment only. */
export const altered = (payment: Payment): Change => ({ payment, moved: [], events: [] });

type MovementParts = Pick<Movement, 'id' | 'kind' | 'amount' | 'items' | 'acquirer'> &
  Partial<Pick<Movement, 'source' | 'chargeId' | 'invoiceNumber' | 'details'>>;

/** A new movement: pending, the next of its payment, with nothing refunded. */
export const newMovement = (payment: Payment, parts: MovementParts, at: number): Movement => ({
  ...parts,
  state: 'pending',
  sequence: payment.movements.length + 1,
  updatedAt: at,
  refunded: 0,
  refunding: 0,
});

/** Adds or replaces a movement of the payment. */
export function withMovement(payment: Payment, movement: Movement): Payment {
  const known = payment.movements.some((other) => other.id === movement.id);
  const movements = known
    ? payment.movements.map((other) => (other.id === movement.id ? movement : other))
    : [...payment.movements, movement];
  return { ...payment, movements };
}

/** Combines two consecutive changes: the later state, and all events. */
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
