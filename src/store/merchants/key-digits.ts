// Whether the digits of a key that a shop brings are anybody's already, and holding that so until they are the shop's own.
import { checkoutKeyText } from '../../domain/key.ts';
import { hashOfKey } from './keys.ts';
import type { Pool } from '../connections/pool.ts';

/** Nobody makes a merchant or a key until the transaction ends, so that what is nobody's stays so. */
export async function lockKeys(within: Pool): Promise<void> {
  await within.query('lock table merchants, secret_keys in share row exclusive mode');
}

/** Whether these are the digits of any key, secret or not, revoked or not, with whichever prefix. */
export async function areDigitsTaken(pool: Pool, digits: string): Promise<boolean> {
  const texts = ([undefined, 'test', 'live'] as const).map((mode) => checkoutKeyText({ mode, digits }));
  const text = `select 1 from secret_keys where hash = $1 union all select 1 from merchants where checkout_key = any ($2)`;
  return (await pool.query(text, [hashOfKey(digits), texts])).length > 0;
}
