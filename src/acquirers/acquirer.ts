// The acquirer port. Four kinds of operations, each with the movement's id as idempotency key, and a lookup by that id. A
// local acquirer is a pure function, called between decision and commit and again after a conflict. A remote one is called
// between two commits, since its response can be lost, and a lost outcome is never guessed.
import type { Outcome } from '../domain/settle.ts';

export type AcquirerRequest = {
  /** Our id of the movement, which makes retries idempotent. */
  readonly movementId: string;
  readonly kind: 'reservation' | 'charge' | 'refund' | 'cancel';
  readonly amount: number;
  readonly currency: string;
  /** The opaque source of the payment's reservation. */
  readonly source: string;
  /** The id of the reservation this draws on; for a reservation, its own id. */
  readonly reservationId: string;
  /** A refund's: the charge it gives back. */
  readonly chargeId?: string;
  /**
   * Of a subscription. `store`: the consumer is there and agrees that the source is used again. `scheduled` and
   * `unscheduled`: it is used again, by the merchant, without them.
   */
  readonly credential?: 'store' | 'scheduled' | 'unscheduled';
};

export type LocalAcquirer = {
  readonly name: string;
  readonly isLocal: true;
  decide(request: AcquirerRequest): Outcome;
};

/** The outcome is unknown: a timeout, a truncated response, or the acquirer does not know itself. */
export type Unknown = {
  readonly result: 'unknown';
  /** For the log. */
  readonly why?: string;
  /** Rate limited: nothing was done, and a retry is possible after this time. */
  readonly againAfterMs?: number;
  /** There was no connection, so the request was never sent. */
  readonly notSent?: true;
};
/** The acquirer has never heard of it. */
export type NotFound = { readonly result: 'not_found' };

/** A line of an acquirer's book: what it did, under our id. */
export type BookLine = {
  readonly movementId: string;
  readonly kind: AcquirerRequest['kind'];
  readonly state: 'approved' | 'declined';
  readonly amount: number;
  readonly currency: string;
  /** By the acquirer's own clock. */
  readonly at: number;
};

export type BookQuery = { readonly fromMs?: number; readonly toMs?: number; readonly after?: string };
export type BookPage = { readonly lines: readonly BookLine[]; readonly next?: string };

export type RemoteAcquirer = {
  readonly name: string;
  readonly isLocal: false;
  /** Neither this one nor the next two ever throw. */
  send(request: AcquirerRequest): Promise<Outcome | Unknown>;
  find(movementId: string): Promise<Outcome | Unknown | NotFound>;
  /**
   * Returns the outcome, as `find` does; but if there is none, the acquirer promises never to carry the operation out,
   * however late a request arrives.
   */
  forbid(movementId: string): Promise<Outcome | Unknown | NotFound>;
  /** Its book, page by page, oldest first. Throws if it is unavailable. */
  book(query: BookQuery): Promise<BookPage>;
};

export type Acquirer = LocalAcquirer | RemoteAcquirer;
