// Forgets answers that were kept for idempotency keys when nobody can ask for them any more. A week is promised; a day
// more is kept. In small steps, so that no request waits for a long delete.
import type { Pool } from './pool.ts';

const KEPT_DAYS = 8;
const STEP = 1_000;

export async function purgeKeptAnswers(pool: Pool): Promise<number> {
  let purged = 0;
  for (;;) {
    const rows = await pool.query(
      `delete from idempotency_records where (part, merchant_id, operation, target, key) in (
         select part, merchant_id, operation, target, key from idempotency_records as record
         where created_at < now() - make_interval(days => ${KEPT_DAYS})
           -- What was left open is answered from its movement, once that is settled.
           and (status is not null or not exists (
             select 1 from movements
             where movements.part = record.part and movements.id = record.movement_id and state = 'pending'
           ))
         limit ${STEP} for update skip locked
       ) returning 1`,
    );
    purged += rows.length;
    if (rows.length < STEP) return purged;
  }
}
