// The use cases of merchants: making one together with its first key, changing its settings, and disabling it. Whoever
// asks, a command, the first start or a page, gets a named outcome and finds its own words for it.
import { differenceOf, KASSA } from '../domain/audit.ts';
import type { Actor, Facts } from '../domain/audit.ts';
import type { Merchant } from '../domain/merchant.ts';
import { checkoutKeyText, modeOf, readCheckoutKey, readSecretKey } from '../domain/key.ts';
import { findAcquirer } from '../store/merchants/acquirers.ts';
import { announce } from '../store/connections/announce.ts';
import { recordAct } from '../store/audit/audit.ts';
import { createKey } from '../store/merchants/keys.ts';
import { createMerchant, holdMerchant, listMerchants } from '../store/merchants/merchants.ts';
import { SIMULATOR } from '../domain/merchant.ts';
import { areDigitsTaken, lockKeys } from '../store/merchants/key-digits.ts';
import { setMerchantEnabled, updateMerchant, updateSeller } from '../store/merchants/merchants.ts';
import type { MerchantSettings } from '../store/merchants/merchants.ts';
import { updateLook } from '../store/merchants/merchant-look.ts';
import type { LookChange } from '../store/merchants/merchant-look.ts';
import { showRefundProof } from '../domain/refund-proof.ts';
import { findSellerFaults, missingOfSeller } from '../domain/seller.ts';
import type { Seller, SellerFault, SellerField } from '../domain/seller.ts';
import type { Pool } from '../store/connections/pool.ts';
import { withinTransaction } from '../store/connections/transaction.ts';
import { factsOfKey } from './keys.ts';

/** What is not named has its default: a test merchant of the simulator, in one part. */
export type NewMerchant = Pick<MerchantSettings, 'name'> &
  Partial<MerchantSettings> & { readonly live?: boolean; readonly parts?: number };

/** Keys that a merchant has from elsewhere, as they are spelled there, so that a shop need not change its settings. */
export type BroughtKeys = { readonly secretKey?: string | undefined; readonly checkoutKey?: string | undefined };

/** The text of the key is kept nowhere: this is the one time that it is seen. */
export type MerchantWithKey = { readonly merchant: Merchant; readonly secret: string };

/** Settings that do not go together. */
export type Misfit =
  | 'live_reserves_on_demand'
  | 'live_at_simulated_bank'
  | 'reserves_on_demand_elsewhere'
  | 'no_such_acquirer'
  | 'live_loses_seller';

/** What is wrong with keys that were brought. */
export type KeyFault = {
  readonly key: 'secret' | 'checkout';
  readonly fault: 'is_none' | 'is_of_other_mode' | 'is_in_use' | 'is_the_other_key';
};

type Changed = { readonly kind: 'changed'; readonly merchant: Merchant } | { readonly kind: 'not_found' };
type Refused = { readonly kind: 'refused'; readonly why: Misfit };
type BadSeller = { readonly kind: 'bad_seller'; readonly faults: readonly SellerFault[] };

/** What invoices are to say of the merchant, spelled as it is kept; null takes it away, what is left out stays. */
export type SellerChange = { readonly [Field in SellerField]?: string | null };

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
  ...(wanted.secondFactor !== undefined && { secondFactor: wanted.secondFactor }),
  ...(wanted.refundProof && { refundProof: wanted.refundProof }),
});

/** What the audit tells of a merchant. */
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

/** The keys as they are kept, or what is wrong with one. Digits that anybody has are nobody else's, as either kind. */
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
  // Everybody who opens the checkout can read it.
  if (secret && secret.digits === checkout?.digits) return { key: 'checkout', fault: 'is_the_other_key' };
  return {
    ...(secret && { secretDigits: secret.digits }),
    ...(checkout && { checkoutKey: checkoutKeyText(checkout) }),
  };
}

/** A merchant that nobody can ask for is of no use, so both are made or neither. */
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
  // A shop that is there already may have asked with them: nobody may remember that they were nobody's.
  if (made.kind === 'created' && made.isBrought) await announce(pool);
  return made;
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
    const made = await makeWithKey(within, KASSA, wanted, { keyName: wanted.name });
    keep(made);
    return made;
  });
}

const isNamed = (change: object): boolean => Object.keys(change).length > 0;

/** The seller after a change, or what is wrong with it: with each other, things may not fit together. */
function changeSeller({ live, seller = {} }: Merchant, change: SellerChange): Seller | Refused | BadSeller {
  const changed = Object.fromEntries(
    Object.entries({ ...seller, ...change }).filter(([, text]) => text !== null),
  ) as Seller;
  const faults = findSellerFaults(changed);
  if (faults.length > 0) return { kind: 'bad_seller', faults };
  // Payments that were created meanwhile offer an invoice, and somebody may choose it.
  const isLost = live && missingOfSeller(seller).length === 0 && missingOfSeller(changed).length > 0;
  return isLost ? { kind: 'refused', why: 'live_loses_seller' } : changed;
}

export type MerchantChange = {
  readonly settings?: Partial<MerchantSettings>;
  readonly look?: LookChange;
  readonly seller?: SellerChange;
};

/** What is not named stays. Every process works by it once this returns. */
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
    if (isNamed(look)) merchant = await updateLook(within, id, look);
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
 * Nothing new begins: neither its secret keys nor its checkout key are taken by any process once this returns. What has
 * begun goes on: a consumer who is at the bank comes back, pending movements are resolved, events are delivered.
 */
export const disableMerchant = (pool: Pool, actor: Actor, id: number): Promise<Changed> =>
  setEnabled(pool, actor, id, false);

/** All of its keys that are not revoked are taken again. */
export const enableMerchant = (pool: Pool, actor: Actor, id: number): Promise<Changed> =>
  setEnabled(pool, actor, id, true);
