// Randomness that can be repeated: everything that chaos draws comes from its seed. Each client and each kind of trouble
// has a stream of its own, so that what one of them draws does not depend on how quick the others are.
import { createHash } from 'node:crypto';

export class Random {
  #state: number;

  constructor(seed: number, stream: string) {
    this.#state = createHash('sha256').update(`${seed}:${stream}`).digest().readUInt32BE(0);
  }

  /** From 0 up to, but not 1: the generator that is known as mulberry32. */
  next(): number {
    this.#state = (this.#state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), 1 | this.#state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  }

  /** A whole number, both ends included. */
  between(least: number, most: number): number {
    return least + Math.floor(this.next() * (most - least + 1));
  }

  chance(probability: number): boolean {
    return this.next() < probability;
  }

  choose<Choice>(choices: readonly Choice[]): Choice {
    return choices[this.between(0, choices.length - 1)] as Choice;
  }

  /** Each once, in any order, and then anew: in a short run, too, every kind has its turn. */
  *deal<Choice>(choices: readonly Choice[]): Generator<Choice, never> {
    for (;;) {
      const deck = [...choices];
      while (deck.length > 0) yield deck.splice(this.between(0, deck.length - 1), 1)[0] as Choice;
    }
  }
}
