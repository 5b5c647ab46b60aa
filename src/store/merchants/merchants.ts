// Merchants in the database: their settings, and the parts where their data lives.
import { SIMULATOR } from '../../domain/merchant.ts';
import { randomBytes, randomInt } from 'node:crypto';
import { PARTS } from '../../domain/id.ts';
import { checkoutKeyText, modeOf } from '../../domain/key.ts';
import type { DialectName, Merchant, Parts } from '../../domain/merchant.ts';
import type { RefundProof } from '../../domain/refund-proof.ts';
import type { Seller } from '../../domain/seller.ts';
import { invalidateCaches } from '../connections/invalidate.ts';
import type { Pool } from '../connections/pool.ts';

export type MerchantSettings = {
  readonly name: string;
  readonly dialect: DialectName;
  readonly strictItems: boolean;
  readonly reserveOnDemand: boolean;
  readonly acquirer: string;
  /** Undefined: depends on its mode. */
  readonly secondFactor?: boolean;
  /** Empty: none. */
  readonly refundProof?: RefundProof;
};

export type MerchantRow = {
  id: number;
  name: string;
  live: boolean;
  dialect: DialectName;
  strict_items: boolean;
  reserve_on_demand: boolean;
  acquirer: string | null;
  second_factor: boolean | null;
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

export const readMerchant = (row: MerchantRow): Merchant => ({
  id: row.id,
  name: row.name,
  live: row.live,
  dialect: row.dialect,
  strictItems: row.strict_items,
  reserveOnDemand: row.reserve_on_demand,
  acquirer: row.acquirer ?? SIMULATOR,
  secondFactor: row.second_factor ?? row.live,
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

// Nine random digits, which do not reveal the number of merchants.
const MERCHANT_IDS = [100_000_000, 1_000_000_000] as const;

/** Most merchants have one part; a very large one may have several, permanently. */
export const MOST_PARTS = 64;

/** Distinct random parts: this spreads merchants over the shards of a sharded Postgres. */
function drawParts(count: number): number[] {
  const drawn = new Set<number>();
  while (drawn.size < count) drawn.add(randomInt(PARTS));
  return [...drawn];
}

/** Defaults: one part, and a generated checkout key. */
export type MerchantPlace = { readonly parts?: number; readonly checkoutKey?: string };

/** Undefined: generated. */
export const newDigits = (): string => randomBytes(16).toString('hex');

export async function createMerchant(
  pool: Pool,
  live: boolean,
  settings: MerchantSettings,
  { parts = 1, checkoutKey = checkoutKeyText({ mode: modeOf(live), digits: newDigits() }) }: MerchantPlace = {},
): Promise<Merchant> {
  for (;;) {
    const rows = await pool.query<MerchantRow>(
      `with made as (insert into merchants
         (id, name, live, dialect, strict_items, reserve_on_demand, acquirer, checkout_key, parts, refund_proof,
         second_factor)
       values ($1, $2, $3, $4, $5, $6, nullif($7, '${SIMULATOR}'), $8, $9, nullif($10, '{}')::json, $11)
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
        settings.secondFactor ?? null,
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
  const { secondFactor = null } = settings;
  const refundProof = settings.refundProof === undefined ? null : JSON.stringify(settings.refundProof);
  const rows = await pool.query<MerchantRow>(
    `update merchants set
       name = coalesce($2, name), dialect = coalesce($3, dialect), strict_items = coalesce($4, strict_items),
       reserve_on_demand = coalesce($5, reserve_on_demand),
       acquirer = case when $6::text is null then acquirer else nullif($6, '${SIMULATOR}') end,
       refund_proof = case when $7::text is null then refund_proof else nullif($7, '{}')::json end,
       second_factor = coalesce($8, second_factor)
     where id = $1 returning *`,
    [id, name, dialect, strictItems, reserveOnDemand, acquirer, refundProof, secondFactor],
  );
  await invalidateCaches(pool);
  return rows[0] && readMerchant(rows[0]);
}

/** The seller on its future invoices. */
export async function updateSeller(pool: Pool, id: number, seller: Seller): Promise<Merchant | undefined> {
  const rows = await pool.query<MerchantRow>('update merchants set seller = $2 where id = $1 returning *', [
    id,
    Object.keys(seller).length === 0 ? null : JSON.stringify(seller),
  ]);
  await invalidateCaches(pool);
  return rows[0] && readMerchant(rows[0]);
}

/** Whether its keys are accepted; a disabled one keeps its first date. */
export async function setMerchantEnabled(pool: Pool, id: number, enabled: boolean): Promise<Merchant | undefined> {
  const rows = await pool.query<MerchantRow>(
    'update merchants set disabled_at = case when $2 then null else coalesce(disabled_at, now()) end where id = $1 returning *',
    [id, enabled],
  );
  await invalidateCaches(pool);
  return rows[0] && readMerchant(rows[0]);
}

export async function listMerchants(pool: Pool): Promise<Merchant[]> {
  return (await pool.query<MerchantRow>('select * from merchants order by created_at, id')).map(readMerchant);
}

export async function findMerchant(pool: Pool, id: number): Promise<Merchant | undefined> {
  const rows = await pool.query<MerchantRow>('select * from merchants where id = $1', [id]);
  return rows[0] && readMerchant(rows[0]);
}

/** The merchants with these ids, ordered by id. */
export async function findMerchants(pool: Pool, ids: readonly number[]): Promise<Merchant[]> {
  const rows = await pool.query<MerchantRow>('select * from merchants where id = any ($1) order by id', [ids]);
  return rows.map(readMerchant);
}

/** The merchant with an id, locked until the transaction ends. */
export async function holdMerchant(within: Pool, id: number): Promise<Merchant | undefined> {
  const rows = await within.query<MerchantRow>('select * from merchants where id = $1 for no key update', [id]);
  return rows[0] && readMerchant(rows[0]);
}

export async function findMerchantsByCheckoutKeys(
  pool: Pool,
  checkoutKeys: readonly string[],
): Promise<(Merchant | undefined)[]> {
  const text = 'select * from merchants where checkout_key = any ($1) and disabled_at is null';
  const rows = await pool.query<MerchantRow>(text, [checkoutKeys]);
  const found = new Map(rows.map((row) => [row.checkout_key, readMerchant(row)]));
  return checkoutKeys.map((key) => found.get(key));
}
