// Watches for new events on behalf of all streams of this process: one look for all of them, several times a second
// and whenever something was published here. Other processes publish theirs, so there is no waiting for our own alone.
// Nothing is asked while nobody streams.
import { WakeSignal } from '../../../events/wake-signal.ts';
import { lastPositions } from '../../../store/events.ts';
import type { Store } from '../../../store/store.ts';

const LOOK_EVERY_MS = 250;

export type Subscription = { readonly merchantId: number; readonly signal: WakeSignal; isOver: boolean };

export class EventWatch {
  readonly #store: Store;
  readonly #open = new Set<Subscription>();
  readonly #seen = new Map<number, number>();
  #isLooking = false;
  #stop: (() => void) | undefined;

  constructor(store: Store) {
    this.#store = store;
  }

  /** How many streams a merchant has here. */
  count(merchantId: number): number {
    return [...this.#open].filter((subscription) => subscription.merchantId === merchantId).length;
  }

  /** The signal is given when the merchant may have new events, and when it is over. */
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
    const { publisher } = this.#store;
    const timer = setInterval(() => void this.#look(), LOOK_EVERY_MS);
    const forget = publisher.onPublished(() => void this.#look());
    return () => {
      clearInterval(timer);
      forget();
    };
  }

  readonly #look = async (): Promise<void> => {
    if (this.#isLooking) return;
    this.#isLooking = true;
    try {
      const merchantIds = [...new Set([...this.#open].map(({ merchantId }) => merchantId))];
      const last = await lastPositions(this.#store.pool, merchantIds);
      for (const { merchantId, signal } of this.#open) {
        if (last.get(merchantId) !== this.#seen.get(merchantId)) signal.give();
      }
      for (const merchantId of merchantIds) this.#seen.set(merchantId, last.get(merchantId) ?? 0);
    } catch {
      // The database is away: the next look may find it.
    } finally {
      this.#isLooking = false;
    }
  };
}
