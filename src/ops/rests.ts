// How long a loop rests between two looks for work: shortly while there is some, longer each time that there is none, and
// never beyond when something is known to be due. A process that makes work gives notice, and all loops look again soon, so
// an idle process asks next to nothing. Nothing depends on a notice: the longest rest finds whatever was missed.
import { WakeSignal } from './wake-signal.ts';

/** Tells when somebody may have made work. */
export type Notices = {
  /** Calls back then; what it gives ends that. */
  onWork(listener: () => void): () => void;
  /** Whether notices of other processes arrive. */
  readonly areHeard: boolean;
};

export type Look = 'found' | 'nothing' | 'failed';

export const lookOf = (found: number): Look => (found > 0 ? 'found' : 'nothing');

type Rest = { readonly leastMs: number; readonly mostMs: number };

export type Known = {
  /** In how long something is due. */
  readonly dueInMs?: number;
  /** What the look itself costs may ask for more than the least; where there may be more at once, less is enough. */
  readonly leastMs?: number | undefined;
};

/** The longest rest: it bounds how long work waits whose notice was lost. */
export const SWEEP_EVERY_MS = 30_000;

const LONGER_BY = 1.5;
const LONGER_BY_TROUBLE = 2;
// Several processes drift apart.
const JITTER = 0.1;
const MOST_UNHEARD_MS = 1_000;
// Where notices are heard, the database is there: what fails is something else, and nobody tells when it passes. Where they
// are not, it may be away: one connection tries it every second, and all go on when that is back.
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

  /** Whether it is time for the next look. */
  isOver(): boolean {
    return performance.now() >= this.#until;
  }

  /** After a look: when the next one is. */
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

  /** Until the next look, or until it is woken. */
  async wait(): Promise<void> {
    // A notice can bring the next look nearer.
    while (!this.#isWoken && !this.isOver()) await this.#signal.wait(Math.max(0, this.#until - performance.now()));
    this.#isWoken = false;
  }

  /** Ends the wait of now, or the next. */
  wake(): void {
    this.#isWoken = true;
    this.#signal.give();
  }

  /** Ends the wait, and listens no more. */
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
