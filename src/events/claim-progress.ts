// How far the due lanes of an endpoint were claimed, by the database's clock: if a claim returned less than it had room
// for, nothing earlier was due. The next claim begins there and skips the index entries of finished work, which remain
// while any long snapshot does. A slow transaction may still insert something before that time, so a claim begins a
// little earlier (in claim-lanes.sql), and once a minute at the beginning.
import { endpointKey } from '../store/events/lanes.ts';
import type { Endpoint, ClaimedUntil } from '../store/events/lanes.ts';

const FROM_THE_BEGINNING_EVERY_MS = 60_000;
const MOST_REMEMBERED = 10_000;

type Progress = Endpoint & { readonly until: string; readonly fromTheBeginningAt: number };

export class ClaimProgress {
  readonly #progress = new Map<string, Progress>();

  /** Where a claim may begin; undefined means at the beginning. */
  until(endpoint: Endpoint): string | undefined {
    const known = this.#progress.get(endpointKey(endpoint));
    const isOld = performance.now() - (known?.fromTheBeginningAt ?? 0) >= FROM_THE_BEGINNING_EVERY_MS;
    return isOld ? undefined : known?.until;
  }

  /** The endpoints of the latest claims. */
  latest(count: number): ClaimedUntil[] {
    const latest = [...this.#progress.values()].slice(-count);
    return latest.map(({ merchantId, endpoint, until }) => ({ merchantId, endpoint, since: until }));
  }

  /** A claim that began there found everything that was due at that time. */
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
