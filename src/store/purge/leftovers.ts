// Deletes what deliveries leave behind: finished redeliveries, and old endpoint states, which are learned again when
// needed.
import type { Pool } from '../connections/pool.ts';
import { inUnsyncedTransaction } from '../connections/transaction.ts';

const STEP = 1_000;

const TABLES = {
  redeliveries: { key: 'part, id', time: 'ended_at' },
  endpoints: { key: 'part, merchant_id, endpoint', time: 'changed_at' },
} as const;

/** Yields after each step. */
export async function* purgeLeftovers(pool: Pool, keptMs: number): AsyncGenerator<Readonly<Record<string, number>>> {
  for (const [table, { key, time }] of Object.entries(TABLES))
    for (let count = STEP; count === STEP;) {
      const text = `delete from ${table} where (${key}) in (
        select ${key} from ${table} where ${time} < now() - interval '1 millisecond' * $1::float8
        order by ${time} limit ${STEP} for update skip locked
      )`;
      const { rowCount } = await inUnsyncedTransaction(pool, (client) => client.query(text, [keptMs]));
      count = rowCount ?? 0;
      yield { [table]: count };
    }
}
