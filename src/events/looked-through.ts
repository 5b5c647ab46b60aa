// Up to when an endpoint's lanes were looked through, by the database's clock: when a claim gave less than there was room
// for, nothing was due before. The next claim begins there and need not pass what has been done since, which stays in the
// index for as long as anybody's long snapshot lasts. A transaction that was slow may still put something in before that
// time: so a claim begins a while earlier (in claim-lanes.sql), and once in a minute from the beginning.
import { endpointKey } from '../store/lanes.ts';
import type { Endpoint, LookedAt } from '../store/lanes.ts';

const FROM_THE_BEGINNING_EVERY_MS = 60_000;
const MOST_REMEMBERED = 10_000;

type Looked = Endpoint & { readonly until: string; readonly fromTheBeginningAt: number };

export class LookedThrough {
  readonly #looked = new Map<string, Looked>();

  /** Where a claim may begin; undefined: at the beginning. */
  until(endpoint: Endpoint): string | undefined {
    const looked = this.#looked.get(endpointKey(endpoint));
    const isOld = performance.now() - (looked?.fromTheBeginningAt ?? 0) >= FROM_THE_BEGINNING_EVERY_MS;
    return isOld ? undefined : looked?.until;
  }

  /** Those that were looked through last. */
  latest(count: number): LookedAt[] {
    const latest = [...this.#looked.values()].slice(-count);
    return latest.map(({ merchantId, endpoint, until }) => ({ merchantId, endpoint, since: until }));
  }

  /** All that was due at that time was found, by a claim that began there. */
  note(endpoint: Endpoint, until: string, from: string | undefined): void {
    const key = endpointKey(endpoint);
    const before = from === undefined ? undefined : this.#looked.get(key);
    this.#looked.delete(key);
    const { merchantId, endpoint: name } = endpoint;
    const fromTheBeginningAt = before?.fromTheBeginningAt ?? performance.now();
    this.#looked.set(key, { merchantId, endpoint: name, until, fromTheBeginningAt });
    const [oldest] = this.#looked.keys();
    if (this.#looked.size > MOST_REMEMBERED && oldest !== undefined) this.#looked.delete(oldest);
  }
}
