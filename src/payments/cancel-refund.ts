// Cancels a refund with an unknown outcome. The request is committed first, then the acquirer is asked to promise never
// to execute it, then its answer is committed: after a crash at any point, the resolver finds the request and
// continues. A refund that its acquirer has already executed stays done.
import { isCancelledRefund, markRefundCancelled, REFUND_CANCELLED, refundNamed } from '../domain/cancel-refund.ts';
import type { Decision } from '../domain/decision.ts';
import type { Movement } from '../domain/movement.ts';
import type { Payment } from '../domain/payment.ts';
import { settle } from '../domain/settle.ts';
import { isLocal } from './acquirers.ts';
import { cancelledBy } from './attribution.ts';
import type { Canceller } from './attribution.ts';
import { operate } from './operate.ts';
import type { Operation } from './operate.ts';
import { pendingOutcome } from './outcome.ts';
import type { DecidedOutcome, Execution, OperationOutcome } from './outcome.ts';
import type { Payments } from './service.ts';

type Cancelling = Pick<Operation<undefined>, 'merchant' | 'onLarge' | 'audit'> & {
  readonly refundId: string;
  readonly by: Canceller;
};

/** The outcome of cancelling a refund. */
function outcomeOf({ payment, movement }: Execution): DecidedOutcome<undefined> {
  if (isCancelledRefund(movement)) return { kind: 'unchanged', payment, result: undefined };
  if (movement.state === 'pending') return pendingOutcome({ payment, movement }, false);
  const name = movement.state === 'approved' ? 'refund_was_done_meanwhile' : 'refund_has_failed';
  return { kind: 'refused', refusal: { name }, payment };
}

/** A refund that the simulator left open cannot be executed by anyone else: no promise is needed. */
function decide(payment: Payment, refund: Movement, at: number): Decision | undefined {
  if (refund.state !== 'pending' || !isLocal(refund.acquirer)) return markRefundCancelled(payment, refund);
  const { change } = settle(payment, refund.id, REFUND_CANCELLED, at);
  return change && { change };
}

export const cancelRefund = (
  payments: Payments,
  { refundId, by, ...asked }: Cancelling,
): Promise<OperationOutcome<undefined>> =>
  operate(payments, {
    ...asked,
    target: refundId,
    isMovement: true,
    isRefusalFinal: true,
    outcomeOf,
    decide: (payment, at) => {
      const refund = refundNamed(payment, refundId);
      if (refund === undefined) return undefined;
      const decision = cancelledBy(decide(payment, refund, at), refundId, by);
      // If its cancel was already requested, asks again.
      return { decision, result: undefined, ...(refund.state === 'pending' && { underWay: refund }) };
    },
  });
