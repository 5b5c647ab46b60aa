// Which merchant a command is about: the one whose nine digits were typed; where lists may leave them out, the only one
// there is.
import type { Merchant } from '../../domain/merchant.ts';
import { UserError } from '../../ops/user-error.ts';
import { findMerchant, listMerchants } from '../../store/merchants/merchants.ts';
import type { Pool } from '../../store/connections/pool.ts';

/** How MERCHANT is written where it may be left out. */
export const MAYBE_MERCHANT = '[MERCHANT]';
export const MAYBE_MERCHANT_TEXT = 'MERCHANT may be left out where there is only one.';

// More would hide the sentence; all are listed elsewhere.
const MOST_NAMED = 10;

export function readMerchantId(text: string | undefined): number {
  if (text === undefined || !/^\d{9}$/.test(text))
    throw new UserError(`MERCHANT is ${text}; it must be the nine digits that kassa merchant list shows.`);
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
  if (only === undefined) throw new UserError('There are no merchants yet. kassa merchant create makes one.');
  if (merchants.length === 1) return only;
  const named = merchants.slice(0, MOST_NAMED).map(({ id, name }) => `\n  ${id}  ${name}`);
  const more = merchants.length > MOST_NAMED ? '\nkassa merchant list shows all.' : '';
  throw new UserError(`MERCHANT is missing, and there are ${merchants.length}:${named.join('')}${more}`);
}

/** Reads what was typed at once; gives, with a database, the merchant that it stands for. */
export function merchantIn(positionals: readonly string[]): (pool: Pool) => Promise<Merchant> {
  const [text] = positionals;
  if (text === undefined) return requireOnly;
  const id = readMerchantId(text);
  return (pool) => requireMerchant(pool, id);
}
