// Requests with an Idempotency-Key: how the key names a request, and what whoever brings it again is given.
import type { IdempotencyRecord, KeyedOperation, RecordedAnswer } from '../store/load.ts';
import type { Timeline } from '../store/timeline.ts';
import type { OperationOutcome, Replayed } from './outcome.ts';
import type { Payments } from './service.ts';

export type IdempotencyKey = {
  readonly key: string;
  /** SHA-256 of the request's JSON as it was meant, in hex. */
  readonly request: string;
  /** Of the JSON as it came, where it was spelled otherwise: earlier versions recorded that. */
  readonly asSent?: string;
};

/** What a key came to that was brought before. */
export type FoundByKey = Replayed | { readonly kind: 'other_request_had_key' | 'first_request_still_runs' };

/** A key is one request's, for one operation on one thing. */
export const keyNameOf = (operation: KeyedOperation, target: string, { key }: IdempotencyKey): string =>
  `${operation} ${target} ${key}`;

/** An outcome that was not known when the record was made may be by now: then the answer is made late. */
export function replay(
  { request, recorded }: IdempotencyRecord,
  idempotency: IdempotencyKey,
  recordLate?: () => RecordedAnswer | undefined,
): FoundByKey {
  if (request !== idempotency.request && request !== idempotency.asSent) return { kind: 'other_request_had_key' };
  const answer = recorded ?? recordLate?.();
  return answer ? { kind: 'replayed', recorded: answer } : { kind: 'first_request_still_runs' };
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
  const saysNothing = found.kind === 'other_request_had_key' || found.kind === 'first_request_still_runs';
  if (timeline !== undefined && !saysNothing) await store.confirm(timeline);
  return found;
}
