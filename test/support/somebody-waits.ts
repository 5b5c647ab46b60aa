// Whether somebody waits for what a transaction of the test holds: then they have come as far as that, and no further.
import type { Pool } from '../../src/store/pool.ts';

/** On the connection of the transaction: somebody wants what it has. */
export async function whenSomebodyWaits(within: Pool): Promise<void> {
  for (;;) {
    const waiting = await within.query(
      'select 1 from pg_stat_activity where pg_backend_pid() = any (pg_blocking_pids(pid))',
    );
    if (waiting.length > 0) return;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}
