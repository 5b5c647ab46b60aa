// Work that goes on as long as the process runs, under a name: one runner for all of it. A look claims what is due, by a
// lease in the database, and each piece is worked on beside the others. A piece that fails, or whose process dies, comes up
// again when its lease ends. A job of the housekeeping is the case that claims nothing.
import { setTimeout as sleep } from 'node:timers/promises';
import { Rests, SWEEP_EVERY_MS } from './rests.ts';
import type { Known, Look, Notices } from './rests.ts';

export type JobObserver = {
  /** After every look: how long it took, and what went wrong, if something did. */
  readonly onRun: (job: string, seconds: number, error?: unknown) => void;
  /** What went wrong with a piece. */
  readonly onTrouble: (job: string, error: unknown) => void;
};

export type Claimed<Piece> = Known & {
  /** Absent where it was woken before its time and did not look: the next look stays where it was planned. */
  readonly look?: Look;
  readonly pieces?: readonly Piece[];
};

export type LeasedWork<Piece> = {
  readonly name: string;
  /** From one look to the next, at least, and at most where nobody makes any work. */
  readonly everyMs: number;
  readonly idleMs?: number;
  /** The first look comes within so long, though not for all processes of a deployment at once. */
  readonly firstWithinMs?: number;
  readonly claim: (now: {
    readonly isTimeToLook: boolean;
    readonly underWay: ReadonlyMap<Piece, unknown>;
    readonly signal: AbortSignal;
  }) => Promise<Claimed<Piece>>;
  readonly work?: (piece: Piece, signal: AbortSignal) => Promise<void>;
  /** Pieces under way at once. */
  readonly mostAtOnce?: number;
  /** From the beginning of one piece to that of the next. */
  readonly paceMs?: number;
  /** Whether more is claimed at once after the end of a piece. */
  readonly isWokenBy?: (ended: Piece, underWay: ReadonlyMap<Piece, unknown>) => boolean;
};

export type Runner = {
  /** Claims again at once. */
  wake(): void;
  /** Claims no more, and waits for what is under way. */
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
    const tell = (error?: unknown): void => onRun(name, (performance.now() - startedAt) / 1_000, error);
    try {
      const isTimeToLook = rests.isOver();
      const { look, pieces = [], ...known } = await leased.claim({ isTimeToLook, underWay, signal });
      if (look !== undefined) {
        tell();
        rests.plan(look, known);
      }
      return pieces;
    } catch (error) {
      tell(error);
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

/** What is done now and then, never twice at once; without `idleMs` as often in an idle process. */
export type Job = Pick<LeasedWork<never>, 'name' | 'everyMs' | 'idleMs'> & {
  readonly run: (signal: AbortSignal) => Promise<unknown>;
};

const FIRST_WITHIN_MS = 2_000;

/** Runs the jobs until it is stopped; a running job is aborted and awaited. */
export function startJobs(jobs: readonly Job[], observer: JobObserver, notices: Notices): { stop(): Promise<unknown> } {
  const runners = jobs.map(({ run, ...job }) => {
    const claim: LeasedWork<never>['claim'] = ({ signal }) => run(signal).then(() => ({ look: 'nothing' }));
    const firstWithinMs = Math.min(job.everyMs, FIRST_WITHIN_MS);
    return startRunner(observer, notices, { idleMs: job.everyMs, ...job, firstWithinMs, claim });
  });
  return { stop: () => Promise.all(runners.map((runner) => runner.stop())) };
}

// Repeated failures are logged at this interval.
const TELL_EVERY_MS = 60_000;

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
