// Chooses which lanes are claimed next: the endpoints that may have work, and how many slots each gets. Searching all
// endpoints takes long if there are many; in between, only recently active ones are searched.
import { lookOf } from '../ops/rests.ts';
import type { Claimed } from '../ops/jobs.ts';
import { findEndpointStates, saveEndpointStates, MOST_AT_ONCE } from '../store/events/endpoint-health.ts';
import type { Known } from '../store/events/endpoint-health.ts';
import { claimLanes, endpointKey, findDueAgain, openSweep } from '../store/events/lanes.ts';
import type { Endpoint, Lane } from '../store/events/lanes.ts';
import type { Pool } from '../store/connections/pool.ts';
import { ClaimProgress } from './claim-progress.ts';
import { DeliverySlots } from './delivery-slots.ts';

/** The polling interval while there is work; longer if the search is slow, so that it takes a small part of the time. */
export const LOOK_FOR_DUE_EVERY_MS = 100;
const LOOK_AT_SOME_EVERY_MS = 200;
const LONGEST_REST_FROM_ALL_MS = 10_000;
const LONGER_THAN_IT_TAKES = 20;
/** Endpoints that are searched in between. */
const MOST_LATELY = 500;
// A merchant's other endpoints are found by the next full search, and must not prolong anybody's turn meanwhile.
const MOST_OF_ONE = 1_000;

/** The pause after work that began then: a minimum, or a multiple of its duration. */
export const restAfter = (startedAt: number, leastMs: number): number =>
  Math.max(leastMs, (performance.now() - startedAt) * LONGER_THAN_IT_TAKES);

export class DueLanes {
  readonly slots = new DeliverySlots();
  readonly #queue: Pool;
  readonly #lookAtAll: ReturnType<typeof openSweep>;
  readonly #claimed = new ClaimProgress();
  /** Endpoints that may have work, by merchant and key. */
  readonly #due = new Map<number, Map<string, Endpoint>>();
  /** Standings that have changed and are not written down yet. */
  readonly #changed = new Map<string, Known>();
  #lookAtAllAt = Number.NEGATIVE_INFINITY;

  constructor(queue: Pool) {
    this.#queue = queue;
    this.#lookAtAll = openSweep(queue);
  }

  add({ merchantId, endpoint }: Endpoint): void {
    const own = this.#due.get(merchantId) ?? new Map<string, Endpoint>();
    this.#due.set(merchantId, own);
    if (own.size < MOST_OF_ONE) own.set(endpointKey({ merchantId, endpoint }), { merchantId, endpoint });
  }

  has(endpoint: Endpoint): boolean {
    return this.#due.get(endpoint.merchantId)?.has(endpointKey(endpoint)) ?? false;
  }

  clear(): void {
    this.#due.clear();
  }

  judge({ merchantId, endpoint }: Endpoint, isTaken: boolean): void {
    const standing = this.slots.judge({ merchantId, endpoint }, isTaken);
    if (standing === undefined) return;
    this.#changed.set(endpointKey({ merchantId, endpoint }), { merchantId, endpoint, standing });
  }

  /** Finds endpoints that may have work; returns when to search next. */
  async look(): Promise<Claimed<never>> {
    const startedAt = performance.now();
    if (startedAt < this.#lookAtAllAt) {
      const again = await findDueAgain(this.#queue, this.#claimed.latest(MOST_LATELY));
      for (const endpoint of again) this.add(endpoint);
      const dueInMs = Math.max(0, this.#lookAtAllAt - performance.now());
      return {
        look: lookOf(again.length),
        dueInMs,
        leastMs: Math.min(restAfter(startedAt, LOOK_AT_SOME_EVERY_MS), dueInMs),
      };
    }
    const { due, nextInMs, isRoundOver } = await this.#lookAtAll();
    for (const endpoint of due) this.add(endpoint);
    const restMs = Math.min(restAfter(startedAt, LOOK_FOR_DUE_EVERY_MS), LONGEST_REST_FROM_ALL_MS);
    this.#lookAtAllAt = performance.now() + restMs;
    const look = isRoundOver ? lookOf(due.length) : 'found';
    return { look, dueInMs: nextInMs, leastMs: Math.min(restMs, LOOK_AT_SOME_EVERY_MS) };
  }

  /** Claims as many lanes for each endpoint as it has slots. */
  async claim(): Promise<readonly Lane[]> {
    await this.writeStandings();
    const due = [...this.#due.values()].flatMap((own) => [...own.values()]);
    // What other processes found out, or earlier ones.
    const unknown = due.filter((endpoint) => !this.slots.knows(endpoint)).slice(0, MOST_AT_ONCE);
    for (const { standing, ...endpoint } of await findEndpointStates(this.#queue, unknown))
      this.slots.remember(endpoint, standing);
    const rooms = this.slots.share(due.filter((endpoint) => this.slots.knows(endpoint)));
    if (rooms.length === 0) return [];
    for (const { merchantId, endpoint } of rooms) {
      const own = this.#due.get(merchantId);
      own?.delete(endpointKey({ merchantId, endpoint }));
      if (own?.size === 0) this.#due.delete(merchantId);
    }
    const wanted = rooms.map((room) => ({ ...room, since: this.#claimed.until(room) }));
    const { lanes, at } = await claimLanes(this.#queue, wanted);
    const found = Map.groupBy(lanes, endpointKey);
    for (const { room, since, ...endpoint } of wanted) {
      // An endpoint that used all its slots may have more work, and comes after the others.
      if (found.get(endpointKey(endpoint))?.length === room) this.add(endpoint);
      else this.#claimed.note(endpoint, at, since);
    }
    return lanes;
  }

  async writeStandings(): Promise<void> {
    const written = [...this.#changed.values()].slice(0, MOST_AT_ONCE);
    await saveEndpointStates(this.#queue, written);
    for (const each of written)
      if (this.#changed.get(endpointKey(each)) === each) this.#changed.delete(endpointKey(each));
  }
}
