// The file that a worker runs now: its tests report here, and the result is sent when the last of them has ended.
import { inspect } from 'node:util';
import { describeExchanges, forgetExchanges } from '../support/exchanges.ts';
import { takeCounts } from '../support/counts.ts';
import type { Failure, FileResult, FromWorker } from './messages.ts';
import { spentBetween, treeTimes } from './tree-time.ts';

// What takes less is not worth a look.
const SLOW_MS = 500;

const send = (message: FromWorker): void => void process.send?.(message);

let file = '';
let startedAt = 0;
let timesBefore: ReadonlyMap<number, number> = new Map();
let counts = { passed: 0, skipped: 0 };
let failures: Failure[] = [];
let slow: { name: string; ms: number }[] = [];
const underWay = new Set<string>();

export function beginFile(name: string): void {
  file = name;
  startedAt = performance.now();
  timesBefore = treeTimes();
  counts = { passed: 0, skipped: 0 };
  failures = [];
  slow = [];
  underWay.clear();
  forgetExchanges();
  takeCounts();
}

/** Of a file that has to be ended by force, the tests under way are those that held it up. */
export function noteUnderWay(name: string, isUnderWay: boolean): void {
  if (isUnderWay) underWay.add(name);
  else underWay.delete(name);
  send({ underWay: [...underWay] });
}

export function notePassed(name: string, { ms, isSkipped }: { ms: number; isSkipped: boolean }): void {
  counts.passed += 1;
  if (ms >= SLOW_MS) slow.push({ name, ms: Math.round(ms) });
  if (isSkipped) counts.skipped += 1;
}

export function noteFailure(name: string, line: number | undefined, error: unknown): void {
  const text = inspect((error as Error).cause ?? error, { depth: 10 });
  failures.push({ name, line, text: `${text}\n${describeExchanges()}` });
}

export function endFile(): void {
  if (counts.passed === 0 && failures.length === 0)
    failures.push({ name: 'no test was run', line: undefined, text: '' });
  const processorMs = spentBetween(timesBefore, treeTimes());
  const result: FileResult = {
    file,
    tookMs: performance.now() - startedAt,
    processorMs,
    tests: counts.passed + failures.length,
    skipped: counts.skipped,
    ...takeCounts(),
    failures,
    slow,
  };
  send({ result });
}
