// Settles a pending movement with the acquirer's outcome: the amount set aside becomes final or is released. It handles all
// four kinds, whether the outcome comes from the request or from the resolver.
import { withMovement } from './decision.ts';
import { isRenewal, subscriptionChangeOf } from './subscription.ts';
import type { Change, Decision, PaymentEvent, PaymentEventName } from './decision.ts';
import { withFee } from './fee.ts';
import type { Movement } from './movement.ts';
import type { Payment, Totals } from './payment.ts';

export type Outcome =
  | { readonly result: 'approved' }
  /** Retryable: the same request may be approved later, according to the acquirer. */
  | {
      readonly result: 'declined';
      readonly reason: string;
      readonly retryable?: boolean;
      /** The two-digit code of the card issuer, if it declined. */
      readonly issuerCode?: string;
      /** A refund's: nobody declined it, its merchant has cancelled it. */
      readonly isCancelled?: true;
    };

// Some events exist in an old and a new version: subscribers choose by name.
const EVENT_NAMES: Record<Movement['kind'], Record<Outcome['result'], readonly PaymentEventName[]>> = {
  reservation: {
    approved: ['payment.reservation.created', 'payment.reservation.created.v2', 'payment.checkout.completed'],
    declined: ['payment.reservation.failed'],
  },
  charge: {
    approved: ['payment.charge.created', 'payment.charge.created.v2'],
    declined: ['payment.charge.failed', 'payment.charge.failed.v2'],
  },
  refund: { approved: ['payment.refund.completed'], declined: ['payment.refund.failed'] },
  cancel: { approved: ['payment.cancel.created'], declined: ['payment.cancel.failed'] },
};

function settleTotals(totals: Totals, { kind, amount }: Movement, approved: boolean): Totals {
  const moved = approved ? amount : 0;
  switch (kind) {
    case 'reservation':
      return { ...totals, reserved: totals.reserved + moved };
    case 'charge':
      return { ...totals, charging: totals.charging - amount, charged: totals.charged + moved };
    case 'refund':
      return { ...totals, refunding: totals.refunding - amount, refunded: totals.refunded + moved };
    case 'cancel':
      return { ...totals, cancelling: totals.cancelling - amount, cancelled: totals.cancelled + moved };
  }
}

/** The acquirer's reason, as recorded and included in the response and the event. */
const reasonOf = ({ reason, retryable }: Extract<Outcome, { result: 'declined' }>): string =>
  retryable === true ? `${reason}; it may be approved later` : reason;

function detailsOf({ details }: Movement, outcome: Outcome): Pick<Movement, 'details'> | undefined {
  if (outcome.result !== 'declined') return undefined;
  const { issuerCode, isCancelled } = outcome;
  if (issuerCode === undefined && isCancelled === undefined) return undefined;
  const more = { ...(issuerCode !== undefined && { issuerCode }), ...(isCancelled && { isCancelled }) };
  return { details: { ...details, ...more } };
}

export function settle(payment: Payment, movementId: string, outcome: Outcome, at: number): Decision {
  const movement = payment.movements.find(({ id }) => id === movementId);
  if (movement?.state !== 'pending') throw new Error(`movement ${movementId} is not pending`);

  const approved = outcome.result === 'approved';
  const settled: Movement = {
    ...movement,
    state: outcome.result,
    updatedAt: at,
    ...(outcome.result === 'declined' && { reason: reasonOf(outcome) }),
    ...detailsOf(movement, outcome),
  };
  const paid = approved && movement.kind === 'reservation' ? withFee(payment) : payment;
  let next = withMovement({ ...paid, totals: settleTotals(payment.totals, movement, approved) }, settled);
  const moved: Movement[] = [settled];
  const charge = movement.kind === 'refund' && payment.movements.find(({ id }) => id === movement.chargeId);
  if (charge) {
    const { amount } = movement;
    const refunded = charge.refunded + (approved ? amount : 0);
    const drained = { ...charge, refunding: charge.refunding - amount, refunded };
    next = withMovement(next, drained);
    moved.unshift(drained);
  }
  const names = EVENT_NAMES[movement.kind][outcome.result];
  // A subscription charge has no checkout.
  const told = isRenewal(payment) ? names.filter((name) => name !== 'payment.checkout.completed') : names;
  const events: PaymentEvent[] = told.map((name) => ({ name, at, movementId }));
  const change: Change = { payment: next, moved, events };
  if (outcome.result === 'approved') {
    const subscription = movement.kind === 'reservation' ? subscriptionChangeOf(next, settled) : undefined;
    if (subscription === undefined) return { change };
    const name = subscription.type === 'made' ? 'subscription.created' : 'subscription.card.replaced';
    return { change: { ...change, events: [...events, { name, at, movementId }], subscription } };
  }
  const { kind, acquirer } = movement;
  const { issuerCode } = outcome;
  const code = issuerCode !== undefined && { issuerCode };
  return { change, refusal: { name: 'acquirer_declined', kind, reason: reasonOf(outcome), acquirer, ...code } };
}
