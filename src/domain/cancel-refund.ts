// Decides the cancel of a pending refund. It is marked, so that the next query makes the acquirer promise never to carry it
// out. The result settles it: cancelled, or what the acquirer had already done.
import { altered, refuse, withMovement } from './decision.ts';
import type { Decision } from './decision.ts';
import type { Movement } from './movement.ts';
import type { Payment } from './payment.ts';
import type { Outcome } from './settle.ts';

/** The outcome of a cancelled refund: the acquirer has promised never to carry it out. */
export const REFUND_CANCELLED = {
  result: 'declined',
  reason: 'cancelled by the merchant',
  isCancelled: true,
} as const satisfies Outcome;

export const isCancelledRefund = ({ kind, state, details }: Movement): boolean =>
  kind === 'refund' && state === 'declined' && details?.isCancelled === true;

export const refundNamed = ({ movements }: Payment, refundId: string): Movement | undefined =>
  movements.find(({ id, kind }) => id === refundId && kind === 'refund');

/** Undefined if there is nothing to change: it is cancelled, or is about to be. */
export function markRefundCancelled(payment: Payment, refund: Movement): Decision | undefined {
  if (isCancelledRefund(refund)) return undefined;
  if (refund.state === 'approved') return refuse({ name: 'refund_is_completed' });
  if (refund.state === 'declined') return refuse({ name: 'refund_has_failed' });
  if (refund.details?.cancelAsked === true) return undefined;
  const marked: Movement = { ...refund, details: { ...refund.details, cancelAsked: true } };
  return { change: { ...altered(withMovement(payment, marked)), moved: [marked] } };
}
