// Requests with an Idempotency-Key: how the key names a request, and what whoever brings it again is given. While the first
// one is under way there is no record yet: the second waits for it, at the payment's lock or at the gate of its commit, and
// finds its answer then. Only where the first has committed an intent and its acquirer has not said what came of it (the
// request itself may be over by then) is the outcome of the key open.
import type { Payment } from '../domain/payment.ts';
import type { IdempotencyRecord, KeyedOperation } from '../store/payments/load.ts';
import type { RecordedAnswer } from '../store/statements/recorded-answer.ts';
import type { Execution, Replayed } from './outcome.ts';

export type IdempotencyKey = {
  readonly key: string;
  /** SHA-256 of the request's JSON as it was meant, in hex. */
  readonly request: string;
};

/** An operation that takes a key, the one that its request brought, and what makes the answer that is kept under it. */
export type Keyed<Decided> = {
  readonly operation: KeyedOperation;
  readonly idempotency: IdempotencyKey | undefined;
  readonly recordAnswer: (outcome: Decided) => RecordedAnswer;
  /** The record is kept for good. */
  readonly lasting?: boolean;
};

/** What a key came to that was brought before. */
export type FoundByKey = Replayed | { readonly kind: 'other_request_had_key' | 'outcome_of_key_is_open' };

/** A key is one request's, for one operation on one thing. */
export const keyNameOf = (
  { operation, idempotency }: Pick<Keyed<never>, 'operation' | 'idempotency'>,
  target: string,
): string | undefined => idempotency && `${operation} ${target} ${idempotency.key}`;

/**
 * What the first request was answered. An outcome that was not known when the record was made may be by now: then the
 * answer is made late, of the movement that the record names.
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
