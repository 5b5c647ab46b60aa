// Limits concurrent exports per person, merchant and process.

const MOST_OF_PERSON = 2;
const MOST_OF_MERCHANT = 3;
const MOST_OF_ALL = 8;

type Holder = { readonly personId: string; readonly merchantId: number };

export class ExportSlots {
  readonly #underWay = new Set<Holder>();

  #count(isOf: (holder: Holder) => boolean): number {
    return [...this.#underWay].filter(isOf).length;
  }

  /** What gives the slot back; undefined where there is none. */
  take({ personId, merchantId }: Holder): (() => void) | undefined {
    if (this.#underWay.size >= MOST_OF_ALL) return undefined;
    if (this.#count((each) => each.merchantId === merchantId) >= MOST_OF_MERCHANT) return undefined;
    if (this.#count((each) => each.personId === personId) >= MOST_OF_PERSON) return undefined;
    const held = { personId, merchantId };
    this.#underWay.add(held);
    return () => void this.#underWay.delete(held);
  }
}
