// What both sides of a scenario share: what they are given, and the terms they are measured by.
import { drive } from './children.ts';
import type { Driven } from './children.ts';
import type { Measure } from './measure.ts';
import type { RunFloor } from './pgbench.ts';
import type { Work } from './plan.ts';
import { requestFor } from './requests.ts';
import type { Samples } from './samples.ts';
import type { PairedName, ScenarioName } from './scenarios.ts';
import type { Numbers } from './stock.ts';
import type { BenchSetup } from './setup.ts';

export type BareRoute = {
  readonly port: number;
  /** What it used of a processor so far. */
  readonly cpuSeconds: () => Promise<number>;
};

export type Run = {
  readonly setup: BenchSetup;
  readonly samples: Samples;
  readonly connections: number;
  readonly floorClients: number;
  readonly seconds: number;
  readonly runFloor: RunFloor;
  readonly bareRoute: BareRoute;
  /** The moment that stands in the ids of copies. */
  readonly timeMs: number;
  readonly signal: AbortSignal;
  readonly onProgress: (text: string) => void;
};

/** One side of a scenario: Kassa, or its floor. */
export type Side = {
  /** A first slice that is not counted: it warms up, and tells how fast the next one may be. */
  prepare(): Promise<void>;
  slice(seconds: number): Promise<Measure>;
};

// A floor's connections are new in every slice: their caches and plans are made in this time.
export const WARM_UP_MS = 750;
// Until a service that has just started has compiled what it runs most: a rate grows by a sixth in its first ten seconds.
const LONGEST_FIRST_SLICE_S = 10;

/** How long the first slice is: twice as long as all that count together, up to then. */
export const firstSliceOf = ({ seconds }: Pick<Run, 'seconds'>): number => Math.min(seconds * 2, LONGEST_FIRST_SLICE_S);

/** The state of the payments that an operation works on. */
export const STOCKS = { charge: 'reserved', cancel: 'reserved', refund: 'charged' } as const;

const MOST_TRIES = 5;

/** A slice that was over too early, since the one before it was slow, is tried again at the pace that it showed. */
export async function repeatTooShort(seconds: number, slice: () => Promise<Measure>): Promise<Measure> {
  for (let tries = 0; tries < MOST_TRIES; tries += 1) {
    const measure = await slice();
    if (measure.seconds > seconds / 2) return measure;
  }
  throw new Error(`${MOST_TRIES} slices in a row were too short: the machine is too busy to measure on`);
}

/** Numbers for copies: in one database, each is used once. */
export function numberCopies(): (count: number) => Numbers {
  let next = 0;
  return (count) => {
    const first = next;
    next += Math.ceil(count);
    return { first, end: next };
  };
}

export function workOnEach(
  run: Run,
  operation: Exclude<ScenarioName, 'life' | 'scattered' | PairedName>,
  ids: readonly string[],
  once: boolean,
  secretKey = run.setup.service.secretKey,
): Work {
  return { kind: 'each', ...requestFor(operation, secretKey), ids, once };
}

export const driveFor = (run: Run, port: number, seconds: number, work: Work): Promise<Driven> =>
  drive(run.setup.client, {
    port,
    connections: run.connections,
    warmUpMs: WARM_UP_MS,
    measureMs: seconds * 1_000,
    work,
  });
