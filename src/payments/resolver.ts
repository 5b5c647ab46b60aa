// The resolver finishes every movement whose outcome is not known, whichever process began it: at the start and all the
// time, with growing pauses. Movements are claimed in the database, so several processes share the work; the version of
// the payment lets each outcome in once.
import { setTimeout as sleep } from 'node:timers/promises';
import { AcquirerAway } from '../acquirers/guard.ts';
import { claimDueMovements, countPending } from '../store/pending.ts';
import type { DueMovement, PendingCount } from '../store/pending.ts';
import { reached } from '../ops/steps.ts';
import { ask, settleOnce } from './carry-out.ts';
import type { Payments } from './service.ts';

export type ResolverObserver = {
  readonly onPending: (counts: readonly PendingCount[]) => void;
  readonly onResolved: (acquirer: string, result: 'approved' | 'declined') => void;
  readonly onTrouble: (error: unknown) => void;
};

const MOST_AT_ONCE = 32;
const PAUSE_MS = 500;
const COUNT_EVERY_MS = 5_000;

async function resolve(payments: Payments, due: DueMovement, observer: ResolverObserver): Promise<void> {
  const { payment } = await payments.store.load({ merchantId: null, target: due.paymentId });
  const movement = payment?.movements.find(({ id }) => id === due.movementId);
  if (payment === undefined || movement?.state !== 'pending') return;
  const acquirer = await payments.acquirers.find(movement.acquirer);
  const leave = acquirer.enter();
  try {
    await reached('claimed', payment.id);
    const outcome = await ask(acquirer, { payment, movement }, payments.acquirers.patience);
    await reached('asked', payment.id);
    if (outcome.result === 'unknown') return;
    await settleOnce(payments, payment.id, movement.id, outcome);
    await reached('resolved', payment.id);
    observer.onResolved(movement.acquirer, outcome.result);
  } finally {
    leave();
  }
}

export function startResolver(payments: Payments, observer: ResolverObserver): { stop(): Promise<void> } {
  const { pool } = payments.store;
  const stopping = new AbortController();
  let countedAt = Number.NEGATIVE_INFINITY;

  const resolveSafely = (due: DueMovement): Promise<void> =>
    resolve(payments, due, observer).catch((error: unknown) => {
      // It comes up again by itself.
      if (!(error instanceof AcquirerAway)) observer.onTrouble(error);
    });

  const round = async (): Promise<number> => {
    const due = await claimDueMovements(pool, MOST_AT_ONCE);
    await Promise.all(due.map(resolveSafely));
    if (performance.now() - countedAt >= COUNT_EVERY_MS) {
      countedAt = performance.now();
      observer.onPending(await countPending(pool));
    }
    return due.length;
  };

  const rest = (): Promise<void> => sleep(PAUSE_MS, undefined, { signal: stopping.signal }).catch(() => {});

  const run = async (): Promise<void> => {
    while (!stopping.signal.aborted) {
      const found = await round().catch((error: unknown) => {
        observer.onTrouble(error);
        return 0;
      });
      if (found < MOST_AT_ONCE) await rest();
    }
  };
  const running = run();
  return {
    stop: () => {
      stopping.abort();
      return running;
    },
  };
}
