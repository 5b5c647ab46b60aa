// Replication to a synchronous standby, where there is one. A commit that is answered has reached it; what somebody else
// committed need not have: whoever ends a wait for the standby, by a cancel, a kill or a restart, makes visible what the
// standby may not have. So before something found is answered, it is made sure of.
import { isConnectionError, OutcomeUnknown, StandbyAway, WaitsForStandby } from './pool.ts';
import type { Pool } from './pool.ts';
import { SYNCHRONOUS_TIMELINE } from './timeline.ts';
import type { Timeline } from './timeline.ts';

// Returns when the standby has it, and with it all that was committed before. What only reads would not wait for that.
// The condition always holds, and comes first: a server that is in recovery refuses it as read-only, as it does every
// write, where the message itself would be an internal error.
export const REPLICATE = {
  name: 'replicate',
  text: `select ${SYNCHRONOUS_TIMELINE}, pg_logical_emit_message(true, 'kassa', '') where pg_current_xact_id() is not null`,
};

/** Returns when the standby has all that was committed before: gives the timeline that it was asked on. */
export async function replicate(pool: Pool): Promise<Timeline | null> {
  const [row] = await pool.run(REPLICATE, []);
  return row?.[0] ?? null;
}

type Replication = {
  /**
   * Returns when everything that could be read before the call is where the standby is; until then it may be undone. What
   * was found on a timeline is not there to stay because another one says so.
   */
  confirm(found?: Timeline): Promise<void>;
};

/** A standby is away for longer than anybody waits. */
export const isAtStandby = (error: unknown): boolean =>
  error instanceof StandbyAway || error instanceof WaitsForStandby;

export function openReplication(pool: Pool): Replication {
  let running: Promise<unknown> = Promise.resolve();
  let next: Promise<Timeline | null> | undefined;

  const run = async (): Promise<Timeline | null> => {
    next = undefined;
    try {
      // It changes nothing, so it can be asked again on another connection.
      return await replicate(pool).catch((error: unknown) => {
        if (isConnectionError(error) && !isAtStandby(error)) return replicate(pool);
        throw error;
      });
    } catch (error) {
      // That nothing was done would be wrong: it was found.
      if (isAtStandby(error)) throw new OutcomeUnknown('what was found waits for a standby', { cause: error });
      throw error;
    }
  };

  return {
    // Who asks while one is under way shares the next, which begins after they asked.
    confirm: async (found) => {
      next ??= running.then(run, run);
      running = next;
      const timeline = await next;
      if (found !== undefined && found !== timeline)
        throw new OutcomeUnknown('another server has taken over since it was found');
    },
  };
}
