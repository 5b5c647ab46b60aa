// The report: one table for people, or one JSON object. A ratio is Kassa's rate by the floor's.
import { rateOf } from './measure.ts';
import type { Measure } from './measure.ts';
import type { Result } from './run.ts';
import { alignColumns } from './table.ts';

export type Environment = {
  readonly kassa: string;
  readonly node: string;
  readonly postgres: string;
  /** Both must be on: an answer is sent when its commit is durable. */
  readonly fsync: string;
  readonly synchronousCommit: string;
  readonly cpu: string;
  readonly cores: number;
  readonly connections: number;
  readonly floorConnections: number;
  readonly writeFloor: 'pgbench' | 'driver';
  readonly seconds: number;
};

const round = (value: number, decimals: number): number => Number(value.toFixed(decimals));

const figuresOf = (measure: Measure) => ({
  ratePerSecond: round(rateOf(measure), 1),
  p50Ms: round(measure.latencies.percentileMs(0.5), 2),
  p99Ms: round(measure.latencies.percentileMs(0.99), 2),
  requests: measure.requests,
  seconds: round(measure.seconds, 2),
});

const meanOf = (sum: number, count: number): number => (count > 0 ? sum / count : 0);

const FLOORS: Partial<Record<Result['name'], string>> = {
  read: 'bare route',
  scattered: 'bare route',
  bank: 'simulator',
  hang: 'no hang',
  processes: 'one process',
};

const floorName = (result: Result, { writeFloor }: Environment): string => FLOORS[result.name] ?? writeFloor;

/** By rates; of a hang, by what the slowest of a hundred wait. */
function ratioOf({ name, kassa }: Result, floor: Measure): number {
  if (name !== 'hang') return rateOf(kassa) / rateOf(floor);
  return kassa.latencies.percentileMs(0.99) / floor.latencies.percentileMs(0.99);
}

/** The bare route's processor time for a request, where reads were measured in the same run. */
const bareRouteUsOf = (results: readonly Result[]): number | undefined =>
  results.find(({ bareRouteUs }) => bareRouteUs !== undefined)?.bareRouteUs;

function scenarioOf(result: Result, environment: Environment, bareRouteUs: number | undefined) {
  const { name, kassa, usage, floor, bare } = result;
  const cpuUs = meanOf(usage.cpuSeconds * 1e6, usage.requests);
  return {
    name,
    kassa: {
      ...figuresOf(kassa),
      cpuUsPerRequest: round(cpuUs, 1),
      ...(bareRouteUs !== undefined && { cpuToBareRoute: round(cpuUs / bareRouteUs, 2) }),
      commitGroup: round(meanOf(usage.committed, usage.commits), 1),
      loadGroup: round(meanOf(usage.loaded, usage.loads), 1),
    },
    ...(floor && {
      floor: { kind: floorName(result, environment), ...figuresOf(floor) },
      ratio: round(ratioOf(result, floor), 3),
    }),
    ...(bare && { bare: { ...figuresOf(bare), ratio: round(rateOf(kassa) / rateOf(bare), 3) } }),
  };
}

export function jsonReport(results: readonly Result[], environment: Environment): object {
  const bareRouteUs = bareRouteUsOf(results);
  const scenarios = results.map((result) => scenarioOf(result, environment, bareRouteUs));
  return { ...environment, ...(bareRouteUs !== undefined && { bareRouteUs: round(bareRouteUs, 1) }), scenarios };
}

const HEADINGS = [
  'scenario',
  'Kassa/s',
  'p50 ms',
  'p99 ms',
  'CPU µs',
  'times',
  'group',
  'floor',
  'floor/s',
  'p50 ms',
  'p99 ms',
  'ratio',
  'bare/s',
  'ratio',
] as const;

/** What it was measured on. */
export const machineOf = ({ kassa, node, postgres, cpu, cores, ...environment }: Environment): string[] => [
  `Kassa ${kassa}, Node ${node}, Postgres ${postgres} on ${cores} × ${cpu}`,
  `fsync ${environment.fsync}, synchronous_commit ${environment.synchronousCommit}`,
];

export function tableReport(results: readonly Result[], environment: Environment): string {
  const bareRouteUs = bareRouteUsOf(results);
  const rows = results.map((result) => {
    const { name, kassa, floor, ratio, bare } = scenarioOf(result, environment, bareRouteUs);
    return [
      name,
      kassa.ratePerSecond.toFixed(0),
      kassa.p50Ms.toFixed(1),
      kassa.p99Ms.toFixed(1),
      kassa.cpuUsPerRequest.toFixed(0),
      kassa.cpuToBareRoute?.toFixed(1) ?? '',
      (kassa.commitGroup || kassa.loadGroup).toFixed(0),
      floor?.kind ?? '',
      floor?.ratePerSecond.toFixed(0) ?? '',
      floor?.p50Ms.toFixed(1) ?? '',
      floor?.p99Ms.toFixed(1) ?? '',
      ratio?.toFixed(2) ?? '',
      bare?.ratePerSecond.toFixed(0) ?? '',
      bare?.ratio.toFixed(2) ?? '',
    ];
  });
  const { connections, floorConnections, seconds } = environment;
  const head = [
    ...machineOf(environment),
    `${connections} connections, ${floorConnections} for the write floors; ${seconds} s for each figure`,
  ];
  const legend = [
    'CPU: of the service, for one request. group: requests in one commit (read: in one load).',
    ...(bareRouteUs === undefined
      ? []
      : [`times: of what the bare route takes, which is ${bareRouteUs.toFixed(0)} µs.`]),
    'scattered: reads of more payments than a service keeps answers of; read is of those that are polled.',
    'ratio: Kassa to its floor; the write floors write the same rows, one transaction at a time.',
    'bare: routes without any check that load and commit the same rows in groups; its ratio is that of the rates.',
    'bank: charges at an acquirer on another machine; its floor is charges at the simulator in the process.',
    'hang: such charges while another acquirer hangs; the ratio is of the p99, to that without the hang.',
  ];
  return [...head, '', ...alignColumns([HEADINGS, ...rows]), '', ...legend].join('\n');
}
