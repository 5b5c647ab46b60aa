// `--peer medusa`: the same kinds of requests to Kassa and to a peer, on one Postgres, in turns and in one run.
import { kassaSide } from '../kassa-side.ts';
import { addMeasures, rateOf } from '../measure.ts';
import type { Measure } from '../measure.ts';
import type { Run } from '../side.ts';
import { alignColumns } from '../table.ts';
import { medusaSide, MEDUSA_VERSION, openMedusa } from './medusa-side.ts';
import type { PeerOperation } from './medusa-side.ts';

export type PeerResult = { readonly operation: PeerOperation; readonly kassa: Measure; readonly peer: Measure };

const OPERATIONS: readonly PeerOperation[] = ['create', 'read', 'charge', 'refund', 'cancel'];
const ROUNDS = 2;

export async function runPeer(run: Run): Promise<PeerResult[]> {
  const medusa = await openMedusa(run);
  const results: PeerResult[] = [];
  for (const operation of OPERATIONS) {
    const sides = [kassaSide(run, operation, () => {}), medusaSide(run, medusa, operation)] as const;
    const measures: [Measure[], Measure[]] = [[], []];
    run.onProgress(`${operation}: preparing`);
    for (const side of sides) await side.prepare();
    for (let round = 0; round < ROUNDS; round += 1)
      for (const [at, side] of sides.entries()) {
        const measure = await side.slice(run.seconds / ROUNDS);
        measures[at]?.push(measure);
        run.onProgress(`${operation}, ${at === 0 ? 'Kassa' : 'Medusa'}: ${Math.round(rateOf(measure))} a second`);
      }
    results.push({ operation, kassa: addMeasures(measures[0]), peer: addMeasures(measures[1]) });
  }
  return results;
}

const figuresOf = (measure: Measure) => ({
  ratePerSecond: Number(rateOf(measure).toFixed(1)),
  p50Ms: Number(measure.latencies.percentileMs(0.5).toFixed(2)),
  p99Ms: Number(measure.latencies.percentileMs(0.99).toFixed(2)),
});

export const peerJson = (results: readonly PeerResult[]): object => ({
  name: 'medusa',
  version: MEDUSA_VERSION,
  operations: results.map(({ operation, kassa, peer }) => ({
    operation,
    kassa: figuresOf(kassa),
    medusa: figuresOf(peer),
    ratio: Number((rateOf(kassa) / rateOf(peer)).toFixed(1)),
  })),
});

const HEADINGS = ['request', 'Kassa/s', 'p50 ms', 'p99 ms', 'Medusa/s', 'p50 ms', 'p99 ms', 'ratio'];

export function peerTable(results: readonly PeerResult[], connections: number): string {
  const cells = (measure: Measure): string[] => {
    const { ratePerSecond, p50Ms, p99Ms } = figuresOf(measure);
    return [ratePerSecond.toFixed(0), p50Ms.toFixed(1), p99Ms.toFixed(1)];
  };
  const rows = results.map(({ operation, kassa, peer }) => [
    operation,
    ...cells(kassa),
    ...cells(peer),
    (rateOf(kassa) / rateOf(peer)).toFixed(1),
  ]);
  return [
    `Kassa beside the payment module of Medusa ${MEDUSA_VERSION} behind bare routes, ${connections} connections each`,
    '',
    ...alignColumns([HEADINGS, ...rows]),
    '',
    'create: of Medusa a payment collection with one session. charge: of Medusa a capture. ratio: of the rates.',
    'Medusa checks no key and keeps no items here, sends no events, and asks no provider: its own one says yes.',
  ].join('\n');
}
