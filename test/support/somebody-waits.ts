// Whether others wait for what a transaction of the test holds: then they have come as far as that, and no further.
import type { Pool } from '../../src/store/connections/pool.ts';

/** On the connection of the transaction: so many want what it has, also those who wait behind another. */
export async function whenSomebodyWaits(within: Pool, count = 1): Promise<void> {
  for (;;) {
    const waiting = await within.query(
      `with recursive waiting (pid) as (
         select pg_backend_pid() union
         select activity.pid from pg_stat_activity as activity, waiting
         where waiting.pid = any (pg_blocking_pids(activity.pid)))
       select 1 from waiting where pid <> pg_backend_pid()`,
    );
    if (waiting.length >= count) return;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}
