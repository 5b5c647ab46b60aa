// The use cases of secret keys: issuing and revoking. A merchant may have several, so that they can be rotated without
// downtime.
import type { Actor, Facts } from '../domain/audit.ts';
import { recordAct } from '../store/audit/audit.ts';
import { countKeys, createKey, findKey, revokeKey as revoke } from '../store/merchants/keys.ts';
import { findMerchant, holdMerchant } from '../store/merchants/merchants.ts';
import type { KeyTerms, SecretKey } from '../store/merchants/keys.ts';
import type { Merchant } from '../domain/merchant.ts';
import type { Pool } from '../store/connections/pool.ts';
import { withinTransaction } from '../store/connections/transaction.ts';

export type Issued = { readonly kind: 'issued'; readonly key: SecretKey; readonly secret: string };

/** Active keys of a merchant. */
export const MOST_KEYS = 100;
export const LONGEST_KEY_NAME = 64;
/** Ten years. */
export const MOST_KEY_DAYS = 3_650;

/** The audit facts of a key. */
export const factsOfKey = ({ hint, name, scopes, expiresAt }: SecretKey): Facts => ({
  ...(name !== undefined && { name }),
  endsWith: hint,
  ...(scopes && { scopes }),
  ...(expiresAt !== undefined && { expires: new Date(expiresAt).toISOString() }),
});

/** One line that people can read. */
const isKeyName = (name: string): boolean =>
  name.trim() !== '' && name.length <= LONGEST_KEY_NAME && !/\p{Cc}/u.test(name);

const isTooLate = ({ expires }: KeyTerms): boolean =>
  expires !== undefined && 'afterDays' in expires && expires.afterDays > MOST_KEY_DAYS;

type NotIssued =
  | { readonly kind: 'no_merchant' }
  | { readonly kind: 'bad_name' }
  /** It would be in the past, or in more than ten years. */
  | { readonly kind: 'bad_expiry' }
  | { readonly kind: 'too_many' };

class ExpiredAtOnce extends Error {}

/** The only time that the secret is available: only its hash is stored. */
export async function issueKey(
  pool: Pool,
  actor: Actor,
  merchantId: number,
  terms: KeyTerms = {},
): Promise<Issued | NotIssued> {
  if (terms.name !== undefined && !isKeyName(terms.name)) return { kind: 'bad_name' };
  if (isTooLate(terms)) return { kind: 'bad_expiry' };
  const issue = async (within: Pool): Promise<Issued | NotIssued> => {
    const merchant = await holdMerchant(within, merchantId);
    if (merchant === undefined) return { kind: 'no_merchant' };
    if ((await countKeys(within, merchantId)) >= MOST_KEYS) return { kind: 'too_many' };
    const made = await createKey(within, merchant, undefined, terms);
    const { key } = made;
    if (key.isExpired) throw new ExpiredAtOnce();
    await recordAct(within, merchant, { actor, action: 'key.create', subject: key.id, after: factsOfKey(key) });
    return { kind: 'issued', ...made };
  };
  return withinTransaction(pool, issue).catch((error: unknown) => {
    if (error instanceof ExpiredAtOnce) return { kind: 'bad_expiry' };
    throw error;
  });
}

/** Permanent and immediate: no process accepts the key when this returns. `merchantId` restricts it to one merchant. */
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
