// Whose key is this? Asked on every request, so the answers are kept in memory: until a notice from the database says
// that merchants or keys changed, and never longer than a few seconds, should a notice be lost. What strangers send is
// kept apart and looked up apart: however many keys they try, those that are somebody's stay and are looked up at once.
import type { Merchant } from '../../domain/merchant.ts';
import { countedOnly, Group } from '../connections/group.ts';
import { heard, LONGEST_CACHE_AGE_MS, merchantIn, MERCHANTS_CHANNEL } from '../connections/announce.ts';
import { findKeyHolders } from './keys.ts';
import { findMerchant, findMerchantsByCheckoutKeys } from './merchants.ts';
import type { KeyHolder } from './keys.ts';
import type { Listener } from '../connections/listener.ts';
import type { Pool } from '../connections/pool.ts';

// Keys in use at once; beyond, the one that was read longest ago is read again.
const MOST_KNOWN = 10_000;
// Unknown keys are remembered too, so that a flood of one of them is not a flood of queries; this bounds what it costs.
const MOST_UNKNOWN = 10_000;
// Look-ups go together, hundreds in a query: one query at a time for keys that nobody had before, two for the others.
const LOOK_UPS = countedOnly(500, 10_000, 10_000);

/** Of each kind one query at most is under way for strangers, who have no ids; two are for those who are known. */
export const MERCHANT_CONNECTIONS = 4;

/** A merchant, or one with the key by which it was found. */
type Found = Merchant | KeyHolder | undefined;
type Entry = {
  readonly found: Promise<Found>;
  readonly expiresAt: number;
  /** Once it is looked up. */
  one?: Found;
  /** The same, its merchant's number; null: nobody's. */
  whose?: number | null;
};
type LookUps<Kind extends Found> = {
  /** The kind stands in the key: what a stranger sends as one kind must never be found as another. */
  readonly kind: string;
  readonly known: Group<string, Kind>;
  readonly strangers: Group<string, Kind>;
};

const keyOf = (kind: string, text: string): string => `${kind} ${text}`;

type Kept = { readonly known: Map<string, Entry>; readonly unknown: Map<string, Entry> };

/** After a change everything is read anew, and what is being read is not kept. Who was known is still no stranger. */
const outdated = ({ known }: Kept): Kept => ({
  known: new Map(Array.from(known, ([key, { found }]) => [key, { found, expiresAt: 0 }])),
  unknown: new Map(),
});

/** The same after a change of one merchant: the others stay, but for what is being read, which may be its own. */
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

/** Makes room by dropping what was put in first. */
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

  /** Listens for changes; while that cannot be, nothing is kept. */
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

  /** Whose key it is, by its 32 digits. */
  find(digits: string): Promise<KeyHolder | undefined> {
    return this.#findByKey(this.#bySecretKey, digits);
  }

  /** The same without waiting, where it is in memory. */
  known(digits: string): KeyHolder | undefined {
    const entry = this.#kept.known.get(keyOf(this.#bySecretKey.kind, digits));
    return entry && entry.expiresAt > performance.now() ? (entry.one as KeyHolder | undefined) : undefined;
  }

  findByCheckoutKey(checkoutKey: string): Promise<Merchant | undefined> {
    return this.#findByKey(this.#byCheckoutKey, checkoutKey);
  }

  /** Nobody from outside asks by id, so every one is somebody's. */
  findById(id: number): Promise<Merchant | undefined> {
    return this.#keep(`merchant ${id}`, () => findMerchant(this.#pool, id));
  }

  #findByKey<Kind extends Found>({ kind, known, strangers }: LookUps<Kind>, text: string): Promise<Kind> {
    return this.#keep(keyOf(kind, text), async (isKnown) => (isKnown ? known : strangers).add(text));
  }

  /** What was kept under a key is of the kind that its look-up gives, since the kind stands in the key. */
  #keep<Kind extends Found>(key: string, look: (isKnown: boolean) => Promise<Kind>): Promise<Kind> {
    const now = performance.now();
    const kept = this.#kept;
    const known = kept.known.get(key);
    const entry = known ?? kept.unknown.get(key);
    if (entry && entry.expiresAt > now) return entry.found as Promise<Kind>;
    const found = look(known !== undefined);
    if (!this.#listener.isListening) return found;
    const expiresAt = now + this.#longestAgeMs;
    // Whoever asks while it is looked up waits for the same answer.
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
