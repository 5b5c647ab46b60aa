// The polling interval of a work loop: short while there is work, longer after each empty poll, and never beyond a known
// due time. A process that creates work notifies the others, and all loops poll again soon, so that idle processes hardly
// poll. Nothing depends on notifications: the longest interval finds missed work.
import { WakeSignal } from './wake-signal.ts';

/** Notifies of possible new work. */
export type Notices = {
  /** Subscribes; returns the function to unsubscribe. */
  onWork(listener: () => void): () => void;
  /** Whether notices of other processes arrive. */
  readonly areHeard: boolean;
};

export type Look = 'found' | 'nothing' | 'failed';

export const lookOf = (found: number): Look => (found > 0 ? 'found' : 'nothing');

type Rest = { readonly leastMs: number; readonly mostMs: number };

export type Known = {
  /** The time until something is due. */
  readonly dueInMs?: number;
  /** Overrides the shortest interval, for expensive polls, or where there may be more at once. */
  readonly leastMs?: number | undefined;
};

/** The longest interval: it bounds the delay of work whose notification was lost. */
export const SWEEP_EVERY_MS = 30_000;

const LONGER_BY = 1.5;
const LONGER_BY_TROUBLE = 2;
// So that processes do not poll in step.
const JITTER = 0.1;
const MOST_UNHEARD_MS = 1_000;
// If notifications arrive, the database is up and the failure has another cause, so keep retrying. If not, it may be down:
// one connection retries every second, and wakes all loops when it is back.
const AFTER_TROUBLE_MS = 1_000;
const MOST_AFTER_TROUBLE_MS = 5_000;
const MOST_WHILE_AWAY_MS = 30_000;

export class Rests {
  readonly #notices: Notices;
  readonly #limits: Rest;
  readonly #signal = new WakeSignal();
  readonly #forget: () => void;
  #ms: number;
  #leastMs: number;
  #lookedAt = Number.NEGATIVE_INFINITY;
  #until = Number.NEGATIVE_INFINITY;
  #isWoken = false;

  constructor(notices: Notices, limits: Rest) {
    this.#notices = notices;
    this.#limits = limits;
    this.#ms = limits.leastMs;
    this.#leastMs = limits.leastMs;
    this.#forget = notices.onWork(() => this.#hear());
  }

  /** Whether it is time for the next poll. */
  isOver(): boolean {
    return performance.now() >= this.#until;
  }

  /** Schedules the next poll after one. */
  plan(look: Look, { dueInMs = Number.POSITIVE_INFINITY, leastMs = this.#limits.leastMs }: Known = {}): void {
    const hasFailed = look === 'failed';
    this.#leastMs = hasFailed ? Math.max(leastMs, AFTER_TROUBLE_MS) : leastMs;
    const longerMs = look === 'found' ? 0 : this.#ms * (hasFailed ? LONGER_BY_TROUBLE : LONGER_BY);
    const mostMs = hasFailed ? this.#mostAfterTrouble() : this.#mostWithout();
    this.#ms = Math.max(Math.min(longerMs, mostMs), this.#leastMs);
    this.#lookedAt = performance.now();
    const restMs = this.#ms * (1 + JITTER * Math.random());
    this.#until = this.#lookedAt + Math.max(Math.min(restMs, dueInMs), this.#leastMs);
  }

  /** Waits until the next poll, or until it is woken. */
  async wait(): Promise<void> {
    // A notification can bring the next poll forward.
    while (!this.#isWoken && !this.isOver()) await this.#signal.wait(Math.max(0, this.#until - performance.now()));
    this.#isWoken = false;
  }

  /** Ends the current wait, or the next one. */
  wake(): void {
    this.#isWoken = true;
    this.#signal.give();
  }

  /** Ends the wait and unsubscribes. */
  end(): void {
    this.#forget();
    this.wake();
  }

  #mostWithout(): number {
    return this.#notices.areHeard ? this.#limits.mostMs : MOST_UNHEARD_MS;
  }

  #mostAfterTrouble(): number {
    return this.#notices.areHeard ? MOST_AFTER_TROUBLE_MS : MOST_WHILE_AWAY_MS;
  }

  #hear(): void {
    this.#ms = this.#leastMs;
    const until = Math.max(this.#lookedAt + this.#leastMs, performance.now());
    if (until >= this.#until) return;
    this.#until = until;
    this.#signal.give();
  }
}
