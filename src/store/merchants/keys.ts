// Keys of merchants in the database. Only the SHA-256 of a secret key is stored; its text is created here, and shown
// once by the caller.
import { createHash, randomBytes } from 'node:crypto';
import { modeOf, secretKeyText } from '../../domain/key.ts';
import type { Merchant } from '../../domain/merchant.ts';
import type { Scope } from '../../domain/scope.ts';
import { invalidateCaches } from '../connections/invalidate.ts';
import { newDigits, readMerchant } from './merchants.ts';
import type { MerchantRow } from './merchants.ts';
import type { Pool } from '../connections/pool.ts';

export type SecretKey = {
  readonly id: string;
  readonly merchantId: number;
  readonly hint: string;
  readonly name?: string;
  /** Undefined: all. */
  readonly scopes?: readonly Scope[];
  readonly createdAt: number;
  readonly expiresAt?: number;
  /** By the clock of the database. */
  readonly isExpired: boolean;
  readonly lastUsedAt?: number;
  readonly revokedAt?: number;
};

type KeyRow = {
  id: string;
  merchant_id: number;
  hint: string;
  name: string | null;
  scopes: Scope[] | null;
  created_at: Date;
  expires_at: Date | null;
  is_expired: boolean | null;
  last_used_at: Date | null;
  revoked_at: Date | null;
};

const readKey = (row: KeyRow): SecretKey => ({
  id: row.id,
  merchantId: row.merchant_id,
  hint: row.hint,
  ...(row.name !== null && { name: row.name }),
  ...(row.scopes && { scopes: row.scopes }),
  createdAt: row.created_at.getTime(),
  ...(row.expires_at && { expiresAt: row.expires_at.getTime() }),
  isExpired: row.is_expired ?? false,
  ...(row.last_used_at && { lastUsedAt: row.last_used_at.getTime() }),
  ...(row.revoked_at && { revokedAt: row.revoked_at.getTime() }),
});

/** The stored form. */
export const hashOfKey = (digits: string): Buffer => createHash('sha256').update(digits).digest();

const KEY_COLUMNS = `id, merchant_id, hint, name, scopes, created_at, expires_at, last_used_at, revoked_at,
  expires_at <= now() as is_expired`;

/** Defaults: no name, all scopes, no expiry. */
export type KeyTerms = {
  readonly name?: string;
  readonly scopes?: readonly Scope[];
  readonly expires?: { readonly afterDays: number } | { readonly atMs: number };
};

/** Creates a key, with given digits or new ones, and returns its text, which is not stored. */
export async function createKey(
  pool: Pool,
  merchant: Merchant,
  digits = newDigits(),
  { name, scopes, expires }: KeyTerms = {},
): Promise<{ key: SecretKey; secret: string }> {
  const { afterDays, atMs } = { afterDays: null, atMs: undefined, ...expires };
  const rows = await pool.query<KeyRow>(
    `insert into secret_keys (hash, id, merchant_id, hint, name, scopes, expires_at)
     values ($1, $2, $3, $4, $5, $6, coalesce($7, now() + make_interval(days => $8))) returning ${KEY_COLUMNS}`,
    [
      hashOfKey(digits),
      `key_${randomBytes(8).toString('hex')}`,
      merchant.id,
      digits.slice(-4),
      name ?? null,
      scopes ?? null,
      atMs === undefined ? null : new Date(atMs),
      afterDays,
    ],
  );
  const key = readKey(rows[0] as KeyRow);
  return { key, secret: secretKeyText(modeOf(merchant.live), digits) };
}

/** Which of these are taken. */
export async function countKeys(pool: Pool, merchantId: number): Promise<number> {
  const [row] = await pool.query<{ count: number }>(
    `select count(*)::int as count from secret_keys
     where merchant_id = $1 and revoked_at is null and (expires_at is null or expires_at > now())`,
    [merchantId],
  );
  return row?.count ?? 0;
}

// The maximum number of active keys, and some inactive ones.
const MOST_LISTED_KEYS = 1_000;

/** Oldest first; if there are very many, the newest and all active ones. */
export async function listKeys(pool: Pool, merchantId: number): Promise<SecretKey[]> {
  const text = `select * from (
      select ${KEY_COLUMNS} from secret_keys where merchant_id = $1
      order by revoked_at is not null, created_at desc, id desc limit ${MOST_LISTED_KEYS}
    ) as key order by created_at, id`;
  return (await pool.query<KeyRow>(text, [merchantId])).map(readKey);
}

/** The key with that id, locked until the transaction ends. */
export async function findKey(within: Pool, id: string): Promise<SecretKey | undefined> {
  const rows = await within.query<KeyRow>(`select ${KEY_COLUMNS} from secret_keys where id = $1 for update`, [id]);
  return rows[0] && readKey(rows[0]);
}

/** Revokes a key permanently; a revoked key keeps its first date. */
export async function revokeKey(pool: Pool, id: string): Promise<SecretKey | undefined> {
  const text = `update secret_keys set revoked_at = coalesce(revoked_at, now()) where id = $1 returning ${KEY_COLUMNS}`;
  const rows = await pool.query<KeyRow>(text, [id]);
  await invalidateCaches(pool);
  return rows[0] && readKey(rows[0]);
}

/** The merchant of a request, and which of its keys was used. */
export type KeyHolder = {
  readonly merchant: Merchant;
  readonly key: Pick<SecretKey, 'id' | 'hint' | 'name' | 'scopes'>;
};

/** The merchants of these keys, in their order; none for keys that are invalid or of disabled merchants. */
export async function findKeyHolders(pool: Pool, keys: readonly string[]): Promise<(KeyHolder | undefined)[]> {
  const hashes = keys.map(hashOfKey);
  type Row = MerchantRow & {
    hash: Buffer;
    key_id: string;
    key_name: string | null;
    hint: string;
    scopes: Scope[] | null;
  };
  const rows = await pool.query<Row>(
    `select secret_keys.hash, secret_keys.id as key_id, secret_keys.name as key_name, secret_keys.hint,
       secret_keys.scopes, merchants.*
     from secret_keys join merchants on merchants.id = secret_keys.merchant_id
     where hash = any ($1) and revoked_at is null and disabled_at is null and (expires_at is null or expires_at > now())`,
    [hashes],
  );
  const found = new Map(
    rows.map((row) => {
      const named = { ...(row.key_name !== null && { name: row.key_name }), ...(row.scopes && { scopes: row.scopes }) };
      return [
        row.hash.toString('hex'),
        { merchant: readMerchant(row), key: { id: row.key_id, hint: row.hint, ...named } },
      ];
    }),
  );
  return hashes.map((hash) => found.get(hash.toString('hex')));
}

export const findMerchantByKey = async (pool: Pool, digits: string): Promise<Merchant | undefined> =>
  (await findKeyHolders(pool, [digits]))[0]?.merchant;
