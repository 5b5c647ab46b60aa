// The use cases of merchants: creating one with its first key, changing its settings, and disabling it. Callers get a named
// outcome and present it in their own words.
import { differenceOf, KASSA } from '../domain/audit.ts';
import type { Actor, Facts } from '../domain/audit.ts';
import type { Merchant } from '../domain/merchant.ts';
import { checkoutKeyText, modeOf, readCheckoutKey, readSecretKey } from '../domain/key.ts';
import { findAcquirer } from '../store/merchants/acquirers.ts';
import { invalidateCaches } from '../store/connections/invalidate.ts';
import { recordAct } from '../store/audit/audit.ts';
import { createKey } from '../store/merchants/keys.ts';
import { createMerchant, holdMerchant, listMerchants } from '../store/merchants/merchants.ts';
import { SIMULATOR } from '../domain/merchant.ts';
import { areDigitsTaken, lockKeys } from '../store/merchants/key-digits.ts';
import { setMerchantEnabled, updateMerchant, updateSeller } from '../store/merchants/merchants.ts';
import type { MerchantSettings } from '../store/merchants/merchants.ts';
import { updateBranding } from '../store/merchants/merchant-branding.ts';
import type { BrandingChange } from '../store/merchants/merchant-branding.ts';
import { showRefundProof } from '../domain/refund-proof.ts';
import { findSellerFaults, missingOfSeller } from '../domain/seller.ts';
import type { Seller, SellerFault, SellerField } from '../domain/seller.ts';
import type { Pool } from '../store/connections/pool.ts';
import { withinTransaction } from '../store/connections/transaction.ts';
import { factsOfKey } from './keys.ts';

/** Missing settings have defaults: a test merchant with the simulator, in one part. */
export type NewMerchant = Pick<MerchantSettings, 'name'> &
  Partial<MerchantSettings> & { readonly live?: boolean; readonly parts?: number };

/** Existing keys from elsewhere, in their original form, so that a shop need not change its configuration. */
export type BroughtKeys = { readonly secretKey?: string | undefined; readonly checkoutKey?: string | undefined };

/** The only time that the secret is available: only its hash is stored. */
export type MerchantWithKey = { readonly merchant: Merchant; readonly secret: string };

/** Settings that do not go together. */
export type Misfit =
  | 'live_reserves_on_demand'
  | 'live_at_simulated_bank'
  | 'reserves_on_demand_elsewhere'
  | 'no_such_acquirer'
  | 'live_loses_seller';

/** What is wrong with existing keys. */
export type KeyFault = {
  readonly key: 'secret' | 'checkout';
  readonly fault: 'is_none' | 'is_of_other_mode' | 'is_in_use' | 'is_the_other_key';
};

type Changed = { readonly kind: 'changed'; readonly merchant: Merchant } | { readonly kind: 'not_found' };
type Refused = { readonly kind: 'refused'; readonly why: Misfit };
type BadSeller = { readonly kind: 'bad_seller'; readonly faults: readonly SellerFault[] };

/** Changes of the seller in canonical form; null removes a value, missing ones stay. */
export type SellerChange = { readonly [Field in SellerField]?: string | null };

export const LONGEST_NAME = 128;

/** One line that people can read. */
export const isMerchantName = (name: string): boolean =>
  name.trim() !== '' && name.length <= LONGEST_NAME && !/\p{Cc}/u.test(name);

/** Names a violation that the database would refuse as well. `named`: the requested acquirer. */
async function findMisfit(
  pool: Pool,
  { live, reserveOnDemand, acquirer }: Pick<Merchant, 'live' | 'reserveOnDemand' | 'acquirer'>,
  named: string | undefined,
): Promise<Misfit | undefined> {
  if (live && reserveOnDemand) return 'live_reserves_on_demand';
  // All acquirers that can be named are simulated.
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
  ...(wanted.secondFactor !== undefined && { secondFactor: wanted.secondFactor }),
  ...(wanted.refundProof && { refundProof: wanted.refundProof }),
});

