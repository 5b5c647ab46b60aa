// The input of a commit: a change, the payment that it was decided on, and its idempotency record.
import type { Change } from '../../domain/decision.ts';
import type { Payment } from '../../domain/payment.ts';
import type { OutboxEntry } from '../audit/audit-outbox.ts';
import type { IdempotencyRecord, KeyedOperation } from './load.ts';

export type NewIdempotencyRecord = IdempotencyRecord & {
  readonly operation: KeyedOperation;
  readonly target: string;
  readonly key: string;
  /** Kept permanently. */
  readonly lasting?: boolean;
};

export type Renewal = {
  readonly subscriptionId: string;
  readonly version: number;
  /** The UTC day for which it counts. */
  readonly day: string;
  /** The payment that provided the card. */
  readonly cardPaymentId: string;
};

export type CommitRequest = {
  readonly change: Change;
  /** The payment as it was read; undefined for a create. */
  readonly before?: Payment | undefined;
  readonly record?: NewIdempotencyRecord | undefined;
  /**
   * For a charge of a subscription: the version of the subscription that it was decided on, which must still be
   * current.
   */
  readonly renewal?: Renewal | undefined;
  /** A person's action for the audit outbox, written in the same commit. */
  readonly act?: OutboxEntry | undefined;
  /** When it was decided, and the merchant's key that requested it, if any. */
  readonly made?: { readonly at: number; readonly keyId?: string | undefined } | undefined;
  /** How long only the process that made a pending movement asks about it; without it, it is due immediately. */
  readonly ownTryMs?: number | undefined;
};
