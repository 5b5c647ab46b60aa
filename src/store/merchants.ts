// Merchants and their keys in the database. A secret key is known by its SHA-256 alone; the text that a merchant holds
// is made here once and shown by whoever asked for it.
import { createHash, randomBytes, randomInt } from 'node:crypto';
import { PARTS } from '../domain/id.ts';
import { checkoutKeyText, modeOf, secretKeyText } from '../domain/key.ts';
import type { DialectName, Merchant, Parts } from '../domain/merchant.ts';
import type { RefundProof } from '../domain/refund-proof.ts';
import type { Scope } from '../domain/scope.ts';
import type { Seller } from '../domain/seller.ts';
import { announce } from './announce.ts';
import type { Pool } from './pool.ts';

export type MerchantSettings = {
  readonly name: string;
  readonly dialect: DialectName;
  readonly strictItems: boolean;
  readonly reserveOnDemand: boolean;
  readonly acquirer: string;
  /** Empty: none. */
  readonly refundProof?: RefundProof;
};

export type SecretKey = {
  readonly id: string;
  readonly merchantId: number;
  readonly hint: string;
  readonly name?: string;
  /** Left out: all. */
  readonly scopes?: readonly Scope[];
  readonly createdAt: number;
  readonly expiresAt?: number;
  /** By the clock of the database, whatever the time is here. */
  readonly isExpired: boolean;
  readonly lastUsedAt?: number;
  readonly revokedAt?: number;
};

/** The acquirer inside the process: no row of the table, and null with a merchant. */
export const SIMULATOR = 'simulator';

