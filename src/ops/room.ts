// Counts what is in use under each name: limits per merchant, per person and in all.

export type Claim = readonly [name: unknown, most: number];

export class Room {
  readonly #held = new Map<unknown, number>();

  get names(): number {
    return this.#held.size;
  }

  held(name: unknown): number {
    return this.#held.get(name) ?? 0;
  }

  isFree(name: unknown, most: number): boolean {
    return this.held(name) < most;
  }

  /**
   * Returns a function that gives it back, which may be called more than once; undefined if one of the names is at its
   * limit.
   */
  take(claims: readonly Claim[], size = 1): (() => void) | undefined {
    if (!claims.every(([name, most]) => this.isFree(name, most))) return undefined;
    for (const [name] of claims) this.#held.set(name, this.held(name) + size);
    let isHeld = true;
    return () => {
      if (!isHeld) return;
      isHeld = false;
      for (const [name] of claims) {
        const left = this.held(name) - size;
        if (left > 0) this.#held.set(name, left);
        else this.#held.delete(name);
      }
    };
  }
}
