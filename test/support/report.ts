// What a run of the tests says: a line for each file as it ends, and at the end all that failed, in full, the files
// that took longest, longest last, and the sums.
import { inspect } from 'node:util';
import { processorMs } from '../../proof/processor-time.ts';

const SLOWEST = 20;

export type Failure = { readonly name: string; readonly line: number | undefined; readonly error: unknown };

/** How one file went. */
export type FileResult = {
  readonly file: string;
  readonly tookMs: number;
  readonly tests: number;
  readonly skipped: number;
  readonly failures: readonly Failure[];
  /** All that it wrote; worth reading when something failed. */
  readonly written: string;
  /** It failed beside others, and not when it was run once more alone. */
  readonly failedAtFirst?: FileResult;
};

const inSeconds = (ms: number): string => `${(ms / 1000).toFixed(1).padStart(6)} s`;

const sum = (numbers: readonly number[]): number => numbers.reduce((all, one) => all + one, 0);

const LINES_AT_ONCE = 16;
const LONGEST_LINE = 200;
const INDENT = ' '.repeat(19);

/** For whoever looks on; all of it comes at the end. */
const beginningOf = (error: unknown): string =>
  String(((error as Error).cause as Error | undefined)?.message ?? error)
    .trim()
    .split('\n')
    .filter((line) => line.trim() !== '')
    .slice(0, LINES_AT_ONCE)
    .map((line) => line.slice(0, LONGEST_LINE))
    .join(`\n${INDENT}  `);

export function printFile({ file, tookMs, tests, failures }: FileResult): void {
  console.log(`${failures.length === 0 ? 'ok    ' : 'FAILED'} ${inSeconds(tookMs)}  ${file}, ${tests} tests`);
  for (const { name, error } of failures) console.log(`${INDENT}${name}: ${beginningOf(error)}`);
}

function printFailures({ file, failures, written }: FileResult, word: string): void {
  for (const { name, line, error } of failures) {
    console.log(`\n${word} ${file}${line === undefined ? '' : `:${line}`}  ${name}\n`);
    console.log(inspect((error as Error).cause ?? error, { depth: 10 }));
  }
  if (failures.length > 0 && written !== '') console.log(`\n${file} wrote:\n\n${written}`);
}

function showProcessorTime(): string {
  const ms = processorMs();
  return ms === undefined ? '' : `, ${(ms / 1_000).toFixed(0)} s of processor time`;
}

export function printSums(results: readonly FileResult[], tookMs: number): void {
  const unsteady = results.flatMap(({ failedAtFirst }) => failedAtFirst ?? []);
  for (const result of unsteady) printFailures(result, 'UNSTEADY');
  for (const result of results) printFailures(result, 'FAILED');
  console.log('\nThe slowest files\n');
  const slowest = results.toSorted((one, other) => one.tookMs - other.tookMs).slice(-SLOWEST);
  for (const { file, tookMs: fileMs } of slowest) console.log(`${inSeconds(fileMs)}  ${file}`);
  const tests = sum(results.map((result) => result.tests));
  const failed = sum(results.map(({ failures }) => failures.length));
  const skipped = sum(results.map((result) => result.skipped));
  if (unsteady.length > 0)
    console.log(
      `\nFailed beside others and not alone, which is a defect of the test or worse: ${unsteady.map(({ file }) => file).join(', ')}`,
    );
  console.log(
    `\n${results.length} files, ${tests} tests, ${failed} failed, ${unsteady.length} unsteady, ${skipped} skipped, ${inSeconds(tookMs).trim()}${showProcessorTime()}`,
  );
}
