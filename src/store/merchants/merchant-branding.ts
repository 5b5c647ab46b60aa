// The branding of a merchant's checkout in the database: its colour and its logo, whose bytes are only read when a
// browser requests them.
import type { Merchant } from '../../domain/merchant.ts';
import { invalidateCaches } from '../connections/invalidate.ts';
import { findMerchant } from './merchants.ts';
import type { Pool } from '../connections/pool.ts';
import { withinTransaction } from '../connections/transaction.ts';

export type Logo = {
  readonly type: 'image/png' | 'image/jpeg';
  readonly bytes: Buffer;
  /** SHA-256, in hex digits. */
  readonly digest: string;
};

/** Missing values stay unchanged; null removes one. */
export type BrandingChange = { readonly colour?: string | null; readonly logo?: Logo | null };

async function changeLogo(within: Pool, id: number, logo: Logo | null): Promise<void> {
  await within.query('update merchants set logo = $2 where id = $1', [id, logo?.digest ?? null]);
  if (logo === null) await within.query('delete from merchant_logos where merchant_id = $1', [id]);
  else
    await within.query(
      `insert into merchant_logos (merchant_id, type, bytes) values ($1, $2, $3)
       on conflict (merchant_id) do update set type = excluded.type, bytes = excluded.bytes`,
      [id, logo.type, logo.bytes],
    );
}

/** The merchant must exist. */
export async function updateBranding(
  pool: Pool,
  id: number,
  { colour, logo }: BrandingChange,
): Promise<Merchant | undefined> {
  await withinTransaction(pool, async (within) => {
    if (colour !== undefined) await within.query('update merchants set colour = $2 where id = $1', [id, colour]);
    if (logo !== undefined) await changeLogo(within, id, logo);
  });
  await invalidateCaches(pool);
  return findMerchant(pool, id);
}

/** Undefined if there is none, or another one by now. */
export async function readLogo(pool: Pool, { id, logo: digest }: Merchant): Promise<Logo | undefined> {
  if (digest === undefined) return undefined;
  const rows = await pool.query<Omit<Logo, 'digest'>>(
    `select type, bytes from merchant_logos join merchants on merchants.id = merchant_id
     where merchant_id = $1 and logo = $2`,
    [id, digest],
  );
  return rows[0] && { ...rows[0], digest };
}
