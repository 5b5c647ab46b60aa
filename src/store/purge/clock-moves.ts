// Deletes moves of test clocks once their idempotency keys have expired. A move that is still being processed stays.
import type { Pool } from '../connections/pool.ts';
import { inUnsyncedTransaction } from '../connections/transaction.ts';

const STEP = 1_000;

/** Yields after each step. */
export async function* purgeClockMoves(pool: Pool, keptMs: number): AsyncGenerator<{ clock_moves: number }> {
  for (let count = STEP; count === STEP;) {
    const { rowCount } = await inUnsyncedTransaction(pool, (client) =>
      client.query(
        `delete from clock_moves where (merchant_id, ahead_ms) in (
           select merchant_id, ahead_ms from clock_moves
           where created_at < now() - interval '1 millisecond' * $1::float8 and next_pull_at is null
           order by created_at limit ${STEP} for update skip locked
         )`,
        [keptMs],
      ),
    );
    count = rowCount ?? 0;
    yield { clock_moves: count };
  }
}
