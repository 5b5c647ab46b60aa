// What a run of the tests says: one line of progress, what failed as soon as it has failed, and in the end the files that
// took most of the processor and the sums.
import type { FileResult } from './messages.ts';
import { createProgress, print } from '../../proof/by-hand.ts';

const MOST_EXPENSIVE = 10;

const inSeconds = (ms: number): string => `${(ms / 1_000).toFixed(1)} s`;

const sum = (numbers: readonly number[]): number => numbers.reduce((all, one) => all + one, 0);

function describeFailures({ file, failures, output }: FileResult): string {
  const parts = failures.map(
    ({ name, line, text }) => `FAILED ${file}${line === undefined ? '' : `:${line}`}  ${name}\n\n${text}\n`,
  );
  if (output !== undefined) parts.push(`${file} wrote:\n\n${output}\n`);
  return parts.join('\n');
}

export type Report = { readonly add: (result: FileResult) => void };

/** Tells how a run of so many files goes on. */
export function openReport(files: number): Report {
  const startedAt = performance.now();
  const show = createProgress();
  let [done, tests, failed] = [0, 0, 0];
  const progress = (): string =>
    `${done} of ${files} files, ${tests} tests, ${failed} failed, ${Math.round((performance.now() - startedAt) / 1_000)} s`;
  show(progress());
  return {
    add: (result) => {
      done += 1;
      tests += result.tests;
      failed += result.failures.length;
      if (result.failures.length > 0) {
        if (process.stderr.isTTY) show('');
        print(describeFailures(result));
      }
      show(done === files ? '' : progress());
    },
  };
}

type Spent = {
  readonly tookMs: number;
  /** What the check, the preparations and the Postgres that files share took of the processor. */
  readonly besidesMs: number;
};

/** The last line says in the words of test runners what came out. */
export function printSums(results: readonly FileResult[], { tookMs, besidesMs }: Spent): void {
  const tests = sum(results.map((result) => result.tests));
  const failed = sum(results.map(({ failures }) => failures.length));
  const skipped = sum(results.map((result) => result.skipped));
  const ofFiles = sum(results.map((result) => result.processorMs));
  print('Files that took most of the processor, with what they started:\n');
  const expensive = results.toSorted((one, other) => other.processorMs - one.processorMs).slice(0, MOST_EXPENSIVE);
  for (const { file, processorMs: ms, tookMs: fileMs } of expensive)
    print(`${inSeconds(ms).padStart(8)}  ${file}, ${inSeconds(fileMs)} in all`);
  const starts = sum(results.map((result) => result.starts));
  const contexts = sum(results.map((result) => result.contexts));
  print(
    `\n${results.length} files in ${inSeconds(tookMs)}. Processor: ${inSeconds(ofFiles + besidesMs)}, ${inSeconds(besidesMs)} of it Postgres, preparations and the check. ` +
      `${starts} starts of Kassa, ${contexts} browser contexts.`,
  );
  const failedFiles = results.filter(({ failures }) => failures.length > 0).map(({ file }) => file);
  if (failedFiles.length > 0) print(`\nFailed: ${failedFiles.join(', ')}`);
  print(`\n${tests - failed} passed, ${failed} failed, ${skipped} skipped`);
}
