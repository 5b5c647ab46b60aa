// Maps ids of the hosted service to those of Kassa. Learned from responses to the same request; the oldest are dropped
// first.

const ID = /[0-9a-f]{32}/g;
const WHOLE_ID = /^[0-9a-f]{32}$/;
const MOST_PAIRS = 20_000;
const DEEPEST = 20;

export class IdPairs {
  readonly #pairs = new Map<string, string>();

  /** Learns the ids at the same position of both responses. */
  learn(hosted: unknown, ours: unknown, depth = 0): void {
    if (typeof hosted === 'string' && typeof ours === 'string') {
      if (WHOLE_ID.test(hosted) && WHOLE_ID.test(ours)) this.#add(hosted, ours);
      return;
    }
    if (typeof hosted !== 'object' || typeof ours !== 'object' || !hosted || !ours || depth === DEEPEST) return;
    for (const [name, value] of Object.entries(hosted))
      this.learn(value, (ours as Record<string, unknown>)[name], depth + 1);
  }

  /** The text with Kassa's ids, and whether all its ids are known. */
  translate(text: string): { readonly text: string; readonly isKnown: boolean } {
    let isKnown = true;
    const translated = text.replaceAll(ID, (id) => {
      const ours = this.#pairs.get(id);
      if (ours === undefined) isKnown = false;
      return ours ?? id;
    });
    return { text: translated, isKnown };
  }

  #add(hosted: string, ours: string): void {
    this.#pairs.delete(hosted);
    this.#pairs.set(hosted, ours);
    for (const oldest of this.#pairs.keys()) {
      if (this.#pairs.size <= MOST_PAIRS) break;
      this.#pairs.delete(oldest);
    }
  }
}
