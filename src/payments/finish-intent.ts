// What follows the commit of an intent: the movement is executed at its acquirer on another machine, and what came of it
// is the outcome, now or when somebody asks again with the same key.
import type { GuardedAcquirer } from '../acquirers/circuit-breaker.ts';
import { altered } from '../domain/decision.ts';
import type { Change } from '../domain/decision.ts';
import type { Payment } from '../domain/payment.ts';
import { checkpoint } from '../ops/checkpoints.ts';
import type { NewIdempotencyRecord } from '../store/payments/commit-request.ts';
import { Overloaded } from '../store/connections/group.ts';
import type { IdempotencyRecord } from '../store/payments/load.ts';
import type { RecordedAnswer } from '../store/statements/recorded-answer.ts';
import { executeAtAcquirer } from './execute-at-acquirer.ts';
import type { Execution } from './execute-at-acquirer.ts';
import type { DecidedOutcome, Made, Pending, RecordAnswer, Refused } from './outcome.ts';
import { LONGEST_TRY_MS } from './payment-lock.ts';
import type { Payments } from './service.ts';

/** A movement whose intent is committed, with all that is needed to finish it. */
export type Intent<Result> = {
  readonly execution: Execution;
  readonly acquirer: GuardedAcquirer;
  /** Gives back the slot at the acquirer. */
  readonly leave: () => void;
  /** When the time of its request is up, by a clock that nobody sets. */
  readonly until: number;
  readonly result: Result;
  /** With a key: its record, which has no answer yet, and what makes one. */
  readonly keyed?: { readonly record: NewIdempotencyRecord; readonly recordAnswer: RecordAnswer<Result> };
};

const pendingOutcome = ({ payment, movement }: Execution, hasKey: boolean): Pending => ({
  kind: 'pending',
  movement,
  payment,
  hasKey,
});

/** What a movement came to: it follows from the movement alone, whenever it is asked for. */
function outcomeOfMovement<Result>(
  { payment, movement }: Execution,
  result: Result,
  hasKey: boolean,
): Made<Result> | Refused | Pending {
  const change: Change = { payment, moved: [movement], events: [] };
  const { kind, acquirer, state } = movement;
  if (state === 'declined') {
    const { reason = '', details: { issuerCode } = {} } = movement;
    const code = issuerCode !== undefined && { issuerCode };
    const refusal = { name: 'acquirer_declined', kind, reason, acquirer, ...code } as const;
    return { kind: 'refused', refusal, payment, change };
  }
  // A refund has a state of its own for it, which the merchant can read.
  if (state === 'pending' && kind !== 'refund') return pendingOutcome({ payment, movement }, hasKey);
  return { kind: 'made', change, result };
}

export async function finishIntent<Result>(
  payments: Payments,
  { execution, acquirer, leave, until, result, keyed }: Intent<Result>,
): Promise<DecidedOutcome<Result>> {
  try {
    const settled = await executeAtAcquirer(payments, acquirer, execution, until);
    const outcome = keyed
      ? await recordIfPending(payments, settled, result, keyed)
      : outcomeOfMovement(settled, result, false);
    await checkpoint('before answer', execution.payment.id);
    return outcome;
  } finally {
    leave();
  }
}

/** The answer to a request whose outcome was not known when its record was made; undefined as long as it is not. */
export function recordLate<Result>(
  payment: Payment,
  { movementId }: IdempotencyRecord,
  recordAnswer: RecordAnswer<Result>,
): RecordedAnswer | undefined {
  const movement = payment.movements.find(({ id }) => id === movementId);
  if (movement === undefined || movement.state === 'pending') return undefined;
  // Only movements are recorded so, and their result is their id.
  return recordAnswer(outcomeOfMovement({ payment, movement }, movement.id as Result, true));
}

/**
 * A success that is told while the outcome is open is recorded first: it is given again, whatever comes of the movement
 * later. Whoever brings the key before that is told to wait, so one key has one answer; and when it cannot be recorded,
 * nothing is promised.
 */
async function recordIfPending<Result>(
  { store, acquirers }: Payments,
  settled: Execution,
  result: Result,
  { record, recordAnswer }: NonNullable<Intent<Result>['keyed']>,
): Promise<DecidedOutcome<Result>> {
  const giveUpAt = performance.now() + LONGEST_TRY_MS;
  let execution = settled;
  try {
    while (performance.now() < giveUpAt) {
      const outcome = outcomeOfMovement(execution, result, true);
      if (execution.movement.state !== 'pending' || outcome.kind === 'pending') return outcome;
      const { payment, timeline } = await store.load({ merchantId: null, target: record.paymentId });
      const movement = payment?.movements.find(({ id }) => id === record.movementId);
      if (payment === undefined || movement === undefined) throw new Error(`movement ${record.movementId} is gone`);
      execution = { payment, movement };
      if (movement.state !== 'pending') {
        if (timeline) await store.confirm(timeline);
        continue;
      }
      const recorded = recordAnswer(outcome);
      const change = altered(payment);
      if ((await store.commit({ change, before: payment, record: { ...record, recorded } })) !== 'committed') continue;
      await checkpoint('answer recorded', payment.id);
      return { ...outcome, recorded };
    }
    throw new Overloaded('it lost to others for too long');
  } catch (error) {
    const { payment, movement } = execution;
    const why = `its answer could not be kept, ${(error as Error).message}`;
    acquirers.onUnknown({ acquirer: movement.acquirer, paymentId: payment.id, movementId: movement.id, why });
    return pendingOutcome(execution, true);
  }
}
