// What the rates came to: a table for people, or JSON.
import { alignColumns } from '../table.ts';
import type { RateResult } from './run.ts';

const HEADINGS = [
  'request',
  'due/s',
  'of most',
  'done/s',
  'p50 ms',
  'p99 ms',
  'p99.9',
  '503/s',
  '503 p99 ms',
  'failed',
  'under way',
  'MB',
  'most MB',
];

const ratio = (value: number): number => Number(value.toFixed(2));

export const figuresOf = ({ operation, most, offered, told, done, refused, memoryMb }: RateResult) => ({
  operation,
  mostPerSecond: Math.round(most),
  duePerSecond: offered,
  ofMost: ratio(offered / most),
  donePerSecond: Math.round(told.doneInTime / told.seconds),
  p50Ms: ratio(done.percentileMs(0.5)),
  p99Ms: ratio(done.percentileMs(0.99)),
  p999Ms: ratio(done.percentileMs(0.999)),
  refusedPerSecond: Math.round(told.refused / told.seconds),
  refusedP99Ms: ratio(refused.percentileMs(0.99)),
  withoutRetryAfter: told.withoutRetryAfter,
  failed: told.failed,
  failure: told.failure,
  mostUnderWay: told.underWay,
  firstMemoryMb: Math.round(memoryMb[0]),
  mostMemoryMb: Math.round(memoryMb[1]),
  lastMemoryMb: Math.round(memoryMb[2]),
});

export type RateFigures = ReturnType<typeof figuresOf>;

export const ratesJson = (results: readonly RateResult[]): object => results.map(figuresOf);

export function ratesTable(results: readonly RateResult[], seconds: number): string {
  const figures = results.map(figuresOf);
  const rows = figures.map((each) => [
    each.operation,
    String(each.duePerSecond),
    each.ofMost.toFixed(2),
    String(each.donePerSecond),
    each.p50Ms.toFixed(1),
    each.p99Ms.toFixed(1),
    each.p999Ms.toFixed(1),
    String(each.refusedPerSecond),
    each.refusedP99Ms.toFixed(1),
    String(each.failed),
    String(each.mostUnderWay),
    String(each.firstMemoryMb),
    String(each.mostMemoryMb),
  ]);
  const silent = figures.reduce((sum, { withoutRetryAfter }) => sum + withoutRetryAfter, 0);
  const failures = figures.flatMap(({ failure }) => failure ?? []);
  return [
    `rates: requests by a schedule, ${seconds} s for each rate`,
    '',
    ...alignColumns([HEADINGS, ...rows]),
    '',
    'of most: of what it bears with all connections busy. done/s: answered in that time, whenever they were due.',
    'p50, p99: from when a request was due to its answer, also when that came after the time was over.',
    '503 p99: from when it was sent. under way: the most at once. MB: of the service, at first and at most.',
    ...(silent > 0 ? [`${silent} refusals came without a Retry-After.`] : []),
    ...(failures.length > 0 ? [`The first failure: ${failures[0]}`] : []),
  ].join('\n');
}
