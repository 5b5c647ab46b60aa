// Counts events by name within a window of time, then starts again from zero: for limits of a few per some minutes.
import { Room } from './room.ts';

/** The count of its name in this window. Released entries do not count. */
export type Counted = { readonly count: number; readonly forget: () => void };

// Bounds the memory. Names beyond this are not limited.
const MOST_NAMES = 100_000;

export class Window {
  readonly #ms: number;
  #endsAt = 0;
  #room = new Room();

  constructor(ms: number) {
    this.#ms = ms;
  }

  /** Counts one before it is done, or returns the seconds until another is allowed. */
  count(name: string, most: number): Counted | number {
    const now = performance.now();
    if (now >= this.#endsAt) {
      this.#endsAt = now + this.#ms;
      this.#room = new Room();
    }
    const count = this.#room.held(name) + 1;
    if (count === 1 && this.#room.names >= MOST_NAMES) return { count, forget: () => {} };
    const forget = this.#room.take([[name, most]]);
    return forget ? { count, forget } : Math.max(1, Math.ceil((this.#endsAt - now) / 1_000));
  }
}
