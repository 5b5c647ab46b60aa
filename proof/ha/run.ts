// One fault: a new database on the three servers, two Kassas, clients who ask without a pause; the fault, its end, and
// the judgement of chaos.
import { setTimeout as sleep } from 'node:timers/promises';
import type { Journal } from '../chaos/journal.ts';
import type { Run } from '../chaos/run.ts';
import { runTrial } from '../chaos/trial.ts';
import { openWorld } from '../chaos/world.ts';
import type { Cluster } from './cluster.ts';
import type { Fault } from './faults.ts';

export type FaultRun = {
  readonly fault: Fault;
  readonly run: Run;
  /** The longest time in which nothing was granted. */
  readonly outageMs: number;
};

export type FaultOptions = {
  readonly seed: number;
  readonly clients: number;
  /** How long a fault lasts at least. */
  readonly holdMs: number;
  readonly signal: AbortSignal;
  readonly onProgress: (text: string) => void;
};

// So many answers say that it is served.
const SERVED = 50;
const SERVED_LIMIT_MS = 180_000;
const LOOK_EVERY_MS = 50;
// Short, so that the end of an outage is seen when it is there.
const LONGEST_PAUSE_MS = 200;

/** Waits until so many more operations were granted; a finding when that does not come. */
async function served(journal: Journal, signal: AbortSignal): Promise<void> {
  const wanted = journal.grantedAtMs.length + SERVED;
  const deadline = performance.now() + SERVED_LIMIT_MS;
  while (journal.grantedAtMs.length < wanted) {
    if (performance.now() > deadline)
      return journal.find('unfinished', `no ${SERVED} operations were granted within ${SERVED_LIMIT_MS / 1_000} s`);
    await sleep(LOOK_EVERY_MS, undefined, { signal });
  }
  return undefined;
}

/** The longest time between two of them that follow each other, from one moment to another. */
function longestGapMs(atMs: readonly number[], fromMs: number, toMs: number): number {
  const within = atMs.filter((at) => at > fromMs && at < toMs).toSorted((a, b) => a - b);
  const marks = [fromMs, ...within, toMs];
  return Math.max(...marks.slice(1).map((at, n) => at - (marks[n] as number)));
}

export async function runFault(cluster: Cluster, fault: Fault, options: FaultOptions): Promise<FaultRun> {
  const { seed, clients, holdMs, signal, onProgress } = options;
  const kassaUrls = await cluster.createDatabase(`kassa_${fault.name}`);
  const beginMs = performance.now();
  let outageMs = 0;
  const tried = await runTrial({
    seed,
    clients,
    longestPauseMs: LONGEST_PAUSE_MS,
    signal,
    onProgress: (text) => onProgress(`${fault.name}: ${text}`),
    open: (journal) =>
      openWorld(
        { seed, clocksDiffer: false, onDefect: (text) => journal.find('defect', text), onClock: () => {} },
        signal,
        async () => ({ database: { url: kassaUrls[0] }, kassaUrls }),
      ),
    trouble: async (_world, journal) => {
      await served(journal, signal);
      const fromMs = performance.now();
      journal.trouble(fault.name);
      const mend = await fault.begin(cluster);
      await sleep(holdMs, undefined, { signal });
      await served(journal, signal);
      journal.note(`*** ${fault.name} is mended`);
      mend();
      await cluster.whole(signal);
      await served(journal, signal);
      outageMs = longestGapMs(journal.grantedAtMs, fromMs, performance.now());
    },
  });
  const seconds = Math.round((performance.now() - beginMs) / 1_000);
  return { fault, run: { seed, seconds, ...tried }, outageMs };
}
