// A merchant and its settings. The mode, test or live, and the number never change.
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
  /** Charges, refunds and cancels may only name items that are left. */
  readonly strictItems: boolean;
  /** A charge or cancel of a created payment reserves it first. Test merchants only. */
  readonly reserveOnDemand: boolean;
  /** The acquirer of new reservations: `simulator`, or the name of a remote one. */
  readonly acquirer: string;
  /** Whether its people need more than a one-time link to sign in. */
  readonly secondFactor: boolean;
  /** The amounts above which a refund at the console requires confirmation. */
  readonly refundProof?: RefundProof;
  readonly checkoutKey: string;
  /** Where everything of it lives, its home first. They never change, since an idempotency key chooses by them. */
  readonly parts: Parts;
  /** The secret for the references of its consumers' cards; never shown. */
  readonly accountSecret: string;
  /** The brand colour of its checkout, as #rrggbb; undefined for the default. */
  readonly colour?: string;
  /** The digest of its logo. */
  readonly logo?: string;
  /** The seller on its invoices, if set. */
  readonly seller?: Seller;
  /** Since when it is disabled; undefined if it is enabled. */
  readonly disabledAt?: number;
  /** How far its test clock is ahead of real time, if it is. Test merchants only. */
  readonly clockAheadMs?: number;
  readonly createdAt: number;
};

/** The in-process acquirer. It has no row in the database, where it is stored as null. */
export const SIMULATOR = 'simulator';
