// Pending movements: those whose outcome at their acquirer is not known yet.
import { plainId } from './load.ts';
import type { Pool } from './pool.ts';
import { readStatement } from './statement.ts';

export type DueMovement = { readonly paymentId: string; readonly movementId: string };

const CLAIM = readStatement('claim');

/** Movements that are due to be asked about; nobody else gets them until their next try. */
export async function claimDueMovements(pool: Pool, most: number): Promise<DueMovement[]> {
  const rows = await pool.run(CLAIM, [most]);
  return rows.map(([paymentId, movementId]) => ({
    paymentId: plainId(paymentId as string),
    movementId: plainId(movementId as string),
  }));
}

export type PendingCount = { readonly acquirer: string; readonly count: number; readonly oldestSeconds: number };

export async function countPending(pool: Pool): Promise<PendingCount[]> {
  return pool.query<PendingCount>(
    `select acquirer, count(*)::int as count, extract(epoch from now() - min(created_at))::float8 as "oldestSeconds"
     from movements where state = 'pending' group by acquirer order by acquirer`,
  );
}
