// The table of `fair`: what a merchant notices of a hostile one, and what that one did.
import { Histogram } from '../histogram.ts';
import { alignColumns } from '../table.ts';
import { HOST } from './shared-kassa.ts';
import type { FairResult } from './run.ts';
import { MEASURED } from './victim-plan.ts';
import type { Measured, VictimResult } from './victim-plan.ts';

const HEADINGS = [
  'acts',
  'victim',
  'alone p50',
  'p99',
  'busy p99',
  'beside p50',
  'p99 ms',
  'ratio',
  'to alone',
  'requests',
  'refused',
  'seconds',
];

const percentile = (told: VictimResult, kind: Measured, share: number): number =>
  new Histogram(told.counts[kind]).percentileMs(share);

const totalOf = (counts: Readonly<Record<number, number>>): number =>
  Object.values(counts).reduce((sum, count) => sum + count, 0);

function figuresOf({ acts, alone, busy, beside }: FairResult, kind: Measured) {
  const [aloneP99, busyP99, besideP99] = [alone, busy, beside].map((told) => percentile(told, kind, 0.99)) as [
    number,
    number,
    number,
  ];
  return {
    acts,
    operation: kind,
    aloneP50Ms: percentile(alone, kind, 0.5),
    aloneP99Ms: aloneP99,
    busyP99Ms: busyP99,
    besideP50Ms: percentile(beside, kind, 0.5),
    besideP99Ms: besideP99,
    ratio: besideP99 / busyP99,
    ratioToAlone: besideP99 / aloneP99,
    requests: beside.requests[kind],
    refused: beside.refused[kind],
    seconds: Math.min(...[alone, busy, beside].map((told) => told.seconds)),
  };
}

export const fairJson = (results: readonly FairResult[]) =>
  results.map((result) => ({
    victim: MEASURED.map((kind) => figuresOf(result, kind)),
    hostile: result.deeds,
    largest: result.stock,
  }));

const showStatuses = (counts: Readonly<Record<number, number>>): string =>
  Object.entries(counts)
    .map(([status, count]) => `${status === '0' ? 'no answer' : status}: ${count}`)
    .join(', ');

// What a merchant may notice of another one, at most.
const MOST_RATIO = 2;

const NOTHING = '-';

/** Whether the victim was served throughout, and about as fast as without the hostile merchant. */
const isHeld = (result: FairResult): boolean =>
  MEASURED.every((kind) => {
    const { requests, ratio, refused } = figuresOf(result, kind);
    return requests > 0 && ratio <= MOST_RATIO && totalOf(refused) === 0;
  });

function judge(results: readonly FairResult[], seconds: number): string {
  const counted = results.flatMap(({ alone, beside, busy }) => [alone.seconds, beside.seconds, busy.seconds]);
  if (Math.min(...counted) < seconds / 2) return 'It cannot be told on this host now: too few seconds count.';
  return results.every(isHeld) ? 'It is held.' : 'It is not held.';
}

function rowsOf(result: FairResult): string[][] {
  const name = result.acts.length === 1 ? (result.acts[0] ?? '') : `${result.acts.length} at once`;
  return MEASURED.map((kind) => {
    const figures = figuresOf(result, kind);
    const refused = totalOf(figures.refused);
    // Where every create is refused, nothing is left to read and to charge.
    const show = (value: number, digits: number): string => (figures.requests > 0 ? value.toFixed(digits) : NOTHING);
    return [
      name,
      kind,
      figures.aloneP50Ms.toFixed(1),
      figures.aloneP99Ms.toFixed(1),
      figures.busyP99Ms.toFixed(1),
      show(figures.besideP50Ms, 1),
      show(figures.besideP99Ms, 1),
      show(figures.ratio, 2),
      show(figures.ratioToAlone, 2),
      String(figures.requests),
      refused === 0 ? '0' : `${refused} (${showStatuses(figures.refused)})`,
      String(figures.seconds),
    ];
  });
}

function showLeftOut({ alone, beside, busy }: FairResult): string[] {
  const all = { alone, beside, busy };
  const leftOut = Object.entries(all).filter(([, told]) => told.leftOut > 0);
  const shown = leftOut.map(([name, told]) => `${name} ${told.leftOut} of ${told.leftOut + told.seconds}`);
  return shown.length === 0 ? [] : [`left out: ${shown.join(', ')} seconds.`];
}

function deedsOf({ acts, deeds, stock }: FairResult): string[] {
  const megabytes = (stock.largestBytes / 2 ** 20).toFixed(1);
  const head = `The hostile merchant (${deeds.cpuShare.toFixed(2)} of a core for its clients; ${stock.largePayments} payments of up to ${megabytes} MiB), answers by status:`;
  return ['', head, ...acts.map((name) => `  ${name.padEnd(12)} ${showStatuses(deeds.counts[name] ?? {})}`)];
}

export function fairTable(results: readonly FairResult[], seconds: number, kassa: string): string {
  return [
    `fair: Kassa of ${kassa}, HOST=${HOST}, hooks may be private, all else at its default; ${seconds} s for each figure`,
    '',
    ...alignColumns([HEADINGS, ...results.flatMap(rowsOf)]),
    '',
    'busy: beside a process that uses as much of the processors as the hostile clients did, on nothing.',
    'ratio: the p99 beside the hostile merchant to the busy one; it is to stay at 2 or below, and nothing is to be refused.',
    'refused: of all requests of the victim of that kind, by status; one that is not answered in 30 s counts, too.',
    'seconds: that count; one in which others on the host took more than 2 % of the processors, or after such a one, does not.',
    ...results.flatMap(showLeftOut),
    judge(results, seconds),
    ...results.flatMap(deedsOf),
  ].join('\n');
}
