// Cancels a refund whose outcome is not known yet. The wish is committed first, then the acquirer is asked for its promise,
// then what it said is committed: cut anywhere, the resolver finds the wish and goes on from there. A refund that its
// acquirer has done meanwhile stays done.
import { isCancelledRefund, markRefundCancelled, REFUND_CANCELLED, refundNamed } from '../domain/cancel-refund.ts';
import type { Decision } from '../domain/decision.ts';
import type { Merchant } from '../domain/merchant.ts';
import type { Movement } from '../domain/movement.ts';
import type { Payment } from '../domain/payment.ts';
import { settle } from '../domain/settle.ts';
import { checkpoint } from '../ops/checkpoints.ts';
import type { LoadRequest } from '../store/payments/load.ts';
import { isLocal } from './acquirers.ts';
import { cancelledBy } from './attribution.ts';
import type { Canceller } from './attribution.ts';
import { resolveOutcome, settleOnce } from './execute-at-acquirer.ts';
import type { Execution } from './execute-at-acquirer.ts';
import { confirmed } from './idempotency.ts';
import { operate } from './operate.ts';
import type { Operation } from './operate.ts';
import type { OperationOutcome } from './outcome.ts';
import type { Payments } from './service.ts';

type Cancelling = {
  readonly merchant: Merchant;
  readonly refundId: string;
  readonly by: Canceller;
  readonly onLarge?: LoadRequest['onLarge'];
  readonly tell?: Operation<undefined>['tell'];
};

const NOTHING = { kind: 'not_found' } as const;

/** What a refund that was to be cancelled came to. */
function outcomeOf({ payment, movement }: Execution): OperationOutcome<undefined> {
  if (isCancelledRefund(movement)) return { kind: 'unchanged', payment, result: undefined };
  if (movement.state === 'pending') return { kind: 'pending', payment, movement, hasKey: false };
  const name = movement.state === 'approved' ? 'refund_was_done_meanwhile' : 'refund_has_failed';
  return { kind: 'refused', refusal: { name }, payment };
}

/** Asks the acquirer for its promise, and commits what it says; still pending when it says nothing. */
async function carryOut(payments: Payments, payment: Payment, movement: Movement): Promise<Execution> {
  const { timeouts, onUnknown } = payments.acquirers;
  const acquirer = await payments.acquirers.find(movement.acquirer);
  const stayUnknown = (why = 'it does not answer'): Execution => {
    onUnknown({ acquirer: acquirer.name, paymentId: payment.id, movementId: movement.id, why });
    return { payment, movement };
  };
  try {
    await checkpoint('before send', payment.id);
    const outcome = await resolveOutcome(acquirer, { payment, movement }, timeouts);
    await checkpoint('after send', payment.id);
    if (outcome.result === 'unknown') return stayUnknown(outcome.why);
    return await settleOnce(payments, { paymentId: payment.id, movementId: movement.id }, outcome);
  } catch (error) {
    // That nothing was done would be wrong, and the resolver writes it later.
    return stayUnknown(`its answer could not be written, ${(error as Error).message}`);
  }
}

/** One that the simulator has left open nobody else can carry out: there is nobody to ask for a promise. */
function decide(payment: Payment, refund: Movement, at: number): Decision | undefined {
  if (refund.state !== 'pending' || !isLocal(refund.acquirer)) return markRefundCancelled(payment, refund);
  const { change } = settle(payment, refund.id, REFUND_CANCELLED, at);
  return change && { change };
}

export async function cancelRefund(
  payments: Payments,
  { merchant, refundId, by, onLarge, tell }: Cancelling,
): Promise<OperationOutcome<undefined>> {
  const asked = { merchantId: merchant.id, target: refundId, isMovement: true, onLarge };
  const { payment: found, timeline } = await payments.store.load(asked);
  const refund = found && refundNamed(found, refundId);
  if (refund === undefined) return confirmed(payments, NOTHING, timeline);
  // An acquirer that is not to be asked now is told of before anything is written.
  const isAsked = refund.state === 'pending' && !isLocal(refund.acquirer);
  const leave = isAsked ? await (await payments.acquirers.find(refund.acquirer)).enter() : undefined;
  try {
    const outcome = await operate(payments, {
      merchant,
      target: refundId,
      isMovement: true,
      isRefusalFinal: true,
      onLarge,
      ...(tell && { tell }),
      decide: (payment, at) => {
        const movement = refundNamed(payment, refundId);
        if (movement === undefined) return undefined;
        return { decision: cancelledBy(decide(payment, movement, at), refundId, by), result: undefined };
      },
    });
    if (outcome.kind !== 'made' && outcome.kind !== 'unchanged') return outcome;
    const payment = outcome.kind === 'made' ? outcome.change.payment : outcome.payment;
    const movement = refundNamed(payment, refundId);
    if (movement?.state !== 'pending') return outcome;
    await checkpoint('intent committed', payment.id);
    const done = outcomeOf(await carryOut(payments, payment, movement));
    await checkpoint('before answer', payment.id);
    return done;
  } finally {
    leave?.();
  }
}
