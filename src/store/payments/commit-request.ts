// What is asked of a commit: a change, the payment as it was decided on, and the idempotency record that goes with it.
import type { Change } from '../../domain/decision.ts';
import type { Payment } from '../../domain/payment.ts';
import type { WaitingAct } from '../audit/audit-waits.ts';
import type { IdempotencyRecord, KeyedOperation } from './load.ts';

export type NewIdempotencyRecord = IdempotencyRecord & {
  readonly operation: KeyedOperation;
  readonly target: string;
  readonly key: string;
  /** Kept for good. */
  readonly lasting?: boolean;
};

export type Renewal = {
  readonly subscriptionId: string;
  readonly version: number;
  /** The UTC day for which it counts. */
  readonly day: string;
  /** The payment that had brought the card. */
  readonly cardPaymentId: string;
};

export type CommitRequest = {
  readonly change: Change;
  /** The payment as it was read; undefined for a create. */
  readonly before?: Payment | undefined;
  readonly record?: NewIdempotencyRecord | undefined;
  /** Of a charge of a subscription: it is let in only on the version of the subscription that it was decided on. */
  readonly renewal?: Renewal | undefined;
  /** What a person did, of whom the audit is to tell: it waits for its record from the same commit on. */
  readonly act?: WaitingAct | undefined;
  /** When it was decided, and by which key of the merchant it was asked for, if by one. */
  readonly made?: { readonly at: number; readonly keyId?: string | undefined } | undefined;
  /** For so long whoever made a pending movement asks about it alone; without it, it is due at once. */
  readonly ownTryMs?: number | undefined;
};
