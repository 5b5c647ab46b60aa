// Authentication: reads the secret key from the Authorization header and finds its merchant. Every bad key gets the same
// 401 without a body, including a test key of a live merchant and a live key of a test merchant; a key that says neither
// follows its merchant. The statements themselves only find payments of that merchant.
import { readSecretKey } from '../domain/key.ts';
import type { SpelledKey } from '../domain/key.ts';
import type { MerchantCache } from '../store/merchants/merchant-cache.ts';
import type { KeyHolder } from '../store/merchants/keys.ts';

const LONGEST_HEADER = 128;

export class Unauthorized extends Error {
  override readonly name = 'Unauthorized';
}

// Parsed headers: a client sends the same one each time, and it is read more than once per request.
const MOST_READ = 1_000;
const read = new Map<string, SpelledKey>();

export function readKey(header: string | undefined): SpelledKey | undefined {
  if (header === undefined || header.length > LONGEST_HEADER) return undefined;
  const known = read.get(header);
  if (known) return known;
  const key = readSecretKey(header.trim().replace(/^bearer\s+/i, ''));
  if (key === undefined) return undefined;
  if (read.size >= MOST_READ) read.clear();
  read.set(header, key);
  return key;
}

/** The key's merchant, if it has one; synchronous if it is in memory. */
export function findHolder(
  cache: MerchantCache,
  header: string | undefined,
): KeyHolder | undefined | Promise<KeyHolder | undefined> {
  const key = readKey(header);
  if (key === undefined) return undefined;
  const ifOfMode = (holder: KeyHolder | undefined): KeyHolder | undefined =>
    key.mode === undefined || holder?.merchant.live === (key.mode === 'live') ? holder : undefined;
  const known = cache.known(key.digits);
  return known ? ifOfMode(known) : cache.find(key.digits).then(ifOfMode);
}
