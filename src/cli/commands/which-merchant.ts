// Finds the merchant of a command: by its nine-digit id or, where that is optional, the only merchant.
import type { Merchant } from '../../domain/merchant.ts';
import { UserError } from '../../ops/user-error.ts';
import { findMerchant, listMerchants } from '../../store/merchants/merchants.ts';
import type { Pool } from '../../store/connections/pool.ts';

/** MERCHANT as an optional argument. */
export const MAYBE_MERCHANT = '[MERCHANT]';
export const MAYBE_MERCHANT_TEXT = 'MERCHANT is optional if there is only one.';

// More would bury the message.
const MOST_NAMED = 10;

export function readMerchantId(text: string | undefined): number {
  if (text === undefined || !/^\d{9}$/.test(text))
    throw new UserError(`MERCHANT is ${text}; it must be a nine-digit id, as kassa merchant list shows it.`);
  return Number(text);
}

export const noMerchant = (id: number): UserError =>
  new UserError(`There is no merchant ${id}. kassa merchant list shows all.`);

export async function requireMerchant(pool: Pool, id: number): Promise<Merchant> {
  const merchant = await findMerchant(pool, id);
  if (merchant === undefined) throw noMerchant(id);
  return merchant;
}

async function requireOnly(pool: Pool): Promise<Merchant> {
  const merchants = await listMerchants(pool);
  const [only] = merchants;
  if (only === undefined) throw new UserError('No merchants found. kassa merchant create creates one.');
  if (merchants.length === 1) return only;
  const named = merchants.slice(0, MOST_NAMED).map(({ id, name }) => `\n  ${id}  ${name}`);
  const more = merchants.length > MOST_NAMED ? '\nkassa merchant list shows all.' : '';
  throw new UserError(`MERCHANT is missing, and there are ${merchants.length} merchants:${named.join('')}${more}`);
}

/** Checks the argument right away, and returns a function that loads the merchant. */
export function merchantIn(positionals: readonly string[]): (pool: Pool) => Promise<Merchant> {
  const [text] = positionals;
  if (text === undefined) return requireOnly;
  const id = readMerchantId(text);
  return (pool) => requireMerchant(pool, id);
}
