// Whether events are still on their way, and how to make days of pauses pass in seconds.
import type { Pool } from '../../src/store/connections/pool.ts';

const ON_ITS_WAY = `select 1 from lanes where next_try_at is not null and ($1::bigint is null or merchant_id = $1)
  union all select 1 from events where position is null limit 1`;

/** Whether nothing is on its way any more, of one merchant or of all. */
export async function isAtRest(pool: Pool, merchantId?: number): Promise<boolean> {
  return (await pool.query(ON_ITS_WAY, [merchantId ?? null])).length === 0;
}

/** What waits for its next try is due now. */
const HASTEN = [
  "update deliveries set next_try_at = now() where state = 'pending' and next_try_at > now()",
  'update lanes set next_try_at = now() where next_try_at > now() and not leased',
];
/** Leases are over early, those of workers that live as well: they come back late, and lose nothing either. */
const END_LEASES = 'update lanes set next_try_at = now() where leased';

/** To be called again and again: whoever records at the same moment may be in its way, and goes first. */
export async function hasten(pool: Pool, endLeases: boolean): Promise<void> {
  for (const text of endLeases ? [...HASTEN, END_LEASES] : HASTEN) await pool.query(text).catch(() => {});
}
