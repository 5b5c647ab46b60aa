// The tables of a run, as they stand in the docs, and which of their rows is beyond what is promised.
import { rateOf } from '../bench/measure.ts';
import type { Filled } from './filled.ts';
import type { ListRow } from './lists.ts';
import { p99Of, p99Ratio, rateRatio } from './rates.ts';
import type { RateRow } from './rates.ts';
import type { Forgotten } from './retention.ts';
import { mostRowsOf } from './readings.ts';

export type Table = { readonly text: string; readonly beyond: readonly string[] };
export type Verified = { readonly payments: number; readonly code: number | null; readonly seconds: number };

const START_S = 2;
const START_RATIO = 2;
const LIST_RATIO = 3;
// What is quicker than this is noise of the machine, whatever it is divided by.
const NOISE_MS = 1;
const RATE_RATIO = 0.8;
const P99_RATIO = 1.5;
const VERIFY_RATIO = 0.5;
const FORGET_RATIO = 0.5;

const lineOf = (cells: readonly (string | number)[]): string => `| ${cells.join(' | ')} |`;

const tableOf = (head: readonly string[], rows: readonly (readonly (string | number)[])[]): string =>
  [lineOf(head), lineOf(head.map(() => '---')), ...rows.map(lineOf)].join('\n');

export function startsTable([few, many]: readonly [Filled, Filled]): Table {
  const rows = [few, many].map(({ payments, megabytes, startSeconds }) => [
    payments,
    megabytes.toFixed(0),
    ((megabytes * 1_024) / payments).toFixed(1),
    startSeconds.toFixed(2),
  ]);
  const isSlow = many.startSeconds > Math.max(START_S, START_RATIO * few.startSeconds);
  return {
    text: tableOf(['Payments', 'Database MB', 'kB each', 'Start s'], rows),
    beyond: isSlow ? ['start'] : [],
  };
}

const isBeyond = ({ name, fewMs, manyMs, rows }: ListRow): boolean =>
  (manyMs / fewMs > LIST_RATIO && manyMs - fewMs > NOISE_MS) || rows > mostRowsOf(name);

export const listsTable = (lists: readonly ListRow[], [few, many]: readonly [Filled, Filled]): Table => ({
  text: tableOf(
    ['List', `ms with ${few.payments}`, `ms with ${many.payments}`, 'Ratio', 'Rows read'],
    lists.map(({ name, fewMs, manyMs, rows }) => [
      name,
      fewMs.toFixed(1),
      manyMs.toFixed(1),
      (manyMs / fewMs).toFixed(1),
      rows,
    ]),
  ),
  beyond: lists.filter(isBeyond).map(({ name }) => name),
});

export function verifyTable([few, many]: readonly [Verified, Verified]): Table {
  const rateOfBooks = ({ payments, seconds }: Verified): number => payments / seconds;
  const rows = [few, many].map((each) => [
    each.payments,
    each.seconds.toFixed(1),
    rateOfBooks(each).toFixed(0),
    each.code === 0 ? 'nothing found' : `exit code ${each.code}`,
  ]);
  const isSlow = rateOfBooks(many) < VERIFY_RATIO * rateOfBooks(few);
  const isWrong = few.code !== 0 || many.code !== 0;
  return {
    text: tableOf(['Payments verified', 'Seconds', 'A second', 'Books'], rows),
    beyond: [...(isSlow ? ['rate of verify'] : []), ...(isWrong ? ['books'] : [])],
  };
}

export const ratesTable = (rates: readonly RateRow[], [few, many]: readonly [Filled, Filled]): Table => ({
  text: tableOf(
    ['Request', `/s with ${few.payments}`, `/s with ${many.payments}`, 'Ratio', 'p99 ms', 'p99 ms', 'Ratio'],
    rates.map((row) => [
      row.operation,
      rateOf(row.few).toFixed(0),
      rateOf(row.many).toFixed(0),
      rateRatio(row).toFixed(2),
      p99Of(row.few).toFixed(1),
      p99Of(row.many).toFixed(1),
      p99Ratio(row).toFixed(2),
    ]),
  ),
  beyond: rates.flatMap((row) => [
    ...(rateRatio(row) < RATE_RATIO ? [`rate of ${row.operation}`] : []),
    ...(p99Ratio(row) > P99_RATIO ? [`p99 of ${row.operation}`] : []),
  ]),
});

export function retentionTable([few, many]: readonly [Forgotten, Forgotten]): Table {
  const rateOfRows = ({ rows, seconds }: Forgotten): number => rows / seconds;
  return {
    text: tableOf(
      ['Payments', 'Events forgotten', 'Seconds', 'A second'],
      [few, many].map((each) => [each.payments, each.rows, each.seconds.toFixed(1), rateOfRows(each).toFixed(0)]),
    ),
    beyond: rateOfRows(many) < FORGET_RATIO * rateOfRows(few) ? ['rate of retention'] : [],
  };
}
