// What a tenant may still ask for. A budget refills at a rate, up to one second's worth; work that costs more than
// expected leaves a debt. A budget may be part of a larger one, which is charged as well.
import { setTimeout as sleep } from 'node:timers/promises';

const MS_PER_SECOND = 1_000;
const TIDY_EVERY_MS = 10_000;
// Longer than it takes to pay the largest debt: a budget that was unused for this long is full again.
const KEPT_MS = 120_000;
const LONGEST_DEBT_S = 30;
// Beyond this, new tenants are not counted. Limits would not stop anyone with that many addresses.
const MOST_BUDGETS = 100_000;
// After an expensive one, the estimate for the next of its kind comes down slowly.
const REMEMBERED = 0.95;

export class Budget {
  readonly rate: number;
  readonly whole: Budget | undefined;
  #left: number;
  #at = performance.now();
  /** Set aside for work that is under way and has not been charged yet. */
  #setAside = 0;
  #costs: Map<unknown, number> | undefined;

  constructor(rate: number, whole?: Budget) {
    this.rate = rate;
    this.whole = whole;
    this.#left = rate;
  }

  get usedAt(): number {
    return this.#at;
  }

  #grow(): void {
    const now = performance.now();
    this.#left = Math.min(this.rate, this.#left + ((now - this.#at) / MS_PER_SECOND) * this.rate);
    this.#at = now;
  }

  /** Until this many are left, here and in the whole budget; optionally beside what is set aside. */
  msUntil(count: number, { besideSetAside = false } = {}): number {
    this.#grow();
    const missing = count + (besideSetAside ? this.#setAside : 0) - this.#left;
    return Math.max(0, (missing / this.rate) * MS_PER_SECOND, this.whole?.msUntil(count, { besideSetAside }) ?? 0);
  }

  /** The same in whole seconds, for a Retry-After header. */
  secondsUntil(count: number, options?: { readonly besideSetAside: boolean }): number {
    return Math.max(1, Math.ceil(this.msUntil(count, options) / MS_PER_SECOND));
  }

  /** Charges what something cost; the budget may become negative. */
  spend(count: number): void {
    this.#grow();
    this.#left = Math.max(this.#left - count, -LONGEST_DEBT_S * this.rate);
    this.whole?.spend(count);
  }

  /** Takes one; if none is left, returns the seconds until there is one. */
  take(options?: { readonly besideSetAside: boolean }): number | undefined {
    // What is set aside comes back when the reads end, and not by the rate.
    if (this.msUntil(1, options) > 0) return this.secondsUntil(1);
    this.spend(1);
    return undefined;
  }

  /** Waits until the debt is paid. */
  async payOff(): Promise<void> {
    for (let ms = this.msUntil(0); ms > 0; ms = this.msUntil(0)) await sleep(ms);
  }

  #keepAside(count: number): void {
    this.#setAside += count;
    if (this.whole) this.whole.#keepAside(count);
  }

  /**
   * Sets aside what the last request of a kind cost (or an estimate for the first) and returns that amount. Of many that
   * arrive at once, only some run before the real cost is known. `learn` gives it back.
   */
  expect(kind: unknown, first = 0): number {
    const expected = this.#costs?.get(kind) ?? first;
    if (expected > 0) this.#keepAside(expected);
    return expected;
  }

  /** Nothing is set aside for work that costs less than `least`. */
  learn(kind: unknown, expected: number, cost: number, least = 0): void {
    if (expected > 0) this.#keepAside(-expected);
    const next = Math.max(cost, expected * REMEMBERED);
    if (next >= least) (this.#costs ??= new Map()).set(kind, next);
    else if (expected > 0) this.#costs?.delete(kind);
  }
}

export class Budgets {
  readonly #budgets = new Map<string | number, Budget>();
  #tidiedAt = 0;

  of(who: string | number, rate: number, whole?: Budget): Budget {
    this.#tidy();
    const known = this.#budgets.get(who);
    if (known) return known;
    const budget = new Budget(rate, whole);
    if (this.#budgets.size < MOST_BUDGETS) this.#budgets.set(who, budget);
    return budget;
  }

  #tidy(): void {
    const now = performance.now();
    if (now - this.#tidiedAt < TIDY_EVERY_MS) return;
    this.#tidiedAt = now;
    for (const [who, { usedAt }] of this.#budgets) if (now - usedAt > KEPT_MS) this.#budgets.delete(who);
  }
}