type MerchantRow = {
  id: number;
  name: string;
  live: boolean;
  dialect: DialectName;
  strict_items: boolean;
  reserve_on_demand: boolean;
  acquirer: string | null;
  refund_proof: RefundProof | null;
  checkout_key: string;
  parts: Parts;
  account_secret: string;
  colour: string | null;
  logo: string | null;
  seller: Seller | null;
  disabled_at: Date | null;
  clock_ahead_ms: number;
  created_at: Date;
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

const readMerchant = (row: MerchantRow): Merchant => ({
  id: row.id,
  name: row.name,
  live: row.live,
  dialect: row.dialect,
  strictItems: row.strict_items,
  reserveOnDemand: row.reserve_on_demand,
  acquirer: row.acquirer ?? SIMULATOR,
  ...(row.refund_proof !== null && { refundProof: row.refund_proof }),
  checkoutKey: row.checkout_key,
  parts: row.parts,
  accountSecret: row.account_secret,
  ...(row.colour !== null && { colour: row.colour }),
  ...(row.logo !== null && { logo: row.logo }),
  ...(row.seller !== null && { seller: row.seller }),
  ...(row.disabled_at && { disabledAt: row.disabled_at.getTime() }),
  ...(row.clock_ahead_ms > 0 && { clockAheadMs: row.clock_ahead_ms }),
  createdAt: row.created_at.getTime(),
});

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

/** As which it is kept. */
export const hashOfKey = (digits: string): Buffer => createHash('sha256').update(digits).digest();

// Nine digits, at random: a number that says nothing of how many merchants there are.
const MERCHANT_IDS = [100_000_000, 1_000_000_000] as const;

/** Most merchants live in one part; a very large one may be spread over several, which it keeps for good. */
export const MOST_PARTS = 64;

/** Parts drawn at random, each once: that is how merchants are spread over the shards of a sharded Postgres. */
function drawParts(count: number): number[] {
  const drawn = new Set<number>();
  while (drawn.size < count) drawn.add(randomInt(PARTS));
  return [...drawn];
}

/** What is not named is made: one part, and a checkout key of ours. */
export type MerchantPlace = { readonly parts?: number; readonly checkoutKey?: string };

const newDigits = (): string => randomBytes(16).toString('hex');

export async function createMerchant(
  pool: Pool,
  live: boolean,
  settings: MerchantSettings,
  { parts = 1, checkoutKey = checkoutKeyText({ mode: modeOf(live), digits: newDigits() }) }: MerchantPlace = {},
): Promise<Merchant> {
  for (;;) {
    const rows = await pool.query<MerchantRow>(
      `with made as (insert into merchants
         (id, name, live, dialect, strict_items, reserve_on_demand, acquirer, checkout_key, parts, refund_proof)
       values ($1, $2, $3, $4, $5, $6, nullif($7, '${SIMULATOR}'), $8, $9, nullif($10, '{}')::json)
       on conflict (id) do nothing returning *
       ), counted as (
         insert into event_counters (part, merchant_id, last) select parts[1], id, 0 from made
       )
       select * from made`,
      [
        randomInt(...MERCHANT_IDS),
        settings.name,
        live,
        settings.dialect,
        settings.strictItems,
        settings.reserveOnDemand,
        settings.acquirer,
        checkoutKey,
        drawParts(parts),
        JSON.stringify(settings.refundProof ?? {}),
      ],
    );
    if (rows[0]) return readMerchant(rows[0]);
  }
}

export async function updateMerchant(
  pool: Pool,
  id: number,
  settings: Partial<MerchantSettings>,
): Promise<Merchant | undefined> {
  const { name = null, dialect = null, strictItems = null, reserveOnDemand = null, acquirer = null } = settings;
  const refundProof = settings.refundProof === undefined ? null : JSON.stringify(settings.refundProof);
  const rows = await pool.query<MerchantRow>(
    `update merchants set
       name = coalesce($2, name), dialect = coalesce($3, dialect), strict_items = coalesce($4, strict_items),
       reserve_on_demand = coalesce($5, reserve_on_demand),
       acquirer = case when $6::text is null then acquirer else nullif($6, '${SIMULATOR}') end,
       refund_proof = case when $7::text is null then refund_proof else nullif($7, '{}')::json end
     where id = $1 returning *`,
    [id, name, dialect, strictItems, reserveOnDemand, acquirer, refundProof],
  );
  await announce(pool);
  return rows[0] && readMerchant(rows[0]);
}

/** What its invoices say of it from now on. */
export async function updateSeller(pool: Pool, id: number, seller: Seller): Promise<Merchant | undefined> {
  const rows = await pool.query<MerchantRow>('update merchants set seller = $2 where id = $1 returning *', [
    id,
    Object.keys(seller).length === 0 ? null : JSON.stringify(seller),
  ]);
  await announce(pool);
  return rows[0] && readMerchant(rows[0]);
}

/** Whether its keys are taken; one that is disabled already keeps its first date. */
export async function setMerchantEnabled(pool: Pool, id: number, enabled: boolean): Promise<Merchant | undefined> {
  const rows = await pool.query<MerchantRow>(
    'update merchants set disabled_at = case when $2 then null else coalesce(disabled_at, now()) end where id = $1 returning *',
    [id, enabled],
  );
  await announce(pool);
  return rows[0] && readMerchant(rows[0]);
}

export async function listMerchants(pool: Pool): Promise<Merchant[]> {
  return (await pool.query<MerchantRow>('select * from merchants order by created_at, id')).map(readMerchant);
}

export async function findMerchant(pool: Pool, id: number): Promise<Merchant | undefined> {
  const rows = await pool.query<MerchantRow>('select * from merchants where id = $1', [id]);
  return rows[0] && readMerchant(rows[0]);
}

/** Those of these ids, in the order of their ids. */
export async function findMerchants(pool: Pool, ids: readonly number[]): Promise<Merchant[]> {
  const rows = await pool.query<MerchantRow>('select * from merchants where id = any ($1) order by id', [ids]);
  return rows.map(readMerchant);
}

/** One of an id, that nobody else changes until the transaction ends. */
export async function holdMerchant(within: Pool, id: number): Promise<Merchant | undefined> {
  const rows = await within.query<MerchantRow>('select * from merchants where id = $1 for no key update', [id]);
  return rows[0] && readMerchant(rows[0]);
}

const KEY_COLUMNS = `id, merchant_id, hint, name, scopes, created_at, expires_at, last_used_at, revoked_at,
  expires_at <= now() as is_expired`;

/** What is left out: no name, all scopes, no end. */
export type KeyTerms = {
  readonly name?: string;
  readonly scopes?: readonly Scope[];
  readonly expires?: { readonly afterDays: number } | { readonly atMs: number };
};

/** Makes a key, of digits that the merchant has already or of new ones, and gives its text, which is kept nowhere. */
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

/** Those that are taken. */
export async function countKeys(pool: Pool, merchantId: number): Promise<number> {
  const [row] = await pool.query<{ count: number }>(
    `select count(*)::int as count from secret_keys
     where merchant_id = $1 and revoked_at is null and (expires_at is null or expires_at > now())`,
    [merchantId],
  );
  return row?.count ?? 0;
}

// As many as may be valid at once, and so many that are over.
const MOST_LISTED_KEYS = 1_000;

/** Oldest first; of very many those that were made last, and the valid ones among them. */
export async function listKeys(pool: Pool, merchantId: number): Promise<SecretKey[]> {
  const text = `select * from (
      select ${KEY_COLUMNS} from secret_keys where merchant_id = $1
      order by revoked_at is not null, created_at desc, id desc limit ${MOST_LISTED_KEYS}
    ) as key order by created_at, id`;
  return (await pool.query<KeyRow>(text, [merchantId])).map(readKey);
}

/** The key of that id, which nobody else changes until the transaction ends. */
export async function findKey(within: Pool, id: string): Promise<SecretKey | undefined> {
  const rows = await within.query<KeyRow>(`select ${KEY_COLUMNS} from secret_keys where id = $1 for update`, [id]);
  return rows[0] && readKey(rows[0]);
}

/** Revokes a key for good; a key that is revoked already keeps its first date. */
export async function revokeKey(pool: Pool, id: string): Promise<SecretKey | undefined> {
  const text = `update secret_keys set revoked_at = coalesce(revoked_at, now()) where id = $1 returning ${KEY_COLUMNS}`;
  const rows = await pool.query<KeyRow>(text, [id]);
  await announce(pool);
  return rows[0] && readKey(rows[0]);
}

/** Whoever asks with a key: the merchant, and which of its keys it is. */
export type KeyHolder = {
  readonly merchant: Merchant;
  readonly key: Pick<SecretKey, 'id' | 'hint' | 'name' | 'scopes'>;
};

/** Whose valid keys these are, in their order; a disabled merchant has none. */
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

export async function findMerchantsByCheckoutKeys(
  pool: Pool,
  checkoutKeys: readonly string[],
): Promise<(Merchant | undefined)[]> {
  const text = 'select * from merchants where checkout_key = any ($1) and disabled_at is null';
  const rows = await pool.query<MerchantRow>(text, [checkoutKeys]);
  const found = new Map(rows.map((row) => [row.checkout_key, readMerchant(row)]));
  return checkoutKeys.map((key) => found.get(key));
}
