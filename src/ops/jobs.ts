// Background jobs: one runner for all of them. Each poll claims what is due, with a lease in the database, and works on
// the claimed pieces concurrently. A piece that fails, or whose process dies, is claimed again when its lease expires.
// Housekeeping jobs claim nothing.
import { setTimeout as sleep } from 'node:timers/promises';
import { Rests, SWEEP_EVERY_MS } from './rests.ts';
import type { Known, Look, Notices } from './rests.ts';

export type JobObserver = {
  /** After every poll: its duration, and its error, if any. */
  readonly onRun: (job: string, seconds: number, error?: unknown) => void;
  /** A piece has failed. */
  readonly onTrouble: (job: string, error: unknown) => void;
};

export type Claimed<Piece> = Known & {
  /** Undefined if it was woken early and did not poll: the next poll stays scheduled as it was. */
  readonly look?: Look;
  readonly pieces?: readonly Piece[];
};

export type LeasedWork<Piece> = {
  readonly name: string;
  /** The shortest interval between polls, and the longest when there is no work. */
  readonly everyMs: number;
  readonly idleMs?: number;
  /** The first poll comes within this time, at a random moment, so that processes do not all poll at once. */
  readonly firstWithinMs?: number;
  readonly claim: (now: {
    readonly isTimeToLook: boolean;
    readonly underWay: ReadonlyMap<Piece, unknown>;
    readonly signal: AbortSignal;
  }) => Promise<Claimed<Piece>>;
  readonly work?: (piece: Piece, signal: AbortSignal) => Promise<void>;
  /** How many pieces run at once. */
  readonly mostAtOnce?: number;
  /** The shortest time from the start of one piece to the start of the next. */
  readonly paceMs?: number;
  /** Whether to claim more as soon as a piece ends. */
  readonly isWokenBy?: (ended: Piece, underWay: ReadonlyMap<Piece, unknown>) => boolean;
};

export type Runner = {
  /** Claims again at once. */
  wake(): void;
  /** Claims no more, and waits for the pieces under way. */
  stop(): Promise<void>;
};

export function startRunner<Piece = never>(
  { onRun, onTrouble }: JobObserver,
  notices: Notices,
  leased: LeasedWork<Piece>,
): Runner {
  const { name, everyMs: leastMs, idleMs: mostMs = SWEEP_EVERY_MS, firstWithinMs = 0 } = leased;
  const { mostAtOnce = Number.POSITIVE_INFINITY, paceMs = 0 } = leased;
  const stopping = new AbortController();
  const { signal } = stopping;
  const rests = new Rests(notices, { leastMs, mostMs });
  const underWay = new Map<Piece, Promise<void>>();
  const pause = (ms: number): Promise<void> => sleep(ms, undefined, { signal, ref: false }).catch(() => {});

  const work = async (piece: Piece): Promise<void> => {
    await leased.work?.(piece, signal).catch((error: unknown) => onTrouble(name, error));
    underWay.delete(piece);
    if (leased.isWokenBy?.(piece, underWay)) rests.wake();
  };

  const claim = async (): Promise<readonly Piece[]> => {
    const startedAt = performance.now();
    const report = (error?: unknown): void => onRun(name, (performance.now() - startedAt) / 1_000, error);
    try {
      const isTimeToLook = rests.isOver();
      const { look, pieces = [], ...known } = await leased.claim({ isTimeToLook, underWay, signal });
      if (look !== undefined) {
        report();
        rests.plan(look, known);
      }
      return pieces;
    } catch (error) {
      report(error);
      rests.plan('failed');
      return [];
    }
  };

  const run = async (): Promise<void> => {
    if (firstWithinMs > 0) await pause(firstWithinMs * Math.random());
    while (!signal.aborted) {
      for (const piece of await claim()) {
        underWay.set(piece, work(piece));
        if (paceMs > 0) await pause(paceMs);
      }
      if (underWay.size >= mostAtOnce) await Promise.race(underWay.values());
      await rests.wait();
    }
    await Promise.all(underWay.values());
  };
  const running = run();
  return {
    wake: () => rests.wake(),
    stop: () => {
      stopping.abort();
      rests.end();
      return running;
    },
  };
}

/** A periodic task that never overlaps itself; without `idleMs` it runs as often in an idle process. */
export type Job = Pick<LeasedWork<never>, 'name' | 'everyMs' | 'idleMs'> & {
  readonly run: (signal: AbortSignal) => Promise<unknown>;
};

const FIRST_WITHIN_MS = 2_000;

/** Runs the jobs until it is stopped; then aborts what is running and waits for it. */
export function startJobs(jobs: readonly Job[], observer: JobObserver, notices: Notices): { stop(): Promise<unknown> } {
  const runners = jobs.map(({ run, ...job }) => {
    const claim: LeasedWork<never>['claim'] = ({ signal }) => run(signal).then(() => ({ look: 'nothing' }));
    const firstWithinMs = Math.min(job.everyMs, FIRST_WITHIN_MS);
    return startRunner(observer, notices, { idleMs: job.everyMs, ...job, firstWithinMs, claim });
  });
  return { stop: () => Promise.all(runners.map((runner) => runner.stop())) };
}

// Repeated failures are logged at this interval.
const LOG_EVERY_MS = 60_000;

/** An observer that counts every run, and logs the errors of each job at most once per interval. */
export function watchJobs(count: JobObserver['onRun'], log: (job: string, error: unknown) => void): JobObserver {
  const loggedAt = new Map<string, number>();
  const onTrouble = (job: string, error: unknown): void => {
    if (performance.now() - (loggedAt.get(job) ?? Number.NEGATIVE_INFINITY) < LOG_EVERY_MS) return;
    loggedAt.set(job, performance.now());
    log(job, error);
  };
  return {
    onRun: (job, seconds, error) => {
      count(job, seconds, error);
      if (error !== undefined) onTrouble(job, error);
    },
    onTrouble,
  };
}
