// Replication to a synchronous standby, where there is one. A commit that is answered has reached it; what somebody else
// committed need not have: whoever ends a wait for the standby, by a cancel, a kill or a restart, makes visible what the
// standby may not have. So before something found is answered, it is made sure of.
import { isConnectionError, OutcomeUnknown, StandbyAway, WaitsForStandby } from './pool.ts';
import type { Pool } from './pool.ts';

// Returns when the standby has it, and with it all that was committed before. What only reads would not wait for that.
// The condition always holds, and comes first: a server that is in recovery refuses it as read-only, as it does every
// write, where the message itself would be an internal error.
export const REPLICATE = {
  name: 'replicate',
  text: "select pg_logical_emit_message(true, 'kassa', '') where pg_current_xact_id() is not null",
};

type Replication = {
  /** Returns when everything that could be read before the call is where the standby is; until then it may be undone. */
  confirm(): Promise<void>;
};

export function openReplication(pool: Pool): Replication {
  let running: Promise<unknown> = Promise.resolve();
  let next: Promise<void> | undefined;

  const run = async (): Promise<void> => {
    next = undefined;
    await pool.run(REPLICATE, []).catch((error: unknown) => {
      const isAtStandby = error instanceof StandbyAway || error instanceof WaitsForStandby;
      // That nothing was done would be wrong: it was found.
      if (isAtStandby) throw new OutcomeUnknown('what was found waits for a standby', { cause: error });
      // It changes nothing, so it can be asked again on another connection.
      if (isConnectionError(error)) return pool.run(REPLICATE, []);
      throw error;
    });
  };

  return {
    // Who asks while one is under way shares the next, which begins after they asked.
    confirm: () => {
      next ??= running.then(run, run);
      running = next;
      return next;
    },
  };
}
