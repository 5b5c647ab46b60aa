// A movement of money on a payment: the reservation, a charge, a refund, a cancel. It is pending from the moment its
// amount is set aside until the acquirer's outcome is known.
import type { OrderItem } from './item.ts';
import type { Seller } from './seller.ts';

export type MovementKind = 'reservation' | 'charge' | 'refund' | 'cancel';
export type MovementState = 'pending' | 'approved' | 'declined';

/** What else is known of a movement: what the shop said of it, and what came of it beyond its state. */
export type MovementDetails = {
  /** The merchant's own name of it; told in its events in place of the payment's. */
  readonly myReference?: string;
  /** A charge's: it is the last one, so what it leaves of the reservation is cancelled once it is approved. */
  readonly finalCharge?: true;
  /** A charge's: how the goods travel, and what the method of payment is to know it by. */
  readonly shipping?: { readonly trackingNumber?: string; readonly provider?: string };
  readonly paymentMethodReference?: string;
  /** The person who asked for it at the console, by their id. */
  readonly askedBy?: string;
  /** The key of the merchant that asked for it, by its id. */
  readonly askedByKey?: string;
  /** Its outcome was found by the resolver, after whoever asked for it had gone. */
  readonly isResolved?: true;
  /** A declined one's: the code of two digits that the bank of the card gave. */
  readonly issuerCode?: string;
  /** A refund's: its merchant wants it cancelled, so its acquirer is asked to forbid it, and no longer to do it. */
  readonly cancelAsked?: true;
  /** A refund's, once it is: it is declined, but not by its acquirer. */
  readonly isCancelled?: true;
  /** A refund's whose cancel was asked for: the person or the key that did, by its id. */
  readonly cancelledBy?: string;
  readonly cancelledByKey?: string;
};

/** The invoice of a charge, or the credit note of a refund, once it is issued. */
export type Issued = {
  /** In the merchant's series, from 1 and without gaps. */
  readonly number: number;
  /** As it was known then. */
  readonly seller: Seller;
};

export type Movement = {
  readonly id: string;
  readonly kind: MovementKind;
  readonly state: MovementState;
  /** Counts the movements of the payment from 1: their order. */
  readonly sequence: number;
  readonly amount: number;
  /** The items that the request named; null when it named none but is for the whole (then the whole's items show). */
  readonly items: readonly OrderItem[] | null;
  readonly updatedAt: number;
  readonly acquirer: string;
  /** A reservation's: the opaque name under which the acquirer knows the card or the invoice's account. */
  readonly source?: string;
  /** A refund's: the charge it gives back. */
  readonly chargeId?: string;
  /** A charge's: what of it was given back, and what is about to be. */
  readonly refunded: number;
  readonly refunding: number;
  readonly invoiceNumber?: string;
  /** A declined one's: the acquirer's reason. */
  readonly reason?: string;
  readonly details?: MovementDetails;
  /** Of an invoice payment. Given after the commit that approves it; no change of a payment writes it. */
  readonly issued?: Issued;
};

export const leftOfCharge = (charge: Movement): number => charge.amount - charge.refunded - charge.refunding;
