// What a page of the checkout is made from: plain data, so that pages are drawn by pure functions and every state of a
// payment has one page of its own.
import type { Payment, PaymentMethod } from '../domain/payment.ts';
import type { Subscription } from '../domain/subscription.ts';
import type { Language } from '../pages/language.ts';
import type { PastCharge } from '../store/payments/renewals.ts';
import type { Purchase } from './subscription-purchases.ts';

export type Mode = 'hosted' | 'embedded';

/** Where a payment stands for its consumer. `unavailable`: a live shop, for which no acquirer's card fields are there. */
export type CheckoutState = 'open' | 'paid' | 'pending' | 'expired' | 'terminated' | 'unavailable';

/** How the last try ended that did not pay. */
export type LastTry = 'declined' | 'challenge_failed' | 'declined_in_app';

/** What every page has, also one that knows no payment. */
export type Frame = {
  readonly mode: Mode;
  readonly language: Language;
  /** The path below which the service stands, without a slash at the end. */
  readonly root: string;
  /** Addresses of what the page loads. */
  readonly assets: { readonly css: string; readonly js: string };
  /** The address of the style of the merchant's colour, where it has one. */
  readonly colour?: string;
  /** The page's own address without `language`, to which the language switch adds it. */
  readonly self: string;
};

export type CheckoutView = Frame & {
  readonly state: CheckoutState;
  readonly payment: Payment;
  /** Which part of a long order is shown, from 1; the first where none is named. */
  readonly itemsPart?: number;
  readonly shopName: string;
  /** The address of its logo, which stands in place of the name. */
  readonly logo?: string;
  readonly live: boolean;
  readonly checkoutKey: string;
  readonly lastTry?: LastTry;
  /** The page of a challenge that is still open: of the bank, or of an app. */
  readonly challengeUrl?: string;
  /** The app that was asked last, where it was one. */
  readonly app?: string;
  /** The origin of the shop's page, the only one that may frame an embedded checkout. */
  readonly shopOrigin?: string;
  /** Where the consumer goes after paying, with the payment's id in it. */
  readonly returnUrl?: string;
  /** Of a payment that has just begun a subscription, or given it another card: the page to see and end it. */
  readonly subscriptionUrl?: string;
  readonly shippingCostMissing: boolean;
  /** Of the pictures that the page may show. */
  readonly pictureOrigins: readonly string[];
};

/** Where a subscription stands for its consumer. */
export type SubscriptionStanding = 'active' | 'needs_card' | 'ended' | 'expired';

export type SubscriptionView = Frame & {
  /** By the merchant's clock. */
  readonly at: number;
  readonly shopName: string;
  readonly logo?: string;
  readonly live: boolean;
  readonly standing: SubscriptionStanding;
  readonly subscription: Subscription;
  /** The latest, the newest first; what was bought in the checkout is among them. */
  readonly charges: readonly (PastCharge | Purchase)[];
  /** What it began with, as the shop calls it. */
  readonly product?: string;
  readonly orderReference?: string;
  /** Where its shop is. */
  readonly shopUrl?: string;
  readonly hasOlder: boolean;
  /** Whether anything was charged since the consumer agreed. */
  readonly hasRenewals: boolean;
  /** Whether the consumer is asked if they mean it. */
  readonly isAsked: boolean;
  /** Where that is asked, and where the answer is sent. */
  readonly endUrl: string;
};

/** Why there is no checkout to show. */
export type Fault =
  | 'wrong_key'
  | 'no_such_payment'
  | 'no_such_subscription'
  | 'wrong_address'
  | 'too_many_requests'
  | 'database_away';

export type FaultView = Frame & { readonly fault: Fault };

/** The simulated bank's page, or that of a simulated app. */
export type ChallengeView = Frame & {
  readonly shopName: string;
  readonly amount: number;
  readonly currency: string;
  readonly method: PaymentMethod;
  readonly action: string;
};
