// Commits changes: one statement for a whole group. Each hangs on a gate, the version or the key that it was decided on
// (commit.sql): one that lost it to another comes back as a conflict, to be decided again. A group that fails is run again
// one change at a time, so that only the guilty one fails; one that meets somebody else's lock is run again without those
// who want it. When a connection breaks, the same changes are written again on a new one before anybody is answered: the
// gates let each in once. One that is not let in then was in already, which the ids that it made tell, or has lost; one
// that made none cannot be told, and is unclear.
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

/** `unclear` is a conflict of a change that may have been committed before and leaves nothing to tell that by. */
export type Committed = 'committed' | 'conflict' | 'unclear';

// Before changes are written again after a broken connection: the database may be restarting, which takes it a second
// or two.
const WRITE_AGAIN_PAUSES_MS = [50, 200, 500, 1_000, 2_000, 3_000];

// A client waits for 30 s: no run is begun when it could not be answered in that time any more.
const GIVE_UP_AFTER_MS = 20_000;

/** How long a group waits for a lock that somebody else holds: other groups hold theirs for milliseconds. */
export const GROUP_LOCK_TIMEOUT_MS = 500;
// After this, whoever is not known to be free of somebody else's lock waits apart from the others.
const SEARCH_MS = 1_500;

export type CommitObserver = { readonly onRunAlone: () => void; readonly onLookUp: () => void };

type Outcome = Committed | Error;

/**
 * Commits changes together, on connections of one pool. `unanswered` are those that were sent and of which no answer came,
 * whoever tries them again.
 */
function openCommitter(pool: Pool, observer: CommitObserver, unanswered: WeakSet<CommitRequest>) {
  /**
   * Which of the changes that were not let in had been before. By now others of their group are committed: whatever keeps
   * us from looking, nobody may be told that nothing was done.
   */
  const findCommittedBefore = async (
    requests: readonly CommitRequest[],
    lost: readonly CommitRequest[],
  ): Promise<readonly string[]> => {
    try {
      const marked = await findMarked(pool, lost);
      if (marked === undefined) return [];
      // Whatever interrupted the first run may have ended its wait for a standby: what it left counts once that has it.
      if ((await replicate(pool)) === marked.timeline) return marked.ids;
      throw new DatabaseAway('another server has taken over since it was found');
    } catch (error) {
      for (const request of requests) unanswered.add(request);
      if (error instanceof WaitsForStandby || !(error instanceof DatabaseAway)) throw error;
      throw new DatabaseAway('what had been committed could not be looked up', { cause: error });
    }
  };

  /** A second run may find that the first, whose answer was lost, had let a change in. */
  const write = async (requests: readonly CommitRequest[], isSecondRun: boolean): Promise<Committed[]> => {
    // Sorted, so that two processes lock the rows of their groups in one order.
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

  /** Runs the same changes again on a new connection: the gates let each in once, and a late first run not at all. */
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
        // Too busy to look it up is not an answer either.
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
  /** For groups: gives up soon on a lock that somebody else holds. */
  readonly grouped: Pool;
  /** For single changes that wait for such a lock. */
  readonly lockWaiters: Pool;
};

/** Gives what comes of each change; of one that waits apart from its group, later. */
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
   * Whoever wants what somebody else has locked waits on a connection of its own. Where the lock is on no payment, halves
   * find them.
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

  /** Whatever kept the last try: one before it may have been committed. */
  const tell = (request: CommitRequest, outcome: Outcome): Outcome =>
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
      return outcome instanceof Promise ? outcome.then((late) => tell(request, late)) : tell(request, outcome);
    });
}

/** Whether a call that failed so may have been done all the same: it was sent, and no answer came. */
export const leavesUnknown = (error: unknown): boolean =>
  isConnectionError(error) && !(error instanceof NotConnected || error instanceof StandbyAway);

/** One change of a group may be guilty; a change that was alone already gets a second try only after a deadlock. */
function isWorthRunningAlone(error: unknown, size: number): boolean {
  if (isConnectionError(error)) return false;
  if (!(error instanceof DatabaseBusy)) return size > 1;
  const code = String(codeOf(error.cause));
  if (code.startsWith('40')) return true;
  const isNobodysFault = code === READ_ONLY || code.startsWith('53');
  return size > 1 && !isNobodysFault;
}

/** Where two changes can meet: creates with a key at the key, charges of a subscription there, all else at the payment. */
export const meetingPointOf = ({ change: { payment }, record, renewal }: CommitRequest): string =>
  renewal?.subscriptionId ?? (record?.operation === 'create' ? `${payment.merchantId}:${record.key}` : payment.id);

const contentionOf = (request: CommitRequest) => ({
  meetingPoint: meetingPointOf(request),
  tenant: request.change.payment.merchantId,
  isCreate: request.before === undefined,
});

const orderOf = (request: CommitRequest): string => request.change.payment.id.slice(13, 16) + meetingPointOf(request);
