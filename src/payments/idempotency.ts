// Requests with an Idempotency-Key: how the key names a request, and what whoever brings it again is given. While the first
// one is under way there is no record yet: the second waits for it, at the payment's lock or at the gate of its commit, and
// finds its answer then. Only where the first has committed an intent and its acquirer has not said what came of it (the
// request itself may be over by then) is the outcome of the key open.
import type { IdempotencyRecord, KeyedOperation } from '../store/payments/load.ts';
import type { RecordedAnswer } from '../store/statements/recorded-answer.ts';
import type { Timeline } from '../store/connections/timeline.ts';
import type { OperationOutcome, Replayed } from './outcome.ts';
import type { Payments } from './service.ts';

export type IdempotencyKey = {
  readonly key: string;
  /** SHA-256 of the request's JSON as it was meant, in hex. */
  readonly request: string;
};

/** What a key came to that was brought before. */
export type FoundByKey = Replayed | { readonly kind: 'other_request_had_key' | 'outcome_of_key_is_open' };

/** A key is one request's, for one operation on one thing. */
export const keyNameOf = (operation: KeyedOperation, target: string, { key }: IdempotencyKey): string =>
  `${operation} ${target} ${key}`;

/** An outcome that was not known when the record was made may be by now: then the answer is made late. */
export function replay(
  { request, recorded }: IdempotencyRecord,
  idempotency: IdempotencyKey,
  recordLate?: () => RecordedAnswer | undefined,
): FoundByKey {
  if (request !== idempotency.request) return { kind: 'other_request_had_key' };
  const answer = recorded ?? recordLate?.();
  return answer ? { kind: 'replayed', recorded: answer } : { kind: 'outcome_of_key_is_open' };
}

/**
 * An outcome that follows from what was found, and not from a commit of one's own, waits for the standby as well: whoever
 * is told that something was done, or cannot be done any more, relies on it.
 */
export async function confirmed<Outcome extends OperationOutcome<unknown>>(
  { store }: Payments,
  found: Outcome,
  timeline?: Timeline,
): Promise<Outcome> {
  const tellsNoOutcome = found.kind === 'other_request_had_key' || found.kind === 'outcome_of_key_is_open';
  if (timeline !== undefined && !tellsNoOutcome) await store.confirm(timeline);
  return found;
}
