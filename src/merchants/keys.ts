// The use cases of secret keys: issuing another one for a merchant, and revoking one. A merchant may have several, so
// that they can be rotated without a gap.
import type { Actor, Facts } from '../domain/audit.ts';
import { recordAct } from '../store/audit.ts';
import { createKey, findKey, findMerchant, revokeKey as revoke } from '../store/merchants.ts';
import type { SecretKey } from '../store/merchants.ts';
import type { Merchant } from '../domain/merchant.ts';
import type { Pool } from '../store/pool.ts';
import { withinTransaction } from '../store/transaction.ts';

export type Issued = { readonly kind: 'issued'; readonly key: SecretKey; readonly secret: string };

/** What the audit tells of a key. */
export const factsOfKey = ({ hint }: SecretKey): Facts => ({ endsWith: hint });

/** The text of the key is kept nowhere: this is the one time that it is seen. */
export async function issueKey(
  pool: Pool,
  actor: Actor,
  merchantId: number,
): Promise<Issued | { readonly kind: 'no_merchant' }> {
  return withinTransaction(pool, async (within) => {
    const merchant = await findMerchant(within, merchantId);
    if (merchant === undefined) return { kind: 'no_merchant' };
    const made = await createKey(within, merchant);
    const { key } = made;
    await recordAct(within, merchant, { actor, action: 'key.create', subject: key.id, after: factsOfKey(key) });
    return { kind: 'issued', ...made };
  });
}

/** For good, and at once: no process takes it any more when this returns. Of one merchant, where one is named. */
export async function revokeKey(
  pool: Pool,
  actor: Actor,
  id: string,
  merchantId?: number,
): Promise<{ readonly kind: 'revoked'; readonly key: SecretKey } | { readonly kind: 'no_key' }> {
  return withinTransaction(pool, async (within) => {
    const before = await findKey(within, id);
    if (before === undefined || before.merchantId !== (merchantId ?? before.merchantId)) return { kind: 'no_key' };
    const key = (await revoke(within, id)) as SecretKey;
    if (before.revokedAt === undefined) {
      const merchant = (await findMerchant(within, key.merchantId)) as Merchant;
      await recordAct(within, merchant, { actor, action: 'key.revoke', subject: id, before: factsOfKey(before) });
    }
    return { kind: 'revoked', key };
  });
}
