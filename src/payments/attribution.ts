// Who requested a movement, and who determined its outcome: kept in the movement's details, in the same commit.
import type { Change, Decision } from '../domain/decision.ts';
import type { Movement, MovementDetails } from '../domain/movement.ts';
import type { Payment } from '../domain/payment.ts';

function withDetails(change: Change, isMeant: (movement: Movement) => boolean, details: MovementDetails): Change {
  const mark = (movement: Movement): Movement =>
    isMeant(movement) ? { ...movement, details: { ...movement.details, ...details } } : movement;
  const payment = { ...change.payment, movements: change.payment.movements.map(mark) };
  return { ...change, payment, moved: change.moved.map(mark) };
}

/** The movements that a decision adds to a payment, with the key that requested them. */
export function askedByKey(decision: Decision, before: Payment, keyId: string | undefined): Decision {
  if (decision.change === undefined || keyId === undefined || decision.change.moved.length === 0) return decision;
  const isNew = ({ sequence }: Movement): boolean => sequence > before.movements.length;
  return { ...decision, change: withDetails(decision.change, isNew, { askedByKey: keyId }) };
}

/** All movements of a new payment. */
export const madeByKey = (change: Change, keyId: string | undefined): Change =>
  keyId === undefined ? change : withDetails(change, () => true, { askedByKey: keyId });

/** Who requested the cancel of a refund. */
export type Canceller = Pick<MovementDetails, 'cancelledBy' | 'cancelledByKey'>;

export function cancelledBy(decision: Decision | undefined, refundId: string, by: Canceller): Decision | undefined {
  if (decision?.change === undefined) return decision;
  return { ...decision, change: withDetails(decision.change, ({ id }) => id === refundId, by) };
}

/** A movement whose outcome the resolver determined. */
export const foundByResolver = (change: Change, movementId: string): Change =>
  withDetails(change, ({ id }) => id === movementId, { isResolved: true });
