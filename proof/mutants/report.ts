// What came of the defects, as a table by kind, as lines and as JSON.
import { describeMutant, KINDS } from './mutant.ts';
import type { Mutant } from './mutant.ts';

export type Outcome = {
  readonly mutant: Mutant;
  readonly result: 'check' | 'tests' | 'survived';
  /** What the check says, or the test file and the test that failed. */
  readonly by: string;
  /** Test files that have run. */
  readonly tried: number;
  /** Its time was over before all chosen files had run. */
  readonly isCut: boolean;
  readonly tookMs: number;
};

const COLUMNS = ['kind', 'planted', 'check', 'tests', 'survived'] as const;
const WIDTH = 10;

export function tableOf(outcomes: readonly Outcome[]): string {
  const rowOf = (name: string, of: readonly Outcome[]): (string | number)[] => {
    const count = (result: Outcome['result']): number => of.filter((outcome) => outcome.result === result).length;
    return [name, of.length, count('check'), count('tests'), count('survived')];
  };
  const rows = KINDS.map((kind) =>
    rowOf(
      kind,
      outcomes.filter(({ mutant }) => mutant.kind === kind),
    ),
  );
  return [[...COLUMNS], ...rows, rowOf('all', outcomes)]
    .map((row) =>
      row.map((cell, at) => (at === 0 ? String(cell).padEnd(WIDTH) : String(cell).padStart(WIDTH))).join(''),
    )
    .join('\n');
}

export const describeListed = (mutant: Mutant): string => `${mutant.id}  ${describeMutant(mutant)}`;

export function describeOutcome({ mutant, result, by, tried, isCut, tookMs }: Outcome): string {
  const said =
    result === 'survived' ? `survived ${tried} files${isCut ? ', and more are left' : ''}` : `${result}: ${by}`;
  return `${describeListed(mutant)}\n            ${said}, ${(tookMs / 1_000).toFixed(1)} s`;
}

export const jsonOf = (outcomes: readonly Outcome[]): string =>
  JSON.stringify(
    outcomes.map(({ mutant, ...outcome }) => ({ ...mutant, ...outcome })),
    undefined,
    1,
  );
