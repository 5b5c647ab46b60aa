// The port to whoever holds the money. Four calls, each with the movement's own id as idempotency key. A local acquirer
// is a pure function, asked between decision and commit and asked again after a conflict; a remote one will be asked
// between two commits, since its answer can be lost.
import type { Outcome } from '../domain/settle.ts';

export type AcquirerRequest = {
  /** Our id of the movement: what makes a repeated call the same call. */
  readonly movementId: string;
  readonly kind: 'reservation' | 'charge' | 'refund' | 'cancel';
  readonly amount: number;
  readonly currency: string;
  /** The opaque source of the payment's reservation. */
  readonly source: string;
};

export type LocalAcquirer = {
  readonly name: string;
  readonly isLocal: true;
  decide(request: AcquirerRequest): Outcome;
};
