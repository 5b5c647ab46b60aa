// Finds the merchant of a key, for every request. Results are cached until a notice says that merchants or keys
// changed, and for a few seconds at most, in case a notice is lost. Unknown keys are cached and looked up separately,
// so that a flood of them neither evicts nor delays valid ones.
import type { Merchant } from '../../domain/merchant.ts';
import { countedOnly, Group } from '../connections/group.ts';
import { heard, LONGEST_CACHE_AGE_MS, merchantIn, MERCHANTS_CHANNEL } from '../connections/invalidate.ts';
import { findKeyHolders } from './keys.ts';
import { findMerchant, findMerchantsByCheckoutKeys } from './merchants.ts';
import type { KeyHolder } from './keys.ts';
import type { Listener } from '../connections/listener.ts';
import type { Pool } from '../connections/pool.ts';

// Keys in use at once; beyond that, the least recently read one is evicted.
const MOST_KNOWN = 10_000;
// Unknown keys are cached too, so that a flood of one key is not a flood of queries; this bounds their memory.
const MOST_UNKNOWN = 10_000;
// Look-ups are grouped, hundreds per query: one query at a time for new keys, two for known ones.
const LOOK_UPS = countedOnly(500, 10_000, 10_000);

/** Per kind, one query at a time for unknown keys, which have no ids; two for known ones. */
export const MERCHANT_CONNECTIONS = 4;

/** A merchant, alone or with the key by which it was found. */
type Found = Merchant | KeyHolder | undefined;
type Entry = {
  readonly found: Promise<Found>;
  readonly expiresAt: number;
  /** Set once it is looked up. */
  one?: Found;
  /** Its merchant's number; null: the key is unknown. */
  whose?: number | null;
};
type LookUps<Kind extends Found> = {
  /** The kind is part of the key: a value sent as one kind must never match another. */
  readonly kind: string;
  readonly known: Group<string, Kind>;
  readonly strangers: Group<string, Kind>;
};

const keyOf = (kind: string, text: string): string => `${kind} ${text}`;

type Kept = { readonly known: Map<string, Entry>; readonly unknown: Map<string, Entry> };

/** After a change, drops everything and discards reads in progress. Known keys stay known. */
const outdated = ({ known }: Kept): Kept => ({
  known: new Map(Array.from(known, ([key, { found }]) => [key, { found, expiresAt: 0 }])),
  unknown: new Map(),
});

/** After a change of one merchant, keeps the others, except reads in progress, which may be its own. */
function outdatedOf({ known, unknown }: Kept, merchantId: number): Kept {
  const isOther = ({ whose }: Entry): boolean => whose !== undefined && whose !== merchantId;
  return {
    known: new Map(
      Array.from(known, ([key, entry]) => [key, isOther(entry) ? entry : { found: entry.found, expiresAt: 0 }]),
    ),
    unknown: new Map([...unknown].filter(([, { whose }]) => whose === null)),
  };
}

const numberOf = (found: Found): number | null =>
  found === undefined ? null : 'merchant' in found ? found.merchant.id : found.id;

/** Makes room by evicting the oldest entry. */
function put(entries: Map<string, Entry>, most: number, key: string, entry: Entry): void {
  entries.delete(key);
  if (entries.size >= most) entries.delete(entries.keys().next().value as string);
  entries.set(key, entry);
}

export class MerchantCache {
  readonly #pool: Pool;
  readonly #listener: Pick<Listener, 'isListening'>;
  readonly #longestAgeMs: number;
  readonly #bySecretKey: LookUps<KeyHolder | undefined>;
  readonly #byCheckoutKey: LookUps<Merchant | undefined>;
  #kept: Kept = { known: new Map(), unknown: new Map() };

  /** Listens for changes; nothing is cached while it cannot. */
  constructor(pool: Pool, listener: Listener, longestAgeMs = LONGEST_CACHE_AGE_MS) {
    this.#pool = pool;
    this.#longestAgeMs = longestAgeMs;
    this.#listener = listener;
    listener.hear(MERCHANTS_CHANNEL, {
      onNotice: (payload, answer) => {
        const merchantId = merchantIn(payload);
        this.#kept = merchantId === undefined ? outdated(this.#kept) : outdatedOf(this.#kept, merchantId);
        if (/^[0-9a-f]+$/.test(payload)) answer(heard(payload));
      },
      onGap: () => {
        this.#kept = outdated(this.#kept);
      },
    });
    const lookUps = <Kind extends Found>(
      kind: string,
      run: (keys: readonly string[]) => Promise<readonly Kind[]>,
    ): LookUps<Kind> => ({
      kind,
      known: new Group({ ...LOOK_UPS, concurrency: 2, run }),
      strangers: new Group({ ...LOOK_UPS, concurrency: 1, run }),
    });
    this.#bySecretKey = lookUps('secret', (keys) => findKeyHolders(pool, keys));
    this.#byCheckoutKey = lookUps('checkout', (keys) => findMerchantsByCheckoutKeys(pool, keys));
  }

  /** The merchant of a key, by its 32 digits. */
  find(digits: string): Promise<KeyHolder | undefined> {
    return this.#findByKey(this.#bySecretKey, digits);
  }

  /** The same from memory, without waiting. */
  known(digits: string): KeyHolder | undefined {
    const entry = this.#kept.known.get(keyOf(this.#bySecretKey.kind, digits));
    return entry && entry.expiresAt > performance.now() ? (entry.one as KeyHolder | undefined) : undefined;
  }

  findByCheckoutKey(checkoutKey: string): Promise<Merchant | undefined> {
    return this.#findByKey(this.#byCheckoutKey, checkoutKey);
  }

  /** Clients do not send ids, so every id is valid. */
  findById(id: number): Promise<Merchant | undefined> {
    return this.#keep(`merchant ${id}`, () => findMerchant(this.#pool, id));
  }

  #findByKey<Kind extends Found>({ kind, known, strangers }: LookUps<Kind>, text: string): Promise<Kind> {
    return this.#keep(keyOf(kind, text), async (isKnown) => (isKnown ? known : strangers).add(text));
  }

  /** The type of a cached value follows from the kind, which is part of the key. */
  #keep<Kind extends Found>(key: string, look: (isKnown: boolean) => Promise<Kind>): Promise<Kind> {
    const now = performance.now();
    const kept = this.#kept;
    const known = kept.known.get(key);
    const entry = known ?? kept.unknown.get(key);
    if (entry && entry.expiresAt > now) return entry.found as Promise<Kind>;
    const found = look(known !== undefined);
    if (!this.#listener.isListening) return found;
    const expiresAt = now + this.#longestAgeMs;
    // Concurrent callers share a look-up.
    const looked: Entry = { found, expiresAt };
    if (known) put(kept.known, MOST_KNOWN, key, looked);
    else put(kept.unknown, MOST_UNKNOWN, key, looked);
    found.then(
      (one) => {
        looked.one = one;
        looked.whose = numberOf(one);
        if (one && !known) {
          kept.unknown.delete(key);
          put(kept.known, MOST_KNOWN, key, looked);
        } else if (!one) kept.known.delete(key);
      },
      () => {
        if (known) put(kept.known, MOST_KNOWN, key, { ...known, expiresAt: 0 });
        else kept.unknown.delete(key);
      },
    );
    return found;
  }
}
