// Who asks: reads the secret key from the Authorization header and finds its merchant. Everything about a bad key is
// the same 401 without a body.
import { readSecretKey } from '../domain/key.ts';
import type { SpelledKey } from '../domain/key.ts';
import type { MerchantCache } from '../store/merchant-cache.ts';
import type { KeyHolder } from '../store/keys.ts';

const LONGEST_HEADER = 128;

export class Unauthorized extends Error {
  override readonly name = 'Unauthorized';
}

export function readKey(header: string | undefined): SpelledKey | undefined {
  if (header === undefined || header.length > LONGEST_HEADER) return undefined;
  return readSecretKey(header.trim().replace(/^bearer\s+/i, ''));
}

export async function authenticate(cache: MerchantCache, header: string | undefined): Promise<KeyHolder> {
  const key = readKey(header);
  const holder = key && (await cache.find(key.digits));
  if (holder === undefined) throw new Unauthorized('no valid key');
  if (key?.mode !== undefined && (key.mode === 'live') !== holder.merchant.live)
    throw new Unauthorized('key of the other mode');
  return holder;
}
