// `npm run proof:ha`: whether money moves exactly once through the loss of a machine. Three Postgres under Patroni and
// etcd, two Kassas that know all three, and a fault after the other. Ends with 1 if anything does not agree.
import { cpus, hostname } from 'node:os';
import { parseArgs } from 'node:util';
import { alignRows } from '../../src/ops/print.ts';
import { BadOption, createProgress, keepLog, print, runByHand } from '../by-hand.ts';
import type { Finding } from '../chaos/journal.ts';
import { describeFindings, wholeLog } from '../chaos/report.ts';
import { openCluster } from './cluster.ts';
import type { Cluster } from './cluster.ts';
import { FAULTS } from './faults.ts';
import type { Fault } from './faults.ts';
import { requirePrograms } from './programs.ts';
import { runFault } from './run.ts';
import type { FaultRun } from './run.ts';

const HELP = `Three Postgres under Patroni and etcd, two Kassas, a load of payments, and a fault after the other.
Exit code 1 when anything was lost, doubled or does not agree.

Usage: npm run proof:ha -- [options]

Options:
  --only NAMES  Some faults only: ${FAULTS.map(({ name }) => name).join(', ')}.
  --clients N   Payments at once (16).
  --ttl N       Patroni's ttl in seconds (7): how long a primary may be silent.
  --seed N      Which payments (1).
  --help        Show this.

Debian's packages of Postgres, Patroni and etcd are installed where that is allowed. It works in a temporary folder and
on free ports, as the user postgres when root starts it, and removes what it made.`;

const HOLD_BEYOND_TTL_MS = 8_000;
const LEAST_TTL = 7;

function readNumber(name: string, text: string, least: number, most: number): number {
  const value = Number(text);
  if (!/^\d+$/.test(text) || value < least || value > most)
    throw new BadOption(`--${name} is ${text}; it must be a whole number from ${least} to ${most}.`);
  return value;
}

function readFaults(text: string | undefined): readonly Fault[] {
  const names = text?.split(',').map((name) => name.trim());
  const unknown = names?.find((wanted) => !FAULTS.some(({ name }) => name === wanted));
  if (unknown !== undefined) throw new BadOption(`--only: there is no ${unknown}.`);
  return FAULTS.filter(({ name }) => names?.includes(name) ?? true);
}

const countOf = ({ run }: FaultRun, ...kinds: Finding['kind'][]): number =>
  run.journal.findings.filter(({ kind }) => kinds.includes(kind)).length;

function rowOf(each: FaultRun): string[] {
  const [lost, doubled, differences] = (['lost', 'doubled', 'difference'] as const).map((kind) => countOf(each, kind));
  const { findings, grantedAtMs } = each.run.journal;
  const others = findings.length - countOf(each, 'lost', 'doubled', 'difference');
  const counts = [grantedAtMs.length, lost, doubled, differences, others];
  return [each.fault.title, ...counts.map(String), `${(each.outageMs / 1_000).toFixed(1)} s`];
}

async function runAll(cluster: Cluster, faults: readonly Fault[], options: Parameters<typeof runFault>[2]) {
  const runs: FaultRun[] = [];
  for (const fault of faults) {
    const each = await runFault(cluster, fault, options);
    options.onProgress('');
    print(rowOf(each).join('  '));
    if (each.run.journal.findings.length > 0) {
      const logs = cluster.machines.map(({ name, log }) => `=== ${name}\n${log}`);
      const kept = keepLog('ha', fault.name, [wholeLog(each.run), ...logs].join('\n'));
      print(`${describeFindings(each.run)}\n\nThe whole log is in ${kept}`);
    }
    runs.push(each);
  }
  return runs;
}

await runByHand('ha', async (signal) => {
  const text = { type: 'string' } as const;
  const options = { only: text, clients: text, ttl: text, seed: text, help: { type: 'boolean' } } as const;
  const { values } = parseArgs({ options });
  if (values.help) {
    print(HELP);
    return 0;
  }
  const faults = readFaults(values.only);
  const clients = readNumber('clients', values.clients ?? '16', 1, 200);
  const ttl = readNumber('ttl', values.ttl ?? '7', LEAST_TTL, 300);
  const seed = readNumber('seed', values.seed ?? '1', 1, 2 ** 31 - 1);
  const programs = await requirePrograms();
  print(`${programs.versions}; ttl ${ttl} s; ${clients} clients`);
  const cluster = await openCluster(programs, ttl, signal);
  try {
    const holdMs = ttl * 1_000 + HOLD_BEYOND_TTL_MS;
    const runs = await runAll(cluster, faults, { seed, clients, holdMs, signal, onProgress: createProgress() });
    const head = ['FAULT', 'GRANTED', 'LOST', 'DOUBLED', 'DIFFERENCES', 'OTHER FINDINGS', 'OUTAGE'];
    const [cpu] = cpus();
    print(`\n${alignRows([head, ...runs.map(rowOf)])}\n\n${hostname()}, ${cpus().length} × ${cpu?.model}`);
    return runs.every(({ run }) => run.journal.findings.length === 0) ? 0 : 1;
  } finally {
    await cluster.close();
  }
});
