// The resolver finishes every movement whose outcome is not known, whichever process began it: at the start and all the
// time, with growing pauses. The acquirer is asked what came of it, and sent it again under the same id where it knows
// nothing of it. Movements are claimed in the database, so several processes share the work; the version of the payment
// lets each outcome in once. Each acquirer has slots of its own here, and nobody waits for another's: one that hangs holds
// up its own movements and no others.
import { AcquirerAway } from '../acquirers/circuit-breaker.ts';
import type { GuardedAcquirer } from '../acquirers/circuit-breaker.ts';
import { claimDueMovements } from '../store/payments/pending.ts';
import type { DueMovement } from '../store/payments/pending.ts';
import type { JobObserver } from '../ops/jobs.ts';
import { checkpoint } from '../ops/checkpoints.ts';
import { Rests, SWEEP_EVERY_MS } from '../ops/rests.ts';
import { resolveOutcome, settleOnce } from './execute-at-acquirer.ts';
import type { Payments } from './service.ts';

/** A run is a look for what is due. */
export type ResolverObserver = JobObserver & {
  readonly onResolved: (acquirer: string, result: 'approved' | 'declined') => void;
};

// Far fewer than the guard lets in, so that those who wait for an answer find room.
const MOST_AT_ONE_ACQUIRER = 32;
const PAUSE_MS = 500;
const JOB = 'resolve';

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

export function startResolver(payments: Payments, observer: ResolverObserver): { stop(): Promise<void> } {
  const { pool, notices } = payments.store;
  const guards = new Map<string, GuardedAcquirer>();
  const counts = new Map<string, number>();
  const underWay = new Map<string, Promise<void>>();
  const stopping = new AbortController();
  const rests = new Rests(notices, { leastMs: PAUSE_MS, mostMs: SWEEP_EVERY_MS });

  const change = (acquirer: string, by: 1 | -1): number => {
    const count = (counts.get(acquirer) ?? 0) + by;
    counts.set(acquirer, count);
    return count;
  };

  /** What an acquirer would not let in is not claimed either: it stays due, and is asked about once it may be. */
  const slotsAt = (acquirer: string, guard: GuardedAcquirer): number =>
    Math.max(0, Math.min(MOST_AT_ONE_ACQUIRER - (counts.get(acquirer) ?? 0), guard.room()));

  const resolveSafely = async (due: DueMovement): Promise<void> => {
    change(due.acquirer, 1);
    try {
      const guard = await payments.acquirers.find(due.acquirer);
      guards.set(due.acquirer, guard);
      await resolve(payments, guard, due, observer);
    } catch (error) {
      // It comes up again by itself.
      if (!(error instanceof AcquirerAway)) observer.onTrouble(JOB, error);
    }
    // Where many wait, the next come as soon as half of the slots are free.
    if (change(due.acquirer, -1) === MOST_AT_ONE_ACQUIRER / 2) rests.wake();
  };

  const round = async (): Promise<void> => {
    const byAcquirer = new Map(Array.from(guards, ([name, guard]) => [name, slotsAt(name, guard)]));
    const { due, nextInMs } = await claimDueMovements(pool, { byAcquirer, others: MOST_AT_ONE_ACQUIRER });
    for (const one of due) {
      // A question can take longer than the pause to the next.
      if (underWay.has(one.movementId)) continue;
      const resolving = resolveSafely(one).finally(() => underWay.delete(one.movementId));
      underWay.set(one.movementId, resolving);
    }
    rests.plan(due.length > 0 ? 'found' : 'nothing', { dueInMs: nextInMs });
  };

  const run = async (): Promise<void> => {
    while (!stopping.signal.aborted) {
      const startedAt = performance.now();
      const tell = (error?: unknown): void => observer.onRun(JOB, (performance.now() - startedAt) / 1_000, error);
      await round().then(
        () => tell(),
        (error: unknown) => {
          tell(error);
          rests.plan('failed');
        },
      );
      await rests.wait();
    }
    await Promise.all(underWay.values());
  };
  const running = run();
  return {
    stop: () => {
      stopping.abort();
      rests.end();
      return running;
    },
  };
}
