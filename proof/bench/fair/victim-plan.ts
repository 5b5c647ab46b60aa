// What the victim is told to do, what it tells back, and how that of several turns is added up.
import { Histogram } from '../histogram.ts';
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

const addCounts = (all: readonly Readonly<Record<number, number>>[]): Record<number, number> => {
  const sums: Record<number, number> = {};
  for (const counts of all)
    for (const [key, count] of Object.entries(counts)) sums[Number(key)] = (sums[Number(key)] ?? 0) + count;
  return sums;
};

const ofEach = <Value>(make: (kind: Measured) => Value): Record<Measured, Value> => ({
  create: make('create'),
  read: make('read'),
  charge: make('charge'),
});

/** What was noticed in several turns. */
export function addVictimResults(results: readonly VictimResult[]): VictimResult {
  const sum = (of: (result: VictimResult) => number): number => results.reduce((total, each) => total + of(each), 0);
  return {
    seconds: sum(({ seconds }) => seconds),
    leftOut: sum(({ leftOut }) => leftOut),
    counts: ofEach((kind) => {
      const histogram = new Histogram();
      for (const { counts } of results) histogram.add(new Histogram(counts[kind]));
      return histogram.counts;
    }),
    requests: ofEach((kind) => sum(({ requests }) => requests[kind])),
    refused: ofEach((kind) => addCounts(results.map(({ refused }) => refused[kind]))),
  };
}
