// What waits for its next try, put off for hours in the rows, as it is after some tries more.
import type { Pool } from '../../src/store/connections/pool.ts';

/** Whether so many deliveries of the merchants wait now: one that is being tried at this moment does not yet. */
export async function putOffDeliveries(pool: Pool, merchantIds: readonly number[], count: number): Promise<boolean> {
  const rows = await pool.query(
    `with lane as (
       update lanes set next_try_at = now() + interval '6 hours'
       where merchant_id = any ($1) and not leased and next_try_at > now() returning part, subject_id, subscriber
     )
     update deliveries set next_try_at = now() + interval '6 hours' from lane
     where deliveries.part = lane.part and deliveries.subject_id = lane.subject_id
       and deliveries.subscriber = lane.subscriber and state = 'pending' returning 1`,
    [merchantIds],
  );
  return rows.length === count;
}
