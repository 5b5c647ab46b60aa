// Work that goes from part to part, in small steps with pauses, taking a third of the time of one connection. A part
// whose step fails is skipped for this run, so that it delays no other; the first error is thrown at the end.
import { setTimeout as sleep } from 'node:timers/promises';
import { isConnectionError } from '../connections/pool.ts';

const LONGER_THAN_IT_TAKES = 2;
const SHORTEST_PAUSE_MS = 5;
const LONGEST_PAUSE_MS = 5_000;

// A commit is dated by its beginning and visible at its end; none takes longer, except those that wait for a standby.
const SEEN_WITHIN = `interval '10 minutes'`;

/** The time up to which everything is committed: no earlier transaction is still running. */
export const HORIZON = `least(now() - ${SEEN_WITHIN}, (
  select min(xact_start) from pg_stat_activity
  where datname = current_database() and backend_xid is not null and pid <> pg_backend_pid()))`;

export type PartStep = {
  /** Parts to leave out. */
  readonly failed: readonly number[];
  readonly onClaimed: (part: number) => void;
};

/** `step` claims a part and does a bit of its work; false if there is none. */
export async function walkParts(signal: AbortSignal, step: (of: PartStep) => Promise<boolean>): Promise<void> {
  const failed: number[] = [];
  let failure: unknown;
  for (let isDue = true; isDue && !signal.aborted;) {
    const beganAt = performance.now();
    let claimed: number | undefined;
    try {
      isDue = await step({ failed, onClaimed: (part) => (claimed = part) });
    } catch (error) {
      if (claimed === undefined || isConnectionError(error)) throw error;
      failed.push(claimed);
      failure ??= error;
    }
    if (!isDue) break;
    const pauseMs = (performance.now() - beganAt) * LONGER_THAN_IT_TAKES;
    await sleep(Math.min(LONGEST_PAUSE_MS, Math.max(SHORTEST_PAUSE_MS, pauseMs)), undefined, { signal }).catch(
      () => {},
    );
  }
  if (failed.length > 0) throw failure;
}
