// The resolver finishes every movement whose outcome is not known, whichever process began it: at the start and all the
// time, with growing pauses. The acquirer is asked what came of it, and sent it again under the same id where it knows
// nothing of it. Movements are claimed in the database, so several processes share the work; the version of the payment
// lets each outcome in once. Each acquirer has slots of its own here, and nobody waits for another's: one that hangs holds
// up its own movements and no others.
import { AcquirerAway } from '../acquirers/circuit-breaker.ts';
import type { GuardedAcquirer } from '../acquirers/circuit-breaker.ts';
import { claimDueMovements } from '../store/payments/pending.ts';
import type { DueMovement } from '../store/payments/pending.ts';
import { startRunner } from '../ops/jobs.ts';
import type { JobObserver, Runner } from '../ops/jobs.ts';
import { checkpoint } from '../ops/checkpoints.ts';
import { lookOf } from '../ops/rests.ts';
import { resolveOutcome, settleOnce } from './execute-at-acquirer.ts';
import type { Payments } from './service.ts';

/** A run is a look for what is due. */
export type ResolverObserver = JobObserver & {
  readonly onResolved: (acquirer: string, result: 'approved' | 'declined') => void;
};

// Far fewer than the guard lets in, so that those who wait for an answer find room.
const MOST_AT_ONE_ACQUIRER = 32;
const PAUSE_MS = 500;

async function resolve(
  payments: Payments,
  acquirer: GuardedAcquirer,
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
  const guards = new Map<string, GuardedAcquirer>();
  return startRunner<DueMovement>(observer, notices, {
    name: 'resolve',
    everyMs: PAUSE_MS,
    claim: async ({ underWay }) => {
      const asked = Map.groupBy(underWay.keys(), ({ acquirer }) => acquirer);
      // What an acquirer would not let in is not claimed either: it stays due, and is asked about once it may be.
      const slotsAt = (name: string, guard: GuardedAcquirer): number =>
        Math.max(0, Math.min(MOST_AT_ONE_ACQUIRER - (asked.get(name)?.length ?? 0), guard.room()));
      const byAcquirer = new Map(Array.from(guards, ([name, guard]) => [name, slotsAt(name, guard)]));
      const { due, nextInMs } = await claimDueMovements(pool, { byAcquirer, others: MOST_AT_ONE_ACQUIRER });
      // A question can take longer than the pause to the next.
      const ids = new Set(underWay.keys().map(({ movementId }) => movementId));
      const pieces = due.filter(({ movementId }) => !ids.has(movementId));
      return { look: lookOf(due.length), dueInMs: nextInMs, pieces };
    },
    work: async (due) => {
      try {
        const guard = await payments.acquirers.find(due.acquirer);
        guards.set(due.acquirer, guard);
        await resolve(payments, guard, due, observer);
      } catch (error) {
        // It comes up again by itself.
        if (!(error instanceof AcquirerAway)) throw error;
      }
    },
    // Where many wait, the next come as soon as half of the slots are free.
    isWokenBy: ({ acquirer }, underWay) =>
      [...underWay.keys()].filter((other) => other.acquirer === acquirer).length === MOST_AT_ONE_ACQUIRER / 2,
  });
}
