// A merchant: whose payments they are, how answers are spelled, and which rules are switched on. Test or live is for
// good; so is the number.
import type { RefundProof } from './refund-proof.ts';
import type { Seller } from './seller.ts';

export type DialectName = 'spec' | 'nexi';

/** At least one. */
export type Parts = readonly [number, ...number[]];

export type Merchant = {
  readonly id: number;
  readonly name: string;
  readonly live: boolean;
  readonly dialect: DialectName;
  /** Charges, refunds and cancels may only name items that are still there. */
  readonly strictItems: boolean;
  /** A charge or cancel of a created payment reserves it first. Test merchants only. */
  readonly reserveOnDemand: boolean;
  /** Where new reservations are made: `simulator`, or the name of an acquirer on another machine. */
  readonly acquirer: string;
  /** Whether its people sign in with more than a one-time link. */
  readonly secondFactor: boolean;
  /** Above which amounts a refund at the console asks for a fresh proof; left out where none does. */
  readonly refundProof?: RefundProof;
  readonly checkoutKey: string;
  /** Where everything of it lives, its home first. They never change, since an idempotency key chooses by them. */
  readonly parts: Parts;
  /** By which the references of its consumers' cards are made; never shown. */
  readonly accountSecret: string;
  /** Of its checkout, as #rrggbb; left out where it has the look that everybody has. */
  readonly colour?: string;
  /** The digest of its logo. */
  readonly logo?: string;
  /** What its invoices say of it; left out where nothing was given. */
  readonly seller?: Seller;
  /** Since when its keys are not taken; left out while they are. */
  readonly disabledAt?: number;
  /** How far the clock of its payments is ahead of the real one; left out where it is not. Test merchants only. */
  readonly clockAheadMs?: number;
  readonly createdAt: number;
};

/** The acquirer inside the process. The database has no row for it, and writes null where a merchant has it. */
export const SIMULATOR = 'simulator';
