// The aggregate: a payment with its order, consumer, totals and movements, as plain data. The functions beside this file
// decide about changes; the invariants are asserted here and repeated in the database.
import type { Consumer } from './consumer.ts';
import { timeOf } from './id.ts';
import type { OrderItem } from './item.ts';
import type { Movement } from './movement.ts';
import type { Agreement } from './agreement.ts';

export type Order = {
  readonly amount: number;
  readonly currency: string;
  readonly reference?: string;
  readonly items: readonly OrderItem[];
};

export type WebHook = {
  readonly eventName: string;
  readonly url: string;
  /** Without one, no Authorization header is sent. */
  readonly authorization?: string;
  readonly headers?: readonly Readonly<Record<string, string>>[];
};

/** The settings of the checkout. `url` is in the payment, since the merchant may change it. */
export type Checkout = {
  readonly integrationType: 'EmbeddedCheckout' | 'HostedPaymentPage';
  readonly returnUrl?: string;
  readonly cancelUrl?: string;
  readonly termsUrl?: string;
  readonly charge?: boolean;
  readonly publicDevice?: boolean;
  readonly merchantHandlesConsumerData?: boolean;
  readonly consumerType?: { readonly default?: string; readonly supportedTypes?: readonly string[] };
  readonly shippingCountries?: readonly string[];
  readonly merchantHandlesShippingCost?: boolean;
  readonly shippingCostSpecified?: boolean;
  readonly appearance?: Readonly<Record<string, unknown>>;
  readonly webHooks?: readonly WebHook[];
  readonly platform?: string;
  /** The methods that the shop left on; absent: all there are. */
  readonly methods?: readonly string[];
  /** What paying by a method adds to the order. */
  readonly fees?: readonly { readonly method: string; readonly item: OrderItem }[];
  /** Where the shop takes the consumer to live: three letters of ISO 3166. */
  readonly countryCode?: string;
  /** The subscription that it begins, whose card it replaces, or of which it is a charge. */
  readonly subscription?: Agreement;
};

export const PAYMENT_TYPES = ['CARD', 'INVOICE', 'A2A', 'WALLET'] as const;

export type PaymentMethod = {
  /** A2A: from account to account. */
  readonly paymentType: (typeof PAYMENT_TYPES)[number];
  readonly paymentMethod: string;
  readonly maskedPan?: string;
  /** MMYY */
  readonly expiryDate?: string;
  /** D or C, for debit or credit, and the issuer's country code. Included in events, but in no API response. */
  readonly creditDebitIndicator?: string;
  readonly issuerCountry?: string;
  /** For a card: the same for every payment to this merchant, and useless to others. */
  readonly accountReference?: string;
  /** An invoice's: what makes the address of its PDF unguessable, and the language it is written in. */
  readonly invoice?: { readonly secret: string; readonly language?: string };
};

export type ChallengeState = 'open' | 'passed' | 'failed' | 'left';

/** A check of the consumer by their bank. */
export type Challenge = {
  /** Random, and part of the address of the bank's page; it is the bank that asks who they are. */
  readonly nonce: string;
  readonly state: ChallengeState;
  /** What the consumer sees at their bank. */
  readonly amount: number;
  /** The digest of the order that they agree to: a cart that was changed since is another order, at whatever amount. */
  readonly order: string;
  readonly openedAt: number;
  /** How many were opened in a row, each soon after the one before. */
  readonly tries: number;
  readonly acquirer: string;
  readonly source: string;
  readonly method: PaymentMethod;
  readonly language?: string;
  /** Where the bank asked them. */
  readonly acsUrl: string;
};

/** Sums over the movements. The -ing ones are set aside for pending movements. */
export type Totals = {
  readonly reserved: number;
  readonly charged: number;
  readonly charging: number;
  readonly cancelled: number;
  readonly cancelling: number;
  readonly refunded: number;
  readonly refunding: number;
};

export const NO_TOTALS: Totals = {
  reserved: 0,
  charged: 0,
  charging: 0,
  cancelled: 0,
  cancelling: 0,
  refunded: 0,
  refunding: 0,
};

export type Payment = {
  readonly id: string;
  readonly merchantId: number;
  /** Counts the changes; a change is committed only on the version that it was decided on. */
  readonly version: number;
  readonly order: Order;
  readonly checkoutUrl?: string;
  readonly checkout: Checkout;
  readonly consumer: Consumer;
  readonly method?: PaymentMethod;
  /** The latest check of the consumer by their bank; it stays when it is over. */
  readonly challenge?: Challenge;
  readonly myReference?: string;
  readonly terminatedAt?: number;
  readonly totals: Totals;
  readonly movements: readonly Movement[];
};

/** How long a payment can be paid and a reservation charged, by the clock at the moment of the request. */
export type Lifetimes = { readonly paymentMs: number; readonly reservationMs: number };

/** When a payment that is not reserved can no longer be paid. */
export const payableUntil = ({ id }: Pick<Payment, 'id'>, { paymentMs }: Lifetimes): number => timeOf(id) + paymentMs;

/** When what is left of a reservation can no longer be charged or cancelled. */
export const chargeableUntil = ({ id }: Pick<Movement, 'id'>, { reservationMs }: Lifetimes): number =>
  timeOf(id) + reservationMs;

/** What is reserved and neither charged nor cancelled, nor about to be. */
export function leftOfReservation({ totals: t }: Payment): number {
  return t.reserved - t.charged - t.charging - t.cancelled - t.cancelling;
}

export function reservationOf(payment: Payment): Movement | undefined {
  return payment.movements.find((movement) => movement.kind === 'reservation' && movement.state !== 'declined');
}

/** The invariants of every change; a violation is a defect, never the caller's fault. */
export function assertBalanced(payment: Payment): void {
  const { totals, order } = payment;
  const taken = totals.charged + totals.charging + totals.cancelled + totals.cancelling;
  if (Object.values(totals).some((sum) => !Number.isSafeInteger(sum) || sum < 0))
    throw new Error(`payment ${payment.id}: a total is negative or not whole`);
  if (taken > totals.reserved) throw new Error(`payment ${payment.id}: more is taken than was reserved`);
  if (totals.reserved > order.amount) throw new Error(`payment ${payment.id}: more is reserved than was ordered`);
  if (totals.refunded + totals.refunding > totals.charged)
    throw new Error(`payment ${payment.id}: more is refunded than was charged`);
}
