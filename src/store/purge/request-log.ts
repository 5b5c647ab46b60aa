// Deletes expired requests from the request log, and the counts of omitted ones; all of them if the log is disabled.
import type { Pool } from '../connections/pool.ts';
import { inUnsyncedTransaction } from '../connections/transaction.ts';

const STEP = 1_000;

const KEYS = {
  request_log: 'part, merchant_id, id',
  request_log_omissions: 'part, merchant_id, minute',
} as const;

/** Yields after each step. */
export async function* purgeRequestLog(pool: Pool, keptMs: number): AsyncGenerator<Readonly<Record<string, number>>> {
  for (const [table, key] of Object.entries(KEYS))
    for (let count = STEP; count === STEP;) {
      const text = `delete from ${table} where (${key}) in (
        select ${key} from ${table} where logged_at < now() - interval '1 millisecond' * $1::float8
        order by logged_at limit ${STEP} for update skip locked
      )`;
      const { rowCount } = await inUnsyncedTransaction(pool, (client) => client.query(text, [keptMs]));
      count = rowCount ?? 0;
      yield { [table]: count };
    }
}
