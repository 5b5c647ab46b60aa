// Which test files could catch a defect: those that ran its line, as the coverage of a run tells. Where none is known to
// have, because the line runs in another process, when its module is loaded, or within the database, those that ran
// anything beside it, and those that are about it by their names.
import { readFileSync, statSync } from 'node:fs';
import { basename, join } from 'node:path';
import type { Coverage } from '../../test/suite/coverage.ts';
import type { Mutant } from './mutant.ts';

export type Test = { readonly file: string; readonly tookMs: number };

export type Reach = {
  readonly root: string;
  readonly coverage: readonly Coverage[];
  /** What was written after the coverage was taken has other lines by now. */
  readonly takenAtMs: number;
  readonly importers: ReadonlyMap<string, readonly string[]>;
};

export function readCoverage(file: string, part: string | undefined): Pick<Reach, 'coverage' | 'takenAtMs'> {
  const lines = readFileSync(file, 'utf8')
    .split('\n')
    .filter((line) => line !== '');
  const latest = new Map<string, Coverage>();
  for (const line of lines) {
    const coverage = JSON.parse(line) as Coverage;
    if (part === undefined || coverage.testFile.includes(part)) latest.set(coverage.testFile, coverage);
  }
  return { coverage: [...latest.values()], takenAtMs: statSync(file).mtimeMs };
}

const stemOf = (file: string): string => basename(file).replace(/(?:\.test)?\.\w+$/, '');
// Shorter names are in too many paths.
const SHORTEST_STEM = 4;

/** Whether the test file is called after the source, or imports or starts it by its name. */
function isNamedAfter(test: string, { root }: Reach, source: string): boolean {
  const stem = stemOf(source);
  if (stem.length >= SHORTEST_STEM && stemOf(test).includes(stem)) return true;
  return readFileSync(join(root, test), 'utf8').includes(source.startsWith('src/') ? `/${source}'` : source);
}

/** `src/cli/…` is tried by `test/cli/…`. */
const isInItsFolder = (test: string, source: string): boolean => test.startsWith(`test/${source.split('/')[1]}/`);

/** What stands in a statement runs where the statement is read. */
function sourcesBeside({ file }: Mutant, { root, importers }: Reach): readonly string[] {
  if (file.endsWith('.ts')) return [file, ...(importers.get(file) ?? [])];
  const sources = [...new Set([...importers.values()].flat())];
  return sources.filter((source) => readFileSync(join(root, source), 'utf8').includes(`'${stemOf(file)}'`));
}

/** The cheapest first, of those that are most about it. */
export function testsFor(mutant: Mutant, reach: Reach, most: number): Test[] {
  const { file, line } = mutant;
  const { coverage, root, takenAtMs } = reach;
  const isStale = statSync(join(root, file)).mtimeMs > takenAtMs;
  const covering = coverage.filter(({ files }) => (isStale ? file in files : files[file]?.includes(line)));
  const beside = covering.length > 0 ? [] : sourcesBeside(mutant, reach);
  const found =
    covering.length > 0
      ? covering
      : coverage.filter(
          ({ testFile, files }) =>
            beside.some((source) => source in files) ||
            isInItsFolder(testFile, file) ||
            isNamedAfter(testFile, reach, file),
        );
  const rankOf = ({ testFile, files }: Coverage): number => {
    if (isNamedAfter(testFile, reach, file)) return 0;
    return covering.length > 0 || isInItsFolder(testFile, file) || file in files ? 1 : 2;
  };
  const breadthOf = ({ files }: Coverage): number => Object.values(files).reduce((sum, lines) => sum + lines.length, 0);
  return found
    .map((each) => ({ file: each.testFile, tookMs: each.tookMs, rank: rankOf(each), breadth: breadthOf(each) }))
    .toSorted((one, other) => one.rank - other.rank || one.breadth - other.breadth)
    .slice(0, most)
    .toSorted((one, other) => one.tookMs - other.tookMs)
    .map(({ file: test, tookMs }) => ({ file: test, tookMs }));
}
