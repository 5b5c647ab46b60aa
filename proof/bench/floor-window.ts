// Turns a list of finished transactions into a measure. A floor's connections are new and cold at first, and some
// clients are done with their share before others: what counts is the time between.
import { Histogram } from './histogram.ts';
import type { Measure } from './measure.ts';

export type Finished = {
  readonly client: number;
  readonly endUs: number;
  readonly tookUs: number;
};

export type FloorMeasure = Measure & {
  /** Transactions a second over all of the time, cold or not: how many it takes to fill a slice. */
  readonly pace: number;
};

export function measureFinished(finished: readonly Finished[], warmUpMs: number): FloorMeasure {
  const start = finished.reduce((least, { endUs, tookUs }) => Math.min(least, endUs - tookUs), Infinity);
  const from = start + warmUpMs * 1_000;
  const lastOf = new Map<number, number>();
  for (const { client, endUs } of finished) lastOf.set(client, Math.max(lastOf.get(client) ?? 0, endUs));
  const until = Math.min(...lastOf.values());
  const counted = finished.filter(({ endUs }) => endUs >= from && endUs < until);
  const latencies = new Histogram();
  for (const { tookUs } of counted) latencies.record(tookUs);
  return {
    requests: counted.length,
    seconds: Math.max(0, until - from) / 1e6,
    latencies,
    pace: finished.length / ((until - start) / 1e6),
  };
}
