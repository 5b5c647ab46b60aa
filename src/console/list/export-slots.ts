// How many exports run at once: a person has a few, so that nobody's loop takes the database from others, and a process a
// few more.

const MOST_OF_PERSON = 2;
const MOST_OF_ALL = 8;

export class ExportSlots {
  readonly #underWay = new Map<string, number>();

  /** What gives the slot back; undefined where there is none. */
  take(personId: string): (() => void) | undefined {
    const own = this.#underWay.get(personId) ?? 0;
    const all = [...this.#underWay.values()].reduce((sum, count) => sum + count, 0);
    if (own >= MOST_OF_PERSON || all >= MOST_OF_ALL) return undefined;
    this.#underWay.set(personId, own + 1);
    let isGiven = false;
    return () => {
      if (isGiven) return;
      isGiven = true;
      const left = (this.#underWay.get(personId) ?? 1) - 1;
      if (left === 0) this.#underWay.delete(personId);
      else this.#underWay.set(personId, left);
    };
  }
}
