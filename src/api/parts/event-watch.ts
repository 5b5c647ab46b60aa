// Watches for new events for all streams of this process with one query: after every publish here, several times a
// second while there is activity, and rarely otherwise. Without streams it asks nothing.
import { startRunner } from '../../ops/jobs.ts';
import type { Claimed } from '../../ops/jobs.ts';
import { lookOf } from '../../ops/rests.ts';
import { WakeSignal } from '../../ops/wake-signal.ts';
import { lastPositions } from '../../store/events/events.ts';
import type { Store } from '../../store/store.ts';

const LOOK_EVERY_MS = 250;

export type Subscription = { readonly merchantId: number; readonly signal: WakeSignal; isOver: boolean };

export class EventWatch {
  readonly #store: Store;
  readonly #open = new Set<Subscription>();
  readonly #seen = new Map<number, number>();
  #stop: (() => void) | undefined;

  constructor(store: Store) {
    this.#store = store;
  }

  /** The number of a merchant's streams here. */
  count(merchantId: number): number {
    return [...this.#open].filter((subscription) => subscription.merchantId === merchantId).length;
  }

  /** Signals when the merchant may have new events, and at the end. */
  open(merchantId: number): Subscription {
    const subscription = { merchantId, signal: new WakeSignal(), isOver: false };
    this.#open.add(subscription);
    this.#stop ??= this.#start();
    return subscription;
  }

  close(subscription: Subscription): void {
    subscription.isOver = true;
    subscription.signal.give();
    this.#open.delete(subscription);
    if (this.count(subscription.merchantId) === 0) this.#seen.delete(subscription.merchantId);
    if (this.#open.size > 0) return;
    this.#stop?.();
    this.#stop = undefined;
  }

  /** Ends every stream. */
  end(): void {
    for (const subscription of this.#open) this.close(subscription);
  }

  #start(): () => void {
    const { publisher, notices } = this.#store;
    // Retried later: the database is unavailable.
    const untold = { onRun: () => {}, onTrouble: () => {} };
    const claim = (): Promise<Claimed<never>> => this.#look();
    const watch = startRunner(untold, notices, { name: 'watch-events', everyMs: LOOK_EVERY_MS, claim });
    const forget = publisher.onPublished(() => watch.wake());
    return () => {
      forget();
      void watch.stop();
    };
  }

  async #look(): Promise<Claimed<never>> {
    const merchantIds = [...new Set([...this.#open].map(({ merchantId }) => merchantId))];
    const last = await lastPositions(this.#store.pool, merchantIds);
    const moved = [...this.#open].filter(({ merchantId }) => last.get(merchantId) !== this.#seen.get(merchantId));
    for (const { signal } of moved) signal.give();
    for (const merchantId of merchantIds) this.#seen.set(merchantId, last.get(merchantId) ?? 0);
    return { look: lookOf(moved.length) };
  }
}
