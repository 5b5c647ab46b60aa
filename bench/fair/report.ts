// The table of `fair`: what a merchant notices of a hostile one, and what that one did.
import { Histogram } from '../histogram.ts';
import { alignColumns } from '../table.ts';
import { HOST } from './place.ts';
import type { FairResult } from './run.ts';
import { MEASURED } from './victim-plan.ts';
import type { Measured, VictimTold } from './victim-plan.ts';

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
];

const percentile = (told: VictimTold, kind: Measured, share: number): number =>
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

function rowsOf(result: FairResult): string[][] {
  const name = result.acts.length === 1 ? (result.acts[0] ?? '') : `${result.acts.length} at once`;
  return MEASURED.map((kind) => {
    const figures = figuresOf(result, kind);
    const refused = totalOf(figures.refused);
    return [
      name,
      kind,
      figures.aloneP50Ms.toFixed(1),
      figures.aloneP99Ms.toFixed(1),
      figures.busyP99Ms.toFixed(1),
      figures.besideP50Ms.toFixed(1),
      figures.besideP99Ms.toFixed(1),
      figures.ratio.toFixed(2),
      figures.ratioToAlone.toFixed(2),
      String(figures.requests),
      refused === 0 ? '0' : `${refused} (${showStatuses(figures.refused)})`,
    ];
  });
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
    'ratio: the p99 beside the hostile merchant to the busy one; it is to stay below 2, and nothing is to be refused.',
    'Times count from the moment a request was due. refused: of all requests of the victim of that kind, by status.',
    ...results.flatMap(deedsOf),
  ].join('\n');
}
