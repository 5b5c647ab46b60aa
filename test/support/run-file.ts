// One test file in a process of its own, by Node's test runner, and how it went.
import { relative } from 'node:path';
import { run } from 'node:test';
import type { EventData } from 'node:test';
import { root } from '../../proof/program.ts';
import type { Failure, FileResult } from './report.ts';

// For one test, and for a file with all that it leaves open; far above the slowest on a slow machine.
const LIMIT_MS = 900_000;

// A file whose test failed before it closed a server would never end.
const END_AFTER_TESTS = '--test-force-exit';
// What it tells of its last tests must have left the process by then.
const WRITE_AT_ONCE = ['--import', 'data:text/javascript,process.stdout._handle%3F.setBlocking%3F.(true)'];
// Every core is busy with another file: threads that collect garbage beside the one that runs take more of the processor
// than they save.
const LESS_COLLECTING = ['--single-threaded-gc', '--min-semi-space-size=16'];

export async function runFile(path: string, ended: AbortSignal): Promise<FileResult> {
  const startedAt = performance.now();
  const failures: Failure[] = [];
  let [written, tests, skipped] = ['', 0, 0];
  /** Tests that have begun and not ended: of a file that has to be ended, those by which it was held up. */
  const underWay = new Set<string>();
  const signal = AbortSignal.any([AbortSignal.timeout(LIMIT_MS), ended]);
  const execArgv = [...LESS_COLLECTING, ...WRITE_AT_ONCE, END_AFTER_TESTS];
  const stream = run({ files: [path], timeout: LIMIT_MS, signal, execArgv });
  const write = ({ message }: { message: string }): void => void (written += message);
  stream.on('test:stdout', write).on('test:stderr', write);
  stream.on('test:dequeue', ({ name, line }: EventData.TestDequeue) => void underWay.add(`${line} ${name}`));
  stream.on('test:complete', ({ name, line }: EventData.TestComplete) => void underWay.delete(`${line} ${name}`));
  stream.on('test:fail', ({ name, line, details: { error } }: EventData.TestFail) => {
    // A test of which a part failed says nothing that the part does not.
    if ((error as { failureType?: string }).failureType !== 'subtestsFailed') failures.push({ name, line, error });
    if (name === path) failures.push({ name: 'was under way', line, error: new Error([...underWay].join('\n')) });
  });
  stream.on('test:summary', ({ file, counts }: EventData.TestSummary) => {
    if (file === undefined) [tests, skipped] = [counts.tests, counts.skipped];
  });
  for await (const _ of stream);
  if (tests === 0 && failures.length === 0)
    failures.push({ name: 'no test was run', line: 1, error: new Error(written) });
  return { file: relative(root, path), tookMs: performance.now() - startedAt, tests, skipped, failures, written };
}
