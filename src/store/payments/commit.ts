// Commits changes: one statement for a whole group. Each has a gate, the version or the key that it was decided on
// (commit.sql); if another change was faster, it is returned as a conflict, to be decided again. A group that fails is
// retried one change at a time, so that only the failing one fails; a group that meets a lock is retried without the
// changes that wait for it. When a connection breaks, the same changes are written again on a new one before anything
// is answered: the gates accept each once. A change that is rejected then was either committed before, which the ids
// that it created show, or lost; if it created none, the outcome is unclear.
import { openLockWaiters } from '../connections/lock-waiters.ts';
import { findFree, findMarked, hasMarks } from './commit-look-ups.ts';
import type { CommitRequest } from './commit-request.ts';
import { valuesOf } from './commit-rows.ts';
import { commitOf } from './commit-statement.ts';
import { plainId } from '../statements/payment-row.ts';
import { codeOf, DatabaseAway, DatabaseBusy, isConnectionError, isLocked, NotConnected } from '../connections/pool.ts';
import { OutcomeUnknown, READ_ONLY, StandbyAway, WaitsForStandby } from '../connections/pool.ts';
import type { Pool } from '../connections/pool.ts';
import { isAtStandby, replicate } from '../connections/replication.ts';

/** `unclear` is a conflict of a change that may have been committed before and created no id that would show it. */
export type Committed = 'committed' | 'conflict' | 'unclear';

// Pause before changes are written again after a broken connection: the database may be restarting, which takes a
// second or two.
const WRITE_AGAIN_PAUSES_MS = [50, 200, 500, 1_000, 2_000, 3_000];

// A client waits for 30 s: no try begins that could not be answered in that time.
const GIVE_UP_AFTER_MS = 20_000;

/** The lock timeout of a group: other groups hold their locks for milliseconds. */
export const GROUP_LOCK_TIMEOUT_MS = 500;
// After this, changes that may be blocked wait separately from the others.
const SEARCH_MS = 1_500;

export type CommitObserver = { readonly onRunAlone: () => void; readonly onLookUp: () => void };

type Outcome = Committed | Error;

/**
 * Commits changes together, on connections of one pool. `unanswered` are those that were sent without an answer, across
 * tries.
 */
