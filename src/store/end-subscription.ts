// Ends a subscription: one statement, so whoever asks for it how often, it is ended once and told of once. Its version
// moves on, so a charge that was decided before and is not committed yet is decided again, and refused.
import { partOf } from '../domain/id.ts';
import type { EndedBy } from '../domain/subscription.ts';
import type { Pool } from './pool.ts';

/** False when it was ended before. */
export async function endSubscription(pool: Pool, id: string, by: EndedBy, at: number): Promise<boolean> {
  const rows = await pool.query(
    `with ended as (
       update subscriptions
       set state = 'ended', ended_at = now(), ended_by = $3, version = version + 1
       where part = $1 and id = $2 and state <> 'ended'
       returning part, id, version, merchant_id, kind, payment_id
     )
     insert into events (part, subject_id, version, ordinal, merchant_id, name, happened_at, data)
     select part, id, version, 0, merchant_id, 'subscription.ended', $4, json_build_object(
       'subscriptionId', replace(id::text, '-', ''), 'kind', kind, 'endedBy', $3::text,
       'paymentId', replace(payment_id::text, '-', '')
     )
     from ended
     returning subject_id`,
    [partOf(id), id, by, new Date(at)],
  );
  return rows.length > 0;
}
