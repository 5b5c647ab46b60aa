// Up to when all due lanes of an endpoint were claimed, by the database's clock: when a claim gave less than there was
// room for, nothing was due before. The next claim begins there and need not pass what has been done since, which stays
// in the index for as long as anybody's long snapshot lasts. A transaction that was slow may still put something in
// before that time: so a claim begins a while earlier (in claim-lanes.sql), and once in a minute from the beginning.
import { endpointKey } from '../store/events/lanes.ts';
import type { Endpoint, ClaimedUntil } from '../store/events/lanes.ts';

const FROM_THE_BEGINNING_EVERY_MS = 60_000;
const MOST_REMEMBERED = 10_000;

type Progress = Endpoint & { readonly until: string; readonly fromTheBeginningAt: number };

export class ClaimProgress {
  readonly #progress = new Map<string, Progress>();

  /** Where a claim may begin; undefined: at the beginning. */
  until(endpoint: Endpoint): string | undefined {
    const known = this.#progress.get(endpointKey(endpoint));
    const isOld = performance.now() - (known?.fromTheBeginningAt ?? 0) >= FROM_THE_BEGINNING_EVERY_MS;
    return isOld ? undefined : known?.until;
  }

  /** Those that were claimed from last. */
  latest(count: number): ClaimedUntil[] {
    const latest = [...this.#progress.values()].slice(-count);
    return latest.map(({ merchantId, endpoint, until }) => ({ merchantId, endpoint, since: until }));
  }

  /** All that was due at that time was found, by a claim that began there. */
  note(endpoint: Endpoint, until: string, from: string | undefined): void {
    const key = endpointKey(endpoint);
    const before = from === undefined ? undefined : this.#progress.get(key);
    this.#progress.delete(key);
    const { merchantId, endpoint: name } = endpoint;
    const fromTheBeginningAt = before?.fromTheBeginningAt ?? performance.now();
    this.#progress.set(key, { merchantId, endpoint: name, until, fromTheBeginningAt });
    const [oldest] = this.#progress.keys();
    if (this.#progress.size > MOST_REMEMBERED && oldest !== undefined) this.#progress.delete(oldest);
  }
}
