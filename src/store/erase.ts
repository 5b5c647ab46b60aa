// Erases a payment's consumer. It is a change like any other: a new version, so that whoever decided on the payment as
// it was before decides again and does not write the consumer back.
import { partOf } from '../domain/id.ts';
import type { Pool } from './pool.ts';

export async function eraseConsumer(pool: Pool, id: string): Promise<boolean> {
  const rows = await pool.query(
    `update payments set consumer = '{}', version = version + 1 where part = $1 and id = $2 returning id`,
    [partOf(id), id],
  );
  return rows.length > 0;
}
