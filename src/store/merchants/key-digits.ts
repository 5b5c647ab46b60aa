// Checks whether the digits of a shop's existing key are taken, and keeps them free until they are stored.
import { checkoutKeyText } from '../../domain/key.ts';
import { hashOfKey } from './keys.ts';
import type { Pool } from '../connections/pool.ts';

/** Blocks the creation of merchants and keys until the transaction ends. */
export async function lockKeys(within: Pool): Promise<void> {
  await within.query('lock table merchants, secret_keys in share row exclusive mode');
}

/** Whether any key has these digits, secret or not, revoked or not, with any prefix. */
export async function areDigitsTaken(pool: Pool, digits: string): Promise<boolean> {
  const texts = ([undefined, 'test', 'live'] as const).map((mode) => checkoutKeyText({ mode, digits }));
  const text = `select 1 from secret_keys where hash = $1 union all select 1 from merchants where checkout_key = any ($2)`;
  return (await pool.query(text, [hashOfKey(digits), texts])).length > 0;
}
