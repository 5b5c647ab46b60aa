// What the victim is told to do, and what it tells back.
import type { Step } from '../plan.ts';

export const MEASURED = ['create', 'read', 'charge'] as const;
export type Measured = (typeof MEASURED)[number];

export type VictimPlan = {
  readonly port: number;
  readonly connections: number;
  /** Between two requests of one connection. */
  readonly everyMs: number;
  readonly warmUpMs: number;
  /** So many seconds count, and so many may pass at most until there are that many. */
  readonly seconds: number;
  readonly mostSeconds: number;
  /** One life of a payment, over and over. */
  readonly steps: readonly (Step & { readonly measuredAs?: Measured })[];
};

export type VictimResult = {
  /** That count, and that were left out because somebody else on the host took the processors. */
  readonly seconds: number;
  readonly leftOut: number;
  readonly counts: Readonly<Record<Measured, Uint32Array>>;
  readonly requests: Readonly<Record<Measured, number>>;
  /** By status; 0: no answer. A reservation that is refused counts as a charge that is. */
  readonly refused: Readonly<Record<Measured, Readonly<Record<number, number>>>>;
};
