// Work that is done now and then as long as the process runs, under a name: never twice at once, its errors told and its
// runs counted. What has a loop of its own, since it is woken by others, reports its rounds to the same observer.
import { setTimeout as sleep } from 'node:timers/promises';
import { Rests } from './rests.ts';
import type { Notices } from './rests.ts';

export type Job = {
  readonly name: string;
  readonly everyMs: number;
  /** How rarely it is enough where nobody has made any work for a while; otherwise as often as ever. */
  readonly idleMs?: number;
  readonly run: (signal: AbortSignal) => Promise<unknown>;
};

export type JobObserver = {
  /** After every run: how long it took, and what went wrong, if something did. */
  readonly onRun: (job: string, seconds: number, error?: unknown) => void;
  /** What went wrong with something that a run had begun. */
  readonly onTrouble: (job: string, error: unknown) => void;
};

// The first run comes soon after the start, though not for all processes of a deployment at once.
const FIRST_WITHIN_MS = 2_000;
// What fails again and again is told now and then.
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

/** Runs them until it is stopped; what is under way is told to end, and waited for. */
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

/** An observer that counts every run, and tells of the errors of each job now and then. */
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
