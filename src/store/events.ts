// Reads what there is to tell of a payment, in order, with what the events themselves leave to the movements.
import { partOf } from '../domain/id.ts';
import type { Pool } from './pool.ts';

export type StoredEvent = {
  readonly name: string;
  readonly at: number;
  readonly amount?: number;
  /** Why a movement was declined: for the merchant's eyes. */
  readonly reason?: string;
};

type Row = { name: string; at: Date; amount: number | null; reason: string | null };

export async function listEvents(pool: Pool, paymentId: string): Promise<StoredEvent[]> {
  const rows = await pool.query<Row>(
    `select event.name, event.at, movement.amount, movement.reason
     from events as event
     left join movements as movement on movement.part = event.part and movement.id = event.movement_id
     where event.part = $1 and event.payment_id = $2
     order by event.version, event.ordinal`,
    [partOf(paymentId), paymentId],
  );
  return rows.map(({ name, at, amount, reason }) => ({
    name,
    at: at.getTime(),
    ...(amount !== null && { amount }),
    ...(reason !== null && { reason }),
  }));
}
