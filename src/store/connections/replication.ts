// Waits for a synchronous standby, if there is one. An acknowledged commit is on the standby, but a commit that can be
// read need not be: if a wait for the standby was cancelled, killed or ended by a restart, the commit becomes visible
// without it. So what was read is confirmed before it is answered.
import { isConnectionError, OutcomeUnknown, StandbyAway, WaitsForStandby } from './pool.ts';
import type { Pool } from './pool.ts';
import { SYNCHRONOUS_TIMELINE } from './timeline.ts';
import type { Timeline } from './timeline.ts';

// Returns once the standby has everything committed so far; a read-only transaction would not wait. The condition is
// always true, and is evaluated first: a server in recovery refuses it as read-only, like every write, while the
// message function itself would fail with an internal error.
export const REPLICATE = {
  name: 'replicate',
  text: `select ${SYNCHRONOUS_TIMELINE}, pg_logical_emit_message(true, 'kassa', '') where pg_current_xact_id() is not null`,
};

/** Returns once the standby has everything committed so far, with the timeline of the server. */
export async function replicate(pool: Pool): Promise<Timeline | null> {
  const [row] = await pool.run(REPLICATE, []);
  return row?.[0] ?? null;
}

type Replication = {
  /**
   * Returns once the standby has everything that could be read before the call; until then it may be lost in a
   * failover. If the timeline has changed since the read, that read cannot be confirmed.
   */
  confirm(found?: Timeline): Promise<void>;
};

/** A standby is away for longer than anyone waits. */
export const isAtStandby = (error: unknown): boolean =>
  error instanceof StandbyAway || error instanceof WaitsForStandby;

export function openReplication(pool: Pool): Replication {
  let running: Promise<unknown> = Promise.resolve();
  let next: Promise<Timeline | null> | undefined;

  const run = async (): Promise<Timeline | null> => {
    next = undefined;
    try {
      // It changes nothing, so it can be retried on another connection.
      return await replicate(pool).catch((error: unknown) => {
        if (isConnectionError(error) && !isAtStandby(error)) return replicate(pool);
        throw error;
      });
    } catch (error) {
      // It must not be reported as not done, since it was found.
      if (isAtStandby(error)) throw new OutcomeUnknown('what was found waits for a standby', { cause: error });
      throw error;
    }
  };

  return {
    // Calls during a confirmation share the next one, which begins after them.
    confirm: async (found) => {
      next ??= running.then(run, run);
      running = next;
      const timeline = await next;
      if (found !== undefined && found !== timeline)
        throw new OutcomeUnknown('another server has taken over since it was found');
    },
  };
}