function openCommitter(pool: Pool, observer: CommitObserver, unanswered: WeakSet<CommitRequest>) {
  /**
   * The rejected changes that had been committed before. By now others of their group are committed: if this fails, no
   * change may be reported as not done.
   */
  const findCommittedBefore = async (
    requests: readonly CommitRequest[],
    lost: readonly CommitRequest[],
  ): Promise<readonly string[]> => {
    try {
      const marked = await findMarked(pool, lost);
      if (marked === undefined) return [];
      // What interrupted the first try may have cancelled its wait for a standby: its changes count once the standby
      // has them.
      if ((await replicate(pool)) === marked.timeline) return marked.ids;
      throw new DatabaseAway('another server has taken over since it was found');
    } catch (error) {
      for (const request of requests) unanswered.add(request);
      if (error instanceof WaitsForStandby || !(error instanceof DatabaseAway)) throw error;
      throw new DatabaseAway('what had been committed could not be looked up', { cause: error });
    }
  };

  /** A second try may find that the first, whose answer was lost, had committed a change. */
  const write = async (requests: readonly CommitRequest[], isSecondRun: boolean): Promise<Committed[]> => {
    // Sorted, so that two processes lock the rows of their groups in the same order.
    const sorted = requests.toSorted((a, b) => (orderOf(a) < orderOf(b) ? -1 : 1));
    const { statement, values } = commitOf(valuesOf(sorted));
    const rows = await pool.run(statement, values);
    const written = new Set(rows.map(([id]) => plainId(id as string)));
    if (isSecondRun) {
      const lost = requests.filter(({ change }) => !written.has(change.payment.id));
      if (lost.length > 0) for (const id of await findCommittedBefore(requests, lost)) written.add(id);
    }
    return requests.map((request) => {
      if (written.has(request.change.payment.id)) return 'committed';
      return unanswered.has(request) && !hasMarks(request) ? 'unclear' : 'conflict';
    });
  };

  /** Retries the same changes on a new connection: the gates accept each once, and reject a first try that is late. */
  const writeAgain = async (requests: readonly CommitRequest[], cut: unknown, giveUpAt: number) => {
    observer.onLookUp();
    let [isUnknown, last] = [false, cut];
    const note = (error: unknown): void => {
      last = error;
      if (!leavesUnknown(error)) return;
      isUnknown = true;
      for (const request of requests) unanswered.add(request);
    };
    note(cut);
    for (const pauseMs of WRITE_AGAIN_PAUSES_MS) {
      if (performance.now() + pauseMs > giveUpAt) break;
      await new Promise((resolve) => setTimeout(resolve, pauseMs));
      try {
        return await write(requests, true);
      } catch (error) {
        // Being too busy to look it up is not an answer either.
        if (!(error instanceof DatabaseAway)) throw error;
        note(error);
        if (isAtStandby(error)) break;
      }
    }
    if (!isUnknown) throw new DatabaseAway('nothing could be asked of the database', { cause: last });
    throw new OutcomeUnknown('the outcome of a commit could not be looked up', { cause: last });
  };

  const run = async (requests: readonly CommitRequest[], isSecondRun: boolean, giveUpAt: number) => {
    try {
      return await write(requests, isSecondRun);
    } catch (error) {
      if (error instanceof StandbyAway) throw error;
      if (error instanceof WaitsForStandby) throw new OutcomeUnknown('a commit waits for a standby', { cause: error });
      if (isConnectionError(error)) return writeAgain(requests, error, giveUpAt);
      throw error;
    }
  };

  const runAlone = async (request: CommitRequest, giveUpAt: number): Promise<Committed | Error> => {
    if (performance.now() > giveUpAt) return new DatabaseAway('the database was too slow to try every change');
    try {
      return (await run([request], true, giveUpAt))[0] as Committed;
    } catch (error) {
      return error as Error;
    }
  };

  return { run, runAlone };
}

export type CommitPools = {
  /** For groups: a short lock timeout. */
  readonly grouped: Pool;
  /** For single changes that wait for such a lock. */
  readonly lockWaiters: Pool;
};

