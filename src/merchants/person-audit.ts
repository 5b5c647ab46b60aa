// Records audit entries about a person at all of their merchants.
import type { Act } from '../domain/audit.ts';
import type { Role } from '../domain/role.ts';
import { NO_MERCHANT, recordAct } from '../store/audit/audit.ts';
import { findMerchants } from '../store/merchants/merchants.ts';
import type { Person } from '../store/people/people.ts';
import type { Pool } from '../store/connections/pool.ts';

/** In a fixed order, to avoid deadlocks; without merchants, in the chain that belongs to no merchant. */
export async function recordAtEach(
  within: Pool,
  merchantIds: readonly number[],
  actAt: (merchantId: number) => Act,
): Promise<void> {
  const merchants = await findMerchants(within, merchantIds);
  for (const merchant of merchants.length === 0 ? [NO_MERCHANT] : merchants)
    await recordAct(within, merchant, actAt(merchant.id));
}

export const merchantIdsOf = ({ memberships }: Person): number[] => memberships.map(({ merchantId }) => merchantId);

export const roleAt = ({ memberships }: Person, merchantId: number): Role | undefined =>
  memberships.find((each) => each.merchantId === merchantId)?.role;
