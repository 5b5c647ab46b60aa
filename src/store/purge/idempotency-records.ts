// Deletes expired idempotency records, one step at a time.
import type { PoolClient } from 'pg';
import type { Pool } from '../connections/pool.ts';
import { inUnsyncedTransaction } from '../connections/transaction.ts';

const STEP = 1_000;

/** Returns how many were deleted; fewer than a whole step when none are left. */
async function purgeStep(client: PoolClient, keptMs: number): Promise<number> {
  const { rowCount } = await client.query(
    `delete from idempotency_records where (part, merchant_id, operation, target, key) in (
       select part, merchant_id, operation, target, key from idempotency_records as record
       where not lasting and created_at < now() - interval '1 millisecond' * $1::float8
         -- An open record is answered from its movement, once that is settled.
         and (status is not null or not exists (
           select 1 from movements
           where movements.part = record.part and movements.id = record.movement_id and state = 'pending'
         ))
       order by created_at
       limit ${STEP} for update skip locked
     )`,
    [keptMs],
  );
  return rowCount ?? 0;
}

/** Yields after each step. */
export async function* purgeIdempotencyRecords(
  pool: Pool,
  keptMs: number,
): AsyncGenerator<{ idempotency_records: number }> {
  for (;;) {
    const count = await inUnsyncedTransaction(pool, (client) => purgeStep(client, keptMs));
    yield { idempotency_records: count };
    if (count < STEP) return;
  }
}
