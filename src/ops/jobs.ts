// Periodic jobs. A job never runs twice at once; its runs are counted and its errors logged. Loops that are woken by
// notifications report their rounds to the same observer.
import { setTimeout as sleep } from 'node:timers/promises';
import { Rests } from './rests.ts';
import type { Notices } from './rests.ts';

export type Job = {
  readonly name: string;
  readonly everyMs: number;
  /** The interval in an idle process; by default the usual one. */
  readonly idleMs?: number;
  readonly run: (signal: AbortSignal) => Promise<unknown>;
};

export type JobObserver = {
  /** Called after every run, with its duration and error, if any. */
  readonly onRun: (job: string, seconds: number, error?: unknown) => void;
  /** Called for an error in something that a run started. */
  readonly onTrouble: (job: string, error: unknown) => void;
};

// The first run comes soon after the start, but not at the same time in all processes of a deployment.
const FIRST_WITHIN_MS = 2_000;
// Repeated failures are logged at this interval.
const TELL_EVERY_MS = 60_000;

async function repeat(
  { name, everyMs, run }: Job,
  { onRun }: Pick<JobObserver, 'onRun'>,
  { rests, signal }: { readonly rests: Rests; readonly signal: AbortSignal },
): Promise<void> {
  const firstMs = Math.min(everyMs, FIRST_WITHIN_MS) * Math.random();
  await sleep(firstMs, undefined, { signal, ref: false }).catch(() => {});
  while (!signal.aborted) {
    const startedAt = performance.now();
    const secondsSince = (): number => (performance.now() - startedAt) / 1_000;
    const look = await run(signal).then(
      () => {
        onRun(name, secondsSince());
        return 'nothing' as const;
      },
      (error: unknown) => {
        onRun(name, secondsSince(), error);
        return 'failed' as const;
      },
    );
    await rests.rest(look);
  }
}

/** Runs the jobs until it is stopped; a running job is aborted and awaited. */
export function startJobs(
  jobs: readonly Job[],
  observer: Pick<JobObserver, 'onRun'>,
  notices: Notices,
): { stop(): Promise<void> } {
  const stopping = new AbortController();
  const { signal } = stopping;
  const paced = jobs.map((job) => {
    const { everyMs, idleMs = everyMs } = job;
    return { job, rests: new Rests(notices, { leastMs: everyMs, mostMs: idleMs }) };
  });
  const running = Promise.all(paced.map(({ job, rests }) => repeat(job, observer, { rests, signal })));
  return {
    stop: async () => {
      stopping.abort();
      for (const { rests } of paced) rests.end();
      await running;
    },
  };
}

/** An observer that counts every run, and logs the errors of each job at most once per interval. */
export function watchJobs(count: JobObserver['onRun'], tell: (job: string, error: unknown) => void): JobObserver {
  const toldAt = new Map<string, number>();
  const onTrouble = (job: string, error: unknown): void => {
    if (performance.now() - (toldAt.get(job) ?? Number.NEGATIVE_INFINITY) < TELL_EVERY_MS) return;
    toldAt.set(job, performance.now());
    tell(job, error);
  };
  return {
    onRun: (job, seconds, error) => {
      count(job, seconds, error);
      if (error !== undefined) onTrouble(job, error);
    },
    onTrouble,
  };
}
