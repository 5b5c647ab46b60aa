// Forgets answers that were kept for idempotency keys when nobody can ask for them any more. In small steps, so that no
// request waits for a long delete.
import type { Pool } from './pool.ts';

const STEP = 1_000;

export async function purgeKeptAnswers(pool: Pool, keptMs: number): Promise<number> {
  let purged = 0;
  for (;;) {
    const rows = await pool.query(
      `delete from idempotency_records where (part, merchant_id, operation, target, key) in (
         select part, merchant_id, operation, target, key from idempotency_records as record
         where created_at < now() - interval '1 millisecond' * $1::float8
           -- What was left open is answered from its movement, once that is settled.
           and (status is not null or not exists (
             select 1 from movements
             where movements.part = record.part and movements.id = record.movement_id and state = 'pending'
           ))
         limit ${STEP} for update skip locked
       ) returning 1`,
      [keptMs],
    );
    purged += rows.length;
    if (rows.length < STEP) return purged;
  }
}
