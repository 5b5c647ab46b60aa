// Whether what was sampled is flat: the mean of the last quarter of the time is at most so much above that of the second.
// The first quarter does not count, since until something is old enough to be forgotten everything grows.
import { alignColumns } from '../bench/table.ts';
import { ROWS_OF } from './sampling.ts';
import type { Sample } from './sampling.ts';

export type Verdict = {
  readonly name: string;
  /** Means of the four quarters. */
  readonly quarters: readonly number[];
  /** kept: it is what a payment service is for, and grows with its payments. */
  readonly is: 'flat' | 'growing' | 'kept';
};

const MOST_GROWTH = 1.15;
// Less than this is a few pages more or less.
const SMALL_BYTES = 1_048_576;
const SMALL_ROWS = 1_000;
/** The books: payments that held money and their movements are never forgotten. */
const KEPT = /^(?:rows of )?(?:payments|movements)(?:_|$)/;

const meanOf = (values: readonly number[]): number =>
  values.length === 0 ? 0 : values.reduce((sum, value) => sum + value, 0) / values.length;

function quartersOf(values: readonly number[]): number[] {
  return [0, 1, 2, 3].map((quarter) =>
    meanOf(values.slice(Math.floor((values.length * quarter) / 4), Math.floor((values.length * (quarter + 1)) / 4))),
  );
}

export function judgeSamples(samples: readonly Sample[]): Verdict[] {
  const names = [...new Set(samples.flatMap((sample) => [...sample.keys()]))];
  return names.map((name) => {
    const quarters = quartersOf(samples.map((sample) => sample.get(name) ?? 0));
    const [, second = 0, , last = 0] = quarters;
    const small = name.startsWith(ROWS_OF) ? SMALL_ROWS : SMALL_BYTES;
    const isFlat = last <= small || last <= second * MOST_GROWTH;
    return { name, quarters, is: KEPT.test(name) ? 'kept' : isFlat ? 'flat' : 'growing' };
  });
}

const show = (name: string, value: number): string =>
  name.startsWith(ROWS_OF) ? value.toFixed(0) : `${(value / 2 ** 20).toFixed(1)} MiB`;

/** What is large enough to be looked at, the largest first. */
export function verdictTable(verdicts: readonly Verdict[]): string {
  const isLarge = ({ name, quarters }: Verdict): boolean =>
    Math.max(...quarters) > (name.startsWith(ROWS_OF) ? SMALL_ROWS : SMALL_BYTES);
  const rows = verdicts
    .filter((verdict) => isLarge(verdict) || verdict.is === 'growing')
    .toSorted((a, b) => (b.quarters[3] ?? 0) - (a.quarters[3] ?? 0))
    .map(({ name, quarters, is }) => [name, ...quarters.map((value) => show(name, value)), is]);
  return alignColumns([['mean of', 'first quarter', 'second', 'third', 'last', ''], ...rows]).join('\n');
}
