// The port to whoever holds the money. Four kinds of calls, each with the movement's own id as idempotency key, and a
// question by that id. A local acquirer is a pure function, asked between decision and commit and asked again after a
// conflict. A remote one is another machine: it is asked between two commits, since its answer can be lost, and an
// answer that was lost is never guessed.
import type { Outcome } from '../domain/settle.ts';

export type AcquirerRequest = {
  /** Our id of the movement: what makes a repeated call the same call. */
  readonly movementId: string;
  readonly kind: 'reservation' | 'charge' | 'refund' | 'cancel';
  readonly amount: number;
  readonly currency: string;
  /** The opaque source of the payment's reservation. */
  readonly source: string;
  /** The movement on whose money this draws: the reservation itself, for a reservation its own id. */
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

/** Nobody knows: it was not answered in time, or the answer was cut, or it says itself that it does not know. */
export type Unknown = {
  readonly result: 'unknown';
  /** For whoever reads the log. */
  readonly why?: string;
  /** There were too many calls: this one came to nothing, and may come again after so long. */
  readonly againAfterMs?: number;
  /** There was no connection, so it never left: nobody can have acted on this one. */
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
   * Gives what came of it, as `find` does; but what was not found then is not done after that either, however late a
   * request for it arrives.
   */
  forbid(movementId: string): Promise<Outcome | Unknown | NotFound>;
  /** Its book, page by page, oldest first. Throws when it cannot be had. */
  book(query: BookQuery): Promise<BookPage>;
};

export type Acquirer = LocalAcquirer | RemoteAcquirer;
