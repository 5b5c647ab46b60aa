// `--peer medusa`: the same kinds of requests to Kassa and to a peer, on one Postgres, in turns and in one run.
import { kassaSide } from '../kassa-side.ts';
import { rateOf } from '../measure.ts';
import type { Measure } from '../measure.ts';
import type { Run } from '../side.ts';
import { alignColumns } from '../table.ts';
import { measureInTurns } from '../turns.ts';
import { medusaSide, MEDUSA_VERSION, openMedusa } from './medusa-side.ts';
import type { PeerOperation } from './medusa-side.ts';

export type PeerResult = { readonly operation: PeerOperation; readonly kassa: Measure; readonly peer: Measure };

const OPERATIONS: readonly PeerOperation[] = ['create', 'read', 'charge', 'refund', 'cancel'];

export async function runPeer(run: Run): Promise<PeerResult[]> {
  const medusa = await openMedusa(run);
  const results: PeerResult[] = [];
  for (const operation of OPERATIONS) {
    const [kassa, peer] = await measureInTurns(run, operation, [
      { who: 'Kassa', side: kassaSide(run, operation, () => {}) },
      { who: 'Medusa', side: medusaSide(run, medusa, operation) },
    ]);
    results.push({ operation, kassa: kassa as Measure, peer: peer as Measure });
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
