// The resolver finishes every movement with an unknown outcome, whichever process began it: at the start and
// continuously, with growing pauses. It asks the acquirer for the outcome, and sends the movement again under the same
// id if the acquirer does not know it. Movements are claimed in the database, so several processes share the work; the
// version of the payment lets each outcome be written once. Each acquirer has slots of its own, so that one that hangs
// delays only its own movements.
import { AcquirerAway } from '../acquirers/circuit-breaker.ts';
import type { ProtectedAcquirer } from '../acquirers/circuit-breaker.ts';
import { claimDueMovements } from '../store/payments/pending.ts';
import type { DueMovement } from '../store/payments/pending.ts';
import { startRunner } from '../ops/jobs.ts';
import type { JobObserver, Runner } from '../ops/jobs.ts';
import { checkpoint } from '../ops/checkpoints.ts';
import { lookOf } from '../ops/rests.ts';
import { resolveOutcome, settleOnce } from './execute-at-acquirer.ts';
import type { Payments } from './service.ts';

/** A run checks once for what is due. */
export type ResolverObserver = JobObserver & {
  readonly onResolved: (acquirer: string, result: 'approved' | 'declined') => void;
};

// Far fewer than the circuit breaker allows, so that there is room for requests that wait for an answer.
const MOST_AT_ONE_ACQUIRER = 32;
const PAUSE_MS = 500;

async function resolve(
  payments: Payments,
  acquirer: ProtectedAcquirer,
  due: DueMovement,
  observer: ResolverObserver,
): Promise<void> {
  const { payment } = await payments.store.load({ merchantId: null, target: due.paymentId });
  const movement = payment?.movements.find(({ id }) => id === due.movementId);
  if (payment === undefined || movement?.state !== 'pending') return;
  const leave = await acquirer.enter();
  try {
    await checkpoint('claimed', payment.id);
    const outcome = await resolveOutcome(acquirer, { payment, movement }, payments.acquirers.timeouts);
    await checkpoint('asked', payment.id);
    if (outcome.result === 'unknown') return;
    await settleOnce(payments, { paymentId: payment.id, movementId: movement.id, isResolved: true }, outcome);
    await checkpoint('resolved', payment.id);
    observer.onResolved(movement.acquirer, outcome.result);
  } finally {
    leave();
  }
}

export function startResolver(payments: Payments, observer: ResolverObserver): Runner {
  const { pool, notices } = payments.store;
  const acquirers = new Map<string, ProtectedAcquirer>();
  return startRunner<DueMovement>(observer, notices, {
    name: 'resolve',
    everyMs: PAUSE_MS,
    claim: async ({ underWay }) => {
      const asked = Map.groupBy(underWay.keys(), ({ acquirer }) => acquirer);
      // Movements of an acquirer that accepts no calls are not claimed: they stay due until it does.
      const slotsAt = (name: string, acquirer: ProtectedAcquirer): number =>
        Math.max(0, Math.min(MOST_AT_ONE_ACQUIRER - (asked.get(name)?.length ?? 0), acquirer.room()));
      const byAcquirer = new Map(Array.from(acquirers, ([name, acquirer]) => [name, slotsAt(name, acquirer)]));
      const { due, nextInMs } = await claimDueMovements(pool, { byAcquirer, others: MOST_AT_ONE_ACQUIRER });
      // A call can take longer than the pause until the next one.
      const ids = new Set(underWay.keys().map(({ movementId }) => movementId));
      const pieces = due.filter(({ movementId }) => !ids.has(movementId));
      return { look: lookOf(due.length), dueInMs: nextInMs, pieces };
    },
    work: async (due) => {
      try {
        const acquirer = await payments.acquirers.find(due.acquirer);
        acquirers.set(due.acquirer, acquirer);
        await resolve(payments, acquirer, due, observer);
      } catch (error) {
        // It will be due again.
        if (!(error instanceof AcquirerAway)) throw error;
      }
    },
    // If many are waiting, the next are claimed as soon as half of the slots are free.
    isWokenBy: ({ acquirer }, underWay) =>
      [...underWay.keys()].filter((other) => other.acquirer === acquirer).length === MOST_AT_ONE_ACQUIRER / 2,
  });
}
