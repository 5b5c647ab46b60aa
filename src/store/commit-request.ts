// What is asked of a commit: a change, the payment as it was decided on, and the idempotency record that goes with it.
import type { Change } from '../domain/decision.ts';
import type { Payment } from '../domain/payment.ts';
import type { IdempotencyRecord, KeyedOperation } from './load.ts';

export type NewIdempotencyRecord = IdempotencyRecord & {
  readonly operation: KeyedOperation;
  readonly target: string;
  readonly key: string;
};

export type CommitRequest = {
  readonly change: Change;
  /** The payment as it was read; undefined for a create. */
  readonly before?: Payment;
  readonly record?: NewIdempotencyRecord;
  /** For so long whoever made a pending movement asks about it alone; without it, it is due at once. */
  readonly ownTryMs?: number;
};
