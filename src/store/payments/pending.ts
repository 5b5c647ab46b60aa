// Pending movements: their outcome at the acquirer is not known yet.
import { SIMULATOR } from '../../domain/merchant.ts';
import { plainId } from '../statements/payment-row.ts';
import type { Pool } from '../connections/pool.ts';
import { readStatement } from '../statements/statement.ts';

export type DueMovement = { readonly paymentId: string; readonly movementId: string; readonly acquirer: string };

/** The maximum number to claim: of each acquirer named here, and of each other one. */
export type ClaimLimits = { readonly byAcquirer: ReadonlyMap<string, number>; readonly others: number };

const CLAIM = readStatement('claim-movements');

export type ClaimedMovements = {
  readonly due: readonly DueMovement[];
  /** When the first pending one is due; if some were claimed, that is one of them. */
  readonly nextInMs: number;
};

/** Claims movements that are due; no other process gets them until their next try. */
export async function claimDueMovements(pool: Pool, { byAcquirer, others }: ClaimLimits): Promise<ClaimedMovements> {
  const rows = await pool.run(CLAIM, [JSON.stringify(Object.fromEntries(byAcquirer)), others]);
  const next = rows.at(-1)?.[3] ?? Number.POSITIVE_INFINITY;
  const due = rows.slice(0, -1).map(([paymentId, movementId, acquirer]) => ({
    paymentId: plainId(paymentId as string),
    movementId: plainId(movementId as string),
    acquirer: acquirer as string,
  }));
  return { due, nextInMs: Number(next) };
}

export type PendingCount = { readonly acquirer: string; readonly count: number; readonly oldestSeconds: number };

export async function countPending(pool: Pool): Promise<PendingCount[]> {
  return pool.query<PendingCount>(
    `select acquirer, count(*)::int as count,
       greatest(0, extract(epoch from now() - min(created_at)))::float8 as "oldestSeconds"
     from movements where state = 'pending' and acquirer <> $1 group by acquirer order by acquirer`,
    [SIMULATOR],
  );
}
