// The events of a payment as they stand in the outbox, in the order in which they are told; those of a newer shape, which
// are told beside the older, are left out.
import { partOf } from '../../src/domain/id.ts';
import type { Pool } from '../../src/store/connections/pool.ts';

export type EventRow = { readonly name: string; readonly version: number; readonly movement_id: string | null };

export function readEvents(pool: Pool, paymentId: string): Promise<EventRow[]> {
  return pool.query<EventRow>(
    `select name, version, replace(movement_id::text, '-', '') as movement_id
     from events where part = $1 and subject_id = $2 and name not like '%.v2' order by version, ordinal`,
    [partOf(paymentId), paymentId],
  );
}

export const readEventNames = async (pool: Pool, paymentId: string): Promise<string[]> =>
  (await readEvents(pool, paymentId)).map(({ name }) => name);

/** What is told of a payment that was reserved. */
export const RESERVED = ['payment.created', 'payment.reservation.created', 'payment.checkout.completed'];