/** The audit facts of a merchant. */
const factsOf = ({
  name,
  dialect,
  strictItems,
  reserveOnDemand,
  acquirer,
  secondFactor,
  ...more
}: Merchant): Facts => ({
  name,
  dialect,
  strictItems,
  reserveOnDemand,
  acquirer,
  secondFactor,
  refundProof: showRefundProof(more.refundProof ?? {}) || null,
  colour: more.colour ?? null,
  logo: more.logo ?? null,
  ...Object.fromEntries(Object.entries(more.seller ?? {}).map(([field, text]) => [`seller.${field}`, text])),
});

type ReadKeys = { readonly secretDigits?: string; readonly checkoutKey?: string; readonly keyName?: string };

async function makeWithKey(
  within: Pool,
  actor: Actor,
  wanted: NewMerchant,
  keys: ReadKeys = {},
): Promise<MerchantWithKey> {
  const { live = false, parts = 1 } = wanted;
  const place = { parts, ...(keys.checkoutKey !== undefined && { checkoutKey: keys.checkoutKey }) };
  const merchant = await createMerchant(within, live, settingsOf(wanted), place);
  const terms = keys.keyName === undefined ? {} : { name: keys.keyName };
  const { key, secret } = await createKey(within, merchant, keys.secretDigits, terms);
  const after = { mode: modeOf(live), ...factsOf(merchant) };
  await recordAct(within, merchant, { actor, action: 'merchant.create', subject: String(merchant.id), after });
  await recordAct(within, merchant, { actor, action: 'key.create', subject: key.id, after: factsOfKey(key) });
  return { merchant, secret };
}

/** The keys in stored form, or what is wrong with one. Digits must be unique over all keys of both kinds. */
async function readBroughtKeys(within: Pool, live: boolean, brought: BroughtKeys): Promise<ReadKeys | KeyFault> {
  const secret = brought.secretKey === undefined ? undefined : readSecretKey(brought.secretKey);
  const checkout = brought.checkoutKey === undefined ? undefined : readCheckoutKey(brought.checkoutKey);
  for (const [key, text, read] of [
    ['secret', brought.secretKey, secret],
    ['checkout', brought.checkoutKey, checkout],
  ] as const) {
    if (text === undefined) continue;
    if (read === undefined) return { key, fault: 'is_none' };
    if (read.mode !== undefined && read.mode !== modeOf(live)) return { key, fault: 'is_of_other_mode' };
    if (await areDigitsTaken(within, read.digits)) return { key, fault: 'is_in_use' };
  }
  // The checkout key is public.
  if (secret && secret.digits === checkout?.digits) return { key: 'checkout', fault: 'is_the_other_key' };
  return {
    ...(secret && { secretDigits: secret.digits }),
    ...(checkout && { checkoutKey: checkoutKeyText(checkout) }),
  };
}

/** Creates the merchant and its first key in one transaction. */
export async function createMerchantWithKey(
  pool: Pool,
  actor: Actor,
  wanted: NewMerchant,
  brought: BroughtKeys = {},
): Promise<({ readonly kind: 'created' } & MerchantWithKey) | Refused | ({ readonly kind: 'bad_key' } & KeyFault)> {
  const { live = false } = wanted;
  const why = await findMisfit(pool, { live, ...settingsOf(wanted) }, wanted.acquirer);
  if (why !== undefined) return { kind: 'refused', why };
  const made = await withinTransaction(pool, async (within) => {
    const isBrought = brought.secretKey !== undefined || brought.checkoutKey !== undefined;
    if (isBrought) await lockKeys(within);
    const keys = await readBroughtKeys(within, live, brought);
    return 'fault' in keys
      ? ({ kind: 'bad_key', ...keys } as const)
      : ({ kind: 'created', isBrought, ...(await makeWithKey(within, actor, wanted, keys)) } as const);
  });
  // The shop may already have used these keys: invalidate negative cache entries.
  if (made.kind === 'created' && made.isBrought) await invalidateCaches(pool);
  return made;
}

