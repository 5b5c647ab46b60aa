// The use cases of secret keys: issuing another one for a merchant, and revoking one. A merchant may have several, so
// that they can be rotated without a gap.
import { createKey, findMerchant, revokeKey as revoke } from '../store/merchants.ts';
import type { SecretKey } from '../store/merchants.ts';
import type { Pool } from '../store/pool.ts';

export type Issued = { readonly kind: 'issued'; readonly key: SecretKey; readonly secret: string };

/** The text of the key is kept nowhere: this is the one time that it is seen. */
export async function issueKey(pool: Pool, merchantId: number): Promise<Issued | { readonly kind: 'no_merchant' }> {
  const merchant = await findMerchant(pool, merchantId);
  if (merchant === undefined) return { kind: 'no_merchant' };
  return { kind: 'issued', ...(await createKey(pool, merchant)) };
}

/** For good, and at once: no process takes it any more when this returns. */
export async function revokeKey(
  pool: Pool,
  id: string,
): Promise<{ readonly kind: 'revoked'; readonly key: SecretKey } | { readonly kind: 'no_key' }> {
  const key = await revoke(pool, id);
  return key === undefined ? { kind: 'no_key' } : { kind: 'revoked', key };
}
