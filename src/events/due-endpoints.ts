// The endpoints that may have something to do: those that were told of, those that had more than they had room for, and
// those that a look finds. A look at all of them takes long where there are many; in between, those are looked at that were
// worked on lately. Of one merchant only so many are kept: the others are found again, and must not make anybody's turn
// longer meanwhile.
import { lookOf } from '../ops/rests.ts';
import type { Known, Look } from '../ops/rests.ts';
import { endpointKey, findDueAgain, openSweep } from '../store/events/lanes.ts';
import type { Endpoint } from '../store/events/lanes.ts';
import type { Pool } from '../store/connections/pool.ts';
import type { ClaimProgress } from './claim-progress.ts';

/** So often while there is work; less often where that takes long, so that looking takes a small part of the time. */
export const LOOK_FOR_DUE_EVERY_MS = 100;
const LOOK_AT_SOME_EVERY_MS = 200;
const LONGEST_REST_FROM_ALL_MS = 10_000;
const LONGER_THAN_IT_TAKES = 20;
/** Endpoints that are looked at in between. */
const MOST_LATELY = 500;
const MOST_OF_ONE = 1_000;

/** How long to rest after work that began then: at least so long, and a multiple of what it took. */
export const restAfter = (startedAt: number, leastMs: number): number =>
  Math.max(leastMs, (performance.now() - startedAt) * LONGER_THAN_IT_TAKES);

export class DueEndpoints {
  readonly #byMerchant = new Map<number, Map<string, Endpoint>>();
  readonly #queue: Pool;
  readonly #claimed: ClaimProgress;
  readonly #lookAtAll: ReturnType<typeof openSweep>;
  #lookAtAllAt = Number.NEGATIVE_INFINITY;

  constructor(queue: Pool, claimed: ClaimProgress) {
    this.#queue = queue;
    this.#claimed = claimed;
    this.#lookAtAll = openSweep(queue);
  }

  add({ merchantId, endpoint }: Endpoint): void {
    const own = this.#byMerchant.get(merchantId) ?? new Map<string, Endpoint>();
    this.#byMerchant.set(merchantId, own);
    if (own.size < MOST_OF_ONE) own.set(endpointKey({ merchantId, endpoint }), { merchantId, endpoint });
  }

  delete(endpoint: Endpoint): void {
    const own = this.#byMerchant.get(endpoint.merchantId);
    own?.delete(endpointKey(endpoint));
    if (own?.size === 0) this.#byMerchant.delete(endpoint.merchantId);
  }

  has(endpoint: Endpoint): boolean {
    return this.#byMerchant.get(endpoint.merchantId)?.has(endpointKey(endpoint)) ?? false;
  }

  all(): Endpoint[] {
    return [...this.#byMerchant.values()].flatMap((own) => [...own.values()]);
  }

  clear(): void {
    this.#byMerchant.clear();
  }

  /** Adds what is due; gives when the next look is. */
  async look(): Promise<Known & { readonly look: Look }> {
    const startedAt = performance.now();
    if (startedAt < this.#lookAtAllAt) {
      const again = await findDueAgain(this.#queue, this.#claimed.latest(MOST_LATELY));
      for (const endpoint of again) this.add(endpoint);
      const dueInMs = Math.max(0, this.#lookAtAllAt - performance.now());
      const leastMs = Math.min(restAfter(startedAt, LOOK_AT_SOME_EVERY_MS), dueInMs);
      return { look: lookOf(again.length), dueInMs, leastMs };
    }
    const { due, nextInMs, isRoundOver } = await this.#lookAtAll();
    for (const endpoint of due) this.add(endpoint);
    const restMs = Math.min(restAfter(startedAt, LOOK_FOR_DUE_EVERY_MS), LONGEST_REST_FROM_ALL_MS);
    this.#lookAtAllAt = performance.now() + restMs;
    const look = isRoundOver ? lookOf(due.length) : 'found';
    return { look, dueInMs: nextInMs, leastMs: Math.min(restMs, LOOK_AT_SOME_EVERY_MS) };
  }
}
