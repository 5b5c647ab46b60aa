// The use cases of merchants: making one together with its first key, changing its settings, and disabling it. Whoever
// asks, a command, the first start or a page, gets a named outcome and finds its own words for it.
import type { Merchant } from '../domain/merchant.ts';
import { findAcquirer } from '../store/acquirers.ts';
import { createKey, createMerchant, findMerchant, listMerchants, SIMULATOR } from '../store/merchants.ts';
import { setMerchantEnabled, updateMerchant } from '../store/merchants.ts';
import type { MerchantSettings } from '../store/merchants.ts';
import type { Pool } from '../store/pool.ts';
import { withinTransaction } from '../store/transaction.ts';

/** What is not named has its default: a test merchant of the simulator, in one part. */
export type NewMerchant = Pick<MerchantSettings, 'name'> &
  Partial<MerchantSettings> & { readonly live?: boolean; readonly parts?: number };

/** The text of the key is kept nowhere: this is the one time that it is seen. */
export type MerchantWithKey = { readonly merchant: Merchant; readonly secret: string };

/** Settings that do not go together. */
export type Misfit =
  | 'live_reserves_on_demand'
  | 'live_at_simulated_bank'
  | 'reserves_on_demand_elsewhere'
  | 'no_such_acquirer';

type Changed = { readonly kind: 'changed'; readonly merchant: Merchant } | { readonly kind: 'not_found' };
type Refused = { readonly kind: 'refused'; readonly why: Misfit };

export const LONGEST_NAME = 128;

/** One line that people can read. */
export const isMerchantName = (name: string): boolean =>
  name.trim() !== '' && name.length <= LONGEST_NAME && !/\p{Cc}/u.test(name);

/** What the database would refuse as well, by name. `named`: the acquirer that was asked for. */
async function findMisfit(
  pool: Pool,
  { live, reserveOnDemand, acquirer }: Pick<Merchant, 'live' | 'reserveOnDemand' | 'acquirer'>,
  named: string | undefined,
): Promise<Misfit | undefined> {
  if (live && reserveOnDemand) return 'live_reserves_on_demand';
  // By whatever name: all that can be named are simulated.
  if (live && named !== undefined) return 'live_at_simulated_bank';
  if (acquirer === SIMULATOR) return undefined;
  if (reserveOnDemand) return 'reserves_on_demand_elsewhere';
  return (await findAcquirer(pool, acquirer)) === undefined ? 'no_such_acquirer' : undefined;
}

const settingsOf = (wanted: NewMerchant): MerchantSettings => ({
  name: wanted.name,
  dialect: wanted.dialect ?? 'spec',
  strictItems: wanted.strictItems ?? false,
  reserveOnDemand: wanted.reserveOnDemand ?? false,
  acquirer: wanted.acquirer ?? SIMULATOR,
});

async function makeWithKey(within: Pool, wanted: NewMerchant): Promise<MerchantWithKey> {
  const merchant = await createMerchant(within, wanted.live ?? false, settingsOf(wanted), wanted.parts);
  const { secret } = await createKey(within, merchant);
  return { merchant, secret };
}

/** A merchant that nobody can ask for is of no use, so both are made or neither. */
export async function createMerchantWithKey(
  pool: Pool,
  wanted: NewMerchant,
): Promise<({ readonly kind: 'created' } & MerchantWithKey) | Refused> {
  const why = await findMisfit(pool, { live: wanted.live ?? false, ...settingsOf(wanted) }, wanted.acquirer);
  if (why !== undefined) return { kind: 'refused', why };
  return { kind: 'created', ...(await withinTransaction(pool, (within) => makeWithKey(within, wanted))) };
}

/**
 * Makes the first merchant of an empty database; of several processes that try, one does. Its keys are handed over before
 * the commit: where they cannot be kept, there is no merchant. Undefined where there is one already.
 */
export async function createFirstMerchant(
  pool: Pool,
  wanted: NewMerchant,
  keep: (made: MerchantWithKey) => void,
): Promise<MerchantWithKey | undefined> {
  return withinTransaction(pool, async (within) => {
    await within.query('lock table merchants in share row exclusive mode');
    if ((await listMerchants(within)).length > 0) return undefined;
    const made = await makeWithKey(within, wanted);
    keep(made);
    return made;
  });
}

/** What is not named stays. Every process works by it once this returns. */
export async function changeMerchant(
  pool: Pool,
  id: number,
  change: Partial<MerchantSettings>,
): Promise<Changed | Refused> {
  const before = await findMerchant(pool, id);
  if (before === undefined) return { kind: 'not_found' };
  const why = await findMisfit(pool, { ...before, ...change }, change.acquirer);
  if (why !== undefined) return { kind: 'refused', why };
  const merchant = await updateMerchant(pool, id, change);
  return merchant === undefined ? { kind: 'not_found' } : { kind: 'changed', merchant };
}

async function setEnabled(pool: Pool, id: number, enabled: boolean): Promise<Changed> {
  const merchant = await setMerchantEnabled(pool, id, enabled);
  return merchant === undefined ? { kind: 'not_found' } : { kind: 'changed', merchant };
}

/**
 * Nothing new begins: neither its secret keys nor its checkout key are taken by any process once this returns. What has
 * begun goes on: a consumer who is at the bank comes back, pending movements are resolved, events are delivered.
 */
export const disableMerchant = (pool: Pool, id: number): Promise<Changed> => setEnabled(pool, id, false);

/** All of its keys that are not revoked are taken again. */
export const enableMerchant = (pool: Pool, id: number): Promise<Changed> => setEnabled(pool, id, true);
