// Whose key is this? Asked on every request, so the answers are kept in memory: until a notice from the database says
// that merchants or keys changed, and never longer than a few seconds, should a notice be lost.
import pg from 'pg';
import type { Merchant } from '../domain/merchant.ts';
import { findMerchant, findMerchantByCheckoutKey, findMerchantByKey, heard } from './merchants.ts';
import { LISTENER_NAME, LONGEST_CACHE_AGE_MS, MERCHANTS_CHANNEL } from './merchants.ts';
import type { Pool } from './pool.ts';

const RECONNECT_PAUSE_MS = 1_000;
// Unknown keys are remembered too, so that a flood of them is not a flood of queries; this bounds what it costs.
const MOST_ENTRIES = 10_000;

type Entry = { readonly merchant: Promise<Merchant | undefined>; readonly expiresAt: number };

export class MerchantCache {
  readonly #pool: Pool;
  readonly #url: string;
  #entries = new Map<string, Entry>();
  #listener: pg.Client | undefined;
  #isListening = false;
  #isClosed = false;

  constructor(pool: Pool, url: string) {
    this.#pool = pool;
    this.#url = url;
  }

  /** The merchant of a key's 32 digits. */
  find(digits: string): Promise<Merchant | undefined> {
    return this.#keep(`secret ${digits}`, () => findMerchantByKey(this.#pool, digits));
  }

  findByCheckoutKey(checkoutKey: string): Promise<Merchant | undefined> {
    return this.#keep(`checkout ${checkoutKey}`, () => findMerchantByCheckoutKey(this.#pool, checkoutKey));
  }

  findById(id: number): Promise<Merchant | undefined> {
    return this.#keep(`merchant ${id}`, () => findMerchant(this.#pool, id));
  }

  /** The kind stands in the key: what a stranger sends as one kind must never be found as another. */
  #keep(key: string, look: () => Promise<Merchant | undefined>): Promise<Merchant | undefined> {
    const now = Date.now();
    const known = this.#entries.get(key);
    if (known && known.expiresAt > now) return known.merchant;
    const merchant = look();
    if (!this.#isListening) return merchant;
    if (this.#entries.size >= MOST_ENTRIES) this.#entries.clear();
    this.#entries.set(key, { merchant, expiresAt: now + LONGEST_CACHE_AGE_MS });
    merchant.catch(() => this.#entries.delete(key));
    return merchant;
  }

  /** Listens for changes, and goes on trying when the connection breaks; until then nothing is kept. */
  async listen(): Promise<void> {
    if (this.#isClosed) return;
    const listener = new pg.Client({ connectionString: this.#url, application_name: LISTENER_NAME, keepAlive: true });
    listener.on('notification', ({ payload = '' }) => {
      this.#entries.clear();
      if (/^[0-9a-f]+$/.test(payload)) listener.query(heard(payload)).catch(() => {});
    });
    listener.on('error', () => {});
    listener.on('end', () => {
      this.#isListening = false;
      this.#entries.clear();
      if (!this.#isClosed) setTimeout(() => void this.listen(), RECONNECT_PAUSE_MS).unref();
    });
    this.#listener = listener;
    try {
      await listener.connect();
      await listener.query(`listen ${MERCHANTS_CHANNEL}`);
      this.#isListening = true;
    } catch {
      await listener.end().catch(() => {});
    }
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#listener?.end().catch(() => {});
  }
}
