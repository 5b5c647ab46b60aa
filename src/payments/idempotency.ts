// Requests with an Idempotency-Key: how the key identifies a request, and how a repeated request is answered. While the
// first one is running there is no record yet: the second waits for it, at the payment lock or at the gate of its
// commit, and finds its answer then. The outcome of the key is only open if the first has committed an intent and the
// acquirer's outcome is unknown (the request itself may be over by then).
import type { Payment } from '../domain/payment.ts';
import type { IdempotencyRecord, KeyedOperation } from '../store/payments/load.ts';
import type { RecordedAnswer } from '../store/statements/recorded-answer.ts';
import type { Execution, Replayed } from './outcome.ts';

export type IdempotencyKey = {
  readonly key: string;
  /** SHA-256 of the request's JSON in canonical form, in hex. */
  readonly request: string;
};

/** An operation that takes a key, the key of its request, and what builds the recorded answer. */
export type Keyed<Decided> = {
  readonly operation: KeyedOperation;
  readonly idempotency: IdempotencyKey | undefined;
  readonly recordAnswer: (outcome: Decided) => RecordedAnswer;
  /** The record is kept permanently. */
  readonly lasting?: boolean;
};

/** The outcome for a key that was used before. */
export type FoundByKey = Replayed | { readonly kind: 'other_request_had_key' | 'outcome_of_key_is_open' };

/** A key identifies one request, for one operation on one object. */
export const keyNameOf = (
  { operation, idempotency }: Pick<Keyed<never>, 'operation' | 'idempotency'>,
  target: string,
): string | undefined => idempotency && `${operation} ${target} ${idempotency.key}`;

/**
 * The answer to the first request. If its outcome was unknown when the record was made, it may be known by now: then
 * the answer is built late, from the movement in the record.
 */
export function replay<Decided extends { readonly kind: string }>(
  { request, recorded, movementId }: IdempotencyRecord,
  { idempotency, recordAnswer }: Keyed<Decided>,
  payment?: Payment,
  outcomeOf?: (execution: Execution) => Decided,
): FoundByKey {
  if (request !== idempotency?.request) return { kind: 'other_request_had_key' };
  if (recorded) return { kind: 'replayed', recorded };
  const movement = payment?.movements.find(({ id }) => id === movementId);
  const outcome = payment && movement && movement.state !== 'pending' && outcomeOf?.({ payment, movement });
  return !outcome || outcome.kind === 'pending'
    ? { kind: 'outcome_of_key_is_open' }
    : { kind: 'replayed', recorded: recordAnswer(outcome) };
}
