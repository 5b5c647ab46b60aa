// What a slice of load came to, and how slices are added up. Kassa and the floors are measured by the same terms: only
// what was answered between the warm-up and the end counts.
import { Histogram } from './histogram.ts';

export type Measure = {
  readonly requests: number;
  readonly seconds: number;
  readonly latencies: Histogram;
};

/** Of Kassa only: what its process used. All requests of a slice count here, those of the warm-up too. */
export type Usage = {
  readonly requests: number;
  readonly cpuSeconds: number;
  readonly commits: number;
  readonly committed: number;
  readonly loads: number;
  readonly loaded: number;
};

export const rateOf = ({ requests, seconds }: Measure): number => (seconds > 0 ? requests / seconds : 0);

export function addMeasures(measures: readonly Measure[]): Measure {
  const latencies = new Histogram();
  for (const measure of measures) latencies.add(measure.latencies);
  return {
    requests: measures.reduce((sum, { requests }) => sum + requests, 0),
    seconds: measures.reduce((sum, { seconds }) => sum + seconds, 0),
    latencies,
  };
}

export function addUsages(usages: readonly Usage[]): Usage {
  const sum = (field: keyof Usage): number => usages.reduce((total, usage) => total + usage[field], 0);
  return {
    requests: sum('requests'),
    cpuSeconds: sum('cpuSeconds'),
    commits: sum('commits'),
    committed: sum('committed'),
    loads: sum('loads'),
    loaded: sum('loaded'),
  };
}