/**
 * Creates the first merchant of an empty database; of several concurrent processes, one does. `keep` stores its keys before
 * the commit, so that a failure leaves no merchant. Undefined if there is a merchant already.
 */
export async function createFirstMerchant(
  pool: Pool,
  wanted: NewMerchant,
  keep: (made: MerchantWithKey) => void,
): Promise<MerchantWithKey | undefined> {
  return withinTransaction(pool, async (within) => {
    await within.query('lock table merchants in share row exclusive mode');
    if ((await listMerchants(within)).length > 0) return undefined;
    const made = await makeWithKey(within, KASSA, wanted, { keyName: wanted.name });
    keep(made);
    return made;
  });
}

const isNamed = (change: object): boolean => Object.keys(change).length > 0;

/** The seller after a change, or what is wrong with it; values may be inconsistent with each other. */
function changeSeller({ live, seller = {} }: Merchant, change: SellerChange): Seller | Refused | BadSeller {
  const changed = Object.fromEntries(
    Object.entries({ ...seller, ...change }).filter(([, text]) => text !== null),
  ) as Seller;
  const faults = findSellerFaults(changed);
  if (faults.length > 0) return { kind: 'bad_seller', faults };
  // Existing payments may already offer an invoice.
  const isLost = live && missingOfSeller(seller).length === 0 && missingOfSeller(changed).length > 0;
  return isLost ? { kind: 'refused', why: 'live_loses_seller' } : changed;
}

export type MerchantChange = {
  readonly settings?: Partial<MerchantSettings>;
  readonly look?: BrandingChange;
  readonly seller?: SellerChange;
};

/** Missing settings stay unchanged. All processes use the new settings when this returns. */
export async function changeMerchant(
  pool: Pool,
  actor: Actor,
  id: number,
  { settings = {}, look = {}, seller = {} }: MerchantChange,
): Promise<Changed | Refused | BadSeller> {
  return withinTransaction(pool, async (within) => {
    const before = await holdMerchant(within, id);
    if (before === undefined) return { kind: 'not_found' };
    const why = await findMisfit(within, { ...before, ...settings }, settings.acquirer);
    if (why !== undefined) return { kind: 'refused', why };
    const sold = changeSeller(before, seller);
    if ('kind' in sold) return sold;
    let merchant = await updateMerchant(within, id, settings);
    if (isNamed(look)) merchant = await updateBranding(within, id, look);
    if (isNamed(seller)) merchant = await updateSeller(within, id, sold);
    if (merchant === undefined) return { kind: 'not_found' };
    const difference = differenceOf(factsOf(before), factsOf(merchant));
    if (difference)
      await recordAct(within, merchant, { actor, action: 'merchant.change', subject: String(id), ...difference });
    return { kind: 'changed', merchant };
  });
}

async function setEnabled(pool: Pool, actor: Actor, id: number, enabled: boolean): Promise<Changed> {
  return withinTransaction(pool, async (within) => {
    const before = await holdMerchant(within, id);
    const merchant = await setMerchantEnabled(within, id, enabled);
    if (before === undefined || merchant === undefined) return { kind: 'not_found' };
    const action = enabled ? 'merchant.enable' : 'merchant.disable';
    if (enabled !== (before.disabledAt === undefined))
      await recordAct(within, merchant, { actor, action, subject: String(id) });
    return { kind: 'changed', merchant };
  });
}

/**
 * No process accepts its secret keys or its checkout key when this returns. What was already started continues: consumers
 * at their bank can complete their payment, pending movements are resolved, and events are delivered.
 */
export const disableMerchant = (pool: Pool, actor: Actor, id: number): Promise<Changed> =>
  setEnabled(pool, actor, id, false);

/** All its keys that are not revoked work again. */
export const enableMerchant = (pool: Pool, actor: Actor, id: number): Promise<Changed> =>
  setEnabled(pool, actor, id, true);
