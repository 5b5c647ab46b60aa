// Counts by name within a while, after which all begin anew: what may happen a few times in some minutes.
import { Room } from './room.ts';

/** As the how manieth of its name. What is forgotten did not happen. */
export type Counted = { readonly count: number; readonly forget: () => void };

// Bounds the memory; counting stops nobody who has more names than this.
const MOST_NAMES = 100_000;

export class Window {
  readonly #ms: number;
  #endsAt = 0;
  #room = new Room();

  constructor(ms: number) {
    this.#ms = ms;
  }

  /** Counts one before it is done, or gives the seconds until there may be another. */
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
