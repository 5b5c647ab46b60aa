// The outcome of an operation, as a closed union: what was done and why not, in the terms of payments. The caller turns
// it into its answer: a status and a body, a page, a log message.
import type { Change, Decision } from '../domain/decision.ts';
import type { Movement } from '../domain/movement.ts';
import type { Payment } from '../domain/payment.ts';
import type { Refusal } from '../domain/refusal.ts';
import type { RecordedAnswer } from '../store/statements/recorded-answer.ts';

/** The answer, built before the commit; with a key it is recorded, and repeated requests get the same. */
type Recorded = { readonly recorded?: RecordedAnswer };

/** It was decided, and the change is committed. A refund is done once it is pending: it can be read as such. */
export type Made<Result> = Recorded & { readonly kind: 'made'; readonly change: Change; readonly result: Result };

/** There was nothing to change. */
export type Unchanged<Result> = { readonly kind: 'unchanged'; readonly payment: Payment; readonly result: Result };

/** One of the named refusals; with a change if something is stored anyway, such as an acquirer's decline. */
export type Refused = Recorded & {
  readonly kind: 'refused';
  readonly refusal: Refusal;
  readonly payment: Payment;
  readonly change?: Change;
};

/** The movement is committed, and its outcome at the acquirer is being determined. */
export type Pending = {
  readonly kind: 'pending';
  readonly movement: Movement;
  readonly payment: Payment;
  readonly hasKey: boolean;
};

/** The outcome of an operation that was decided. */
export type DecidedOutcome<Result> = Made<Result> | Unchanged<Result> | Refused | Pending;

/** The answer to the first request with the same key. */
export type Replayed = { readonly kind: 'replayed'; readonly recorded: RecordedAnswer };

export type OperationOutcome<Result> =
  | DecidedOutcome<Result>
  | Replayed
  | { readonly kind: 'not_found' }
  | { readonly kind: 'other_request_had_key' }
  | { readonly kind: 'outcome_of_key_is_open' };

/** Turns an outcome into the answer for an idempotency record. */
export type RecordAnswer<Result> = (outcome: DecidedOutcome<Result>) => RecordedAnswer;

/** The outcome of a decision once it is committed. */
export function outcomeOfDecision<Result>(
  decision: Decision,
  result: Result,
  payment: Payment,
): Made<Result> | Refused {
  const { change, refusal } = decision;
  if (change === undefined) return { kind: 'refused', refusal: decision.refusal, payment };
  return refusal ? { kind: 'refused', refusal, payment, change } : { kind: 'made', change, result };
}

/** A payment, and the movement that an acquirer executes. */
export type Execution = { readonly payment: Payment; readonly movement: Movement };

export function executionIn(payment: Payment | undefined, movementId: string | undefined): Execution {
  const movement = payment?.movements.find(({ id }) => id === movementId);
  if (payment === undefined || movement === undefined) throw new Error(`movement ${movementId} is gone`);
  return { payment, movement };
}

export const pendingOutcome = ({ payment, movement }: Execution, hasKey: boolean): Pending => ({
  kind: 'pending',
  movement,
  payment,
  hasKey,
});

/** The outcome of a movement: it follows from the movement alone, at any time. */
export function outcomeOfMovement<Result>(
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
