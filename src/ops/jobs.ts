// Work that is done now and then as long as the process runs, under a name: never twice at once, its errors told and its
// runs counted. What has a loop of its own, since it is woken by others, reports its rounds to the same observer.
import { setTimeout as sleep } from 'node:timers/promises';

export type Job = {
  readonly name: string;
  readonly everyMs: number;
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
// Later ones drift apart.
const JITTER = 0.1;
// What fails again and again is told now and then.
const TELL_EVERY_MS = 60_000;

async function repeat(
  { name, everyMs, run }: Job,
  { onRun }: Pick<JobObserver, 'onRun'>,
  signal: AbortSignal,
): Promise<void> {
  let pauseMs = Math.min(everyMs, FIRST_WITHIN_MS) * Math.random();
  while (!signal.aborted) {
    await sleep(pauseMs, undefined, { signal, ref: false }).catch(() => {});
    if (signal.aborted) return;
    const startedAt = performance.now();
    const secondsSince = (): number => (performance.now() - startedAt) / 1_000;
    await run(signal).then(
      () => onRun(name, secondsSince()),
      (error: unknown) => onRun(name, secondsSince(), error),
    );
    pauseMs = everyMs * (1 + JITTER * Math.random());
  }
}

/** Runs them until it is stopped; what is under way is told to end, and waited for. */
export function startJobs(jobs: readonly Job[], observer: Pick<JobObserver, 'onRun'>): { stop(): Promise<void> } {
  const stopping = new AbortController();
  const running = Promise.all(jobs.map((job) => repeat(job, observer, stopping.signal)));
  return {
    stop: async () => {
      stopping.abort();
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
