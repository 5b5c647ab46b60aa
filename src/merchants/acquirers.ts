// The use cases of remote acquirers: adding, changing, removing and testing them; and the rules for names, addresses and
// keys.
import { bankAcquirer } from '../acquirers/bank-client.ts';
import type { Actor } from '../domain/audit.ts';
import { NO_ID } from '../domain/id.ts';
import { findAcquirer, putAcquirer as put, removeAcquirer as remove } from '../store/merchants/acquirers.ts';
import type { AcquirerAccess } from '../store/merchants/acquirers.ts';
import { NO_MERCHANT, recordAct } from '../store/audit/audit.ts';
import { SIMULATOR } from '../domain/merchant.ts';
import { countPending } from '../store/payments/pending.ts';
import type { Pool } from '../store/connections/pool.ts';
import { withinTransaction } from '../store/connections/transaction.ts';

const NAME = /^[a-z][a-z0-9-]{0,31}$/;
// As long as the database takes one.
export const LONGEST_ACQUIRER_URL = 2_048;
export const ACQUIRER_KEY_LENGTHS = { shortest: 8, longest: 256 } as const;

export const isAcquirerName = (name: string): boolean => NAME.test(name) && name !== SIMULATOR;

/** The canonical form of a plain address, without user, query or trailing slash; undefined for others. */
export function plainUrlOf(text: string): string | undefined {
  const address = URL.canParse(text) ? new URL(text) : undefined;
  if (address === undefined || !/^https?:$/.test(address.protocol)) return undefined;
  const { search, hash, username, password } = address;
  return search + hash + username + password === '' ? address.href.replace(/\/$/, '') : undefined;
}

export const isAcquirerKey = (key: string): boolean =>
  key.length >= ACQUIRER_KEY_LENGTHS.shortest &&
  key.length <= ACQUIRER_KEY_LENGTHS.longest &&
  /^[\x21-\x7e]+$/.test(key);

export type PutAcquirer =
  /** With its old address. */
  | { readonly kind: 'put'; readonly before: string | undefined }
  /** Only the acquirer at the old address knows the outcome of these movements. */
  | { readonly kind: 'movements_pending'; readonly count: number; readonly before: string };

/** Adds an acquirer, or changes its address and key. `force`: it has the same book at the new address. */
export async function putAcquirer(
  pool: Pool,
  actor: Actor,
  access: AcquirerAccess,
  { force = false }: { readonly force?: boolean } = {},
): Promise<PutAcquirer> {
  const { name, url, key } = access;
  if (!isAcquirerName(name) || plainUrlOf(url) !== url || url.length > LONGEST_ACQUIRER_URL || !isAcquirerKey(key))
    throw new Error(`the acquirer ${name} was not checked`);
  const known = force ? undefined : await findAcquirer(pool, name);
  if (known !== undefined && known.url !== url) {
    // Another acquirer would decline pending movements, or carry them out twice.
    const pending = (await countPending(pool)).find(({ acquirer }) => acquirer === name);
    if (pending !== undefined) return { kind: 'movements_pending', count: pending.count, before: known.url };
  }
  return withinTransaction(pool, async (within) => {
    const before = await put(within, access);
    const act = { actor, action: 'acquirer.put', subject: name, after: { url } } as const;
    await recordAct(within, NO_MERCHANT, { ...act, ...(before !== undefined && { before: { url: before } }) });
    return { kind: 'put', before };
  });
}

/** Removes it, unless it is still in use; returns why not. */
export async function removeAcquirer(pool: Pool, actor: Actor, name: string): ReturnType<typeof remove> {
  return withinTransaction(pool, async (within) => {
    const outcome = await remove(within, name);
    if (outcome === 'removed')
      await recordAct(within, NO_MERCHANT, { actor, action: 'acquirer.remove', subject: name });
    return outcome;
  });
}

/**
 * Why it does not work at the moment; undefined if it does. Looks up an id that cannot exist: a not-found response shows
 * that it is up and accepts the key.
 */
export async function tryAcquirer(access: AcquirerAccess, timeoutMs: number): Promise<string | undefined> {
  const found = await bankAcquirer({ ...access, timeoutMs }).find(NO_ID);
  return found.result === 'unknown' ? (found.why ?? 'it does not answer') : undefined;
}