/** Returns the outcome of each change; for a change that waits separately, a promise. */
export function commitGroup({ grouped, lockWaiters: waiterPool }: CommitPools, observer: CommitObserver) {
  const unanswered = new WeakSet<CommitRequest>();
  const { run, runAlone } = openCommitter(grouped, observer, unanswered);
  const lockWaiters = openLockWaiters(contentionOf, openCommitter(waiterPool, observer, unanswered).runAlone);

  const runEach = async (requests: readonly CommitRequest[], giveUpAt: number): Promise<Outcome[]> => {
    observer.onRunAlone();
    const outcomes: Outcome[] = [];
    for (const request of requests) outcomes.push(await runAlone(request, giveUpAt));
    return outcomes;
  };

  const runTogether = async (
    requests: readonly CommitRequest[],
    giveUpAt: number,
    isSecondRun: boolean,
    searchUntil: number,
  ): Promise<(Outcome | Promise<Outcome>)[]> => {
    try {
      return requests.length === 0 ? [] : await run(requests, isSecondRun, giveUpAt);
    } catch (error) {
      if (isLocked(error)) return goAround(requests, giveUpAt, searchUntil);
      if (isWorthRunningAlone(error, requests.length)) return runEach(requests, giveUpAt);
      return requests.map(() => error as Error);
    }
  };

  /**
   * Changes that need a locked row wait on a connection of their own. If the lock is not on a payment, bisects to find
   * them.
   */
  const goAround = async (
    requests: readonly CommitRequest[],
    giveUpAt: number,
    searchUntil: number,
  ): Promise<(Outcome | Promise<Outcome>)[]> => {
    if (requests.length === 1 || performance.now() > searchUntil)
      return requests.map((request) => lockWaiters.wait(request, giveUpAt));
    observer.onRunAlone();
    const free = await findFree(grouped, requests).catch(() => undefined);
    const isFree = ({ change, before }: CommitRequest): boolean =>
      free === undefined || before === undefined || free.has(change.payment.id);
    const others = requests.filter(isFree);
    const half = others.length === requests.length ? Math.ceil(others.length / 2) : others.length;
    const outcomes = new Map<CommitRequest, Outcome | Promise<Outcome>>();
    for (const request of requests) if (!isFree(request)) outcomes.set(request, lockWaiters.wait(request, giveUpAt));
    for (const part of [others.slice(0, half), others.slice(half)]) {
      const given = await runTogether(part, giveUpAt, true, searchUntil);
      part.forEach((request, index) => outcomes.set(request, given[index] as Outcome));
    }
    return requests.map((request) => outcomes.get(request) as Outcome);
  };

  /** Whatever the last try returned, an earlier one may have been committed. */
  const markUnknown = (request: CommitRequest, outcome: Outcome): Outcome =>
    outcome instanceof DatabaseAway && !(outcome instanceof OutcomeUnknown) && unanswered.has(request)
      ? new OutcomeUnknown('what an earlier run came to is not known', { cause: outcome })
      : outcome;

  const commit = async (requests: readonly CommitRequest[]): Promise<readonly (Outcome | Promise<Outcome>)[]> => {
    const now = performance.now();
    const giveUpAt = now + GIVE_UP_AFTER_MS;
    const others = requests.filter((request) => !lockWaiters.holds(request));
    if (others.length === requests.length) return runTogether(requests, giveUpAt, false, now + SEARCH_MS);
    const waiting = new Map(
      requests
        .filter((request) => lockWaiters.holds(request))
        .map((request) => [request, lockWaiters.wait(request, giveUpAt)]),
    );
    const given = await runTogether(others, giveUpAt, false, now + SEARCH_MS);
    const outcomes = new Map(others.map((request, index) => [request, given[index] as Outcome]));
    return requests.map((request) => waiting.get(request) ?? (outcomes.get(request) as Outcome));
  };

  return async (requests: readonly CommitRequest[]): Promise<readonly (Outcome | Promise<Outcome>)[]> =>
    (await commit(requests)).map((outcome, index) => {
      const request = requests[index] as CommitRequest;
      return outcome instanceof Promise
        ? outcome.then((late) => markUnknown(request, late))
        : markUnknown(request, outcome);
    });
}

/** Whether a call that failed with this error may have been done: it was sent, and there was no answer. */
export const leavesUnknown = (error: unknown): boolean =>
  isConnectionError(error) && !(error instanceof NotConnected || error instanceof StandbyAway);

/** One change of a group may be the cause; a change that was alone is only retried after a deadlock. */
function isWorthRunningAlone(error: unknown, size: number): boolean {
  if (isConnectionError(error)) return false;
  if (!(error instanceof DatabaseBusy)) return size > 1;
  const code = String(codeOf(error.cause));
  if (code.startsWith('40')) return true;
  const isNobodysFault = code === READ_ONLY || code.startsWith('53');
  return size > 1 && !isNobodysFault;
}

/**
 * Where two changes can conflict: creates with a key at the key, charges of a subscription at the subscription, all
 * others at the payment.
 */
export const meetingPointOf = ({ change: { payment }, record, renewal }: CommitRequest): string =>
  renewal?.subscriptionId ?? (record?.operation === 'create' ? `${payment.merchantId}:${record.key}` : payment.id);

const contentionOf = (request: CommitRequest) => ({
  meetingPoint: meetingPointOf(request),
  tenant: request.change.payment.merchantId,
  isCreate: request.before === undefined,
});

const orderOf = (request: CommitRequest): string => request.change.payment.id.slice(13, 16) + meetingPointOf(request);
