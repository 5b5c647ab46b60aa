// A movement of money on a payment: the reservation, a charge, a refund, a cancel. It is pending from the moment its
// amount is set aside until the acquirer's outcome is known.
import type { OrderItem } from './item.ts';
import type { Seller } from './seller.ts';

export type MovementKind = 'reservation' | 'charge' | 'refund' | 'cancel';
export type MovementState = 'pending' | 'approved' | 'declined';

/** Further details of a movement, from the shop and from the acquirer. */
export type MovementDetails = {
  /** The merchant's reference, used in its events instead of the payment's. */
  readonly myReference?: string;
  /** For a charge: it is the final one, so the rest of the reservation is cancelled once it is approved. */
  readonly finalCharge?: true;
  /** For a charge: shipping details, and the reference for the payment method. */
  readonly shipping?: { readonly trackingNumber?: string; readonly provider?: string };
  readonly paymentMethodReference?: string;
  /** The id of the console user who requested it. */
  readonly askedBy?: string;
  /** The id of the key that requested it. */
  readonly askedByKey?: string;
  /** Its outcome was found by the resolver, after the request had ended. */
  readonly isResolved?: true;
  /** If declined: the two-digit code of the card issuer. */
  readonly issuerCode?: string;
  /** For a refund: its cancel was requested, so the acquirer is asked to forbid it instead of carrying it out. */
  readonly cancelAsked?: true;
  /** For a cancelled refund: it is declined, but not by its acquirer. */
  readonly isCancelled?: true;
  /** For a refund: the id of the person or key that requested its cancel. */
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
  /** The items of the request; null if it named none and is for the whole amount, whose items are then shown. */
  readonly items: readonly OrderItem[] | null;
  readonly updatedAt: number;
  readonly acquirer: string;
  /** For a reservation: the acquirer's opaque reference of the card or invoice account. */
  readonly source?: string;
  /** A refund's: the charge it gives back. */
  readonly chargeId?: string;
  /** For a charge: the refunded amount, and the amount of pending refunds. */
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
