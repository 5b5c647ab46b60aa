// Collects requests until they are written, outside the request path. Everything is bounded: entries per second of a
// merchant and in all, and the rows and bytes that wait for the database. Entries over a bound are dropped and counted,
// by merchant and minute, and for the operator by reason.
import type { LoggedRequest } from './entry.ts';

/** What happened to an entry. */
export type Kept = 'kept' | 'over_rate' | 'no_room' | 'failed';

export type Omission = { readonly merchantId: number; readonly part: number; readonly minuteMs: number };

export type RequestLogLimits = {
  /** Per second, for successful and for failed requests separately. */
  readonly ofMerchant: number;
  readonly ofAll: number;
  readonly waitingOfMerchant: { readonly count: number; readonly bytes: number };
  readonly waiting: { readonly count: number; readonly bytes: number };
};

// With bodies, that is half a mebibyte per second of a busy merchant. Failed requests have their own share, so that a
// flood of successful ones does not hide them.
const LIMITS: RequestLogLimits = {
  ofMerchant: 50,
  ofAll: 500,
  waitingOfMerchant: { count: 400, bytes: 2_097_152 },
  waiting: { count: 4_000, bytes: 16_777_216 },
};

// Approximate size of the columns other than the bodies.
const ROW_BYTES = 600;
const MINUTE_MS = 60_000;
const SECOND_MS = 1_000;
// The maximum number of minutes and merchants for which omissions are counted.
const MOST_OMISSIONS = 10_000;

type Counted = { readonly ok: number; readonly failed: number };
const NONE: Counted = { ok: 0, failed: 0 };

const sizeOf = ({ request, answer }: LoggedRequest): number =>
  ROW_BYTES + (request.text?.length ?? 0) + (answer.text?.length ?? 0);

export class RequestCollector {
  readonly #limits: RequestLogLimits;
  readonly #onCounted: (kept: Kept, count: number) => void;
  #rows: LoggedRequest[] = [];
  #bytes = 0;
  readonly #waiting = new Map<number, { count: number; bytes: number }>();
  readonly #omissions = new Map<string, Omission & { count: number }>();
  #second = -1;
  #all = NONE;
  readonly #ofMerchant = new Map<number, Counted>();

  constructor(onCounted: (kept: Kept, count: number) => void, limits = LIMITS) {
    this.#onCounted = onCounted;
    this.#limits = limits;
  }

  /**
   * Adds an entry if it is within all bounds. The entry is only built then, since masking bodies is most of the work.
   * Dropped entries are counted.
   */
  add(of: Omission & { readonly isFailed: boolean }, make: () => LoggedRequest): void {
    if (!this.#isWithinRate(of.merchantId, of.isFailed)) return this.omit(of, 'over_rate', 1);
    const { waiting, waitingOfMerchant } = this.#limits;
    const own = this.#waiting.get(of.merchantId) ?? { count: 0, bytes: 0 };
    const isFull =
      this.#rows.length >= waiting.count ||
      this.#bytes >= waiting.bytes ||
      own.count >= waitingOfMerchant.count ||
      own.bytes >= waitingOfMerchant.bytes;
    if (isFull) return this.omit(of, 'no_room', 1);
    const row = make();
    const bytes = sizeOf(row);
    this.#rows.push(row);
    this.#bytes += bytes;
    this.#waiting.set(of.merchantId, { count: own.count + 1, bytes: own.bytes + bytes });
  }

  #isWithinRate(merchantId: number, isFailed: boolean): boolean {
    const second = Math.floor(performance.now() / SECOND_MS);
    if (second !== this.#second) {
      this.#second = second;
      this.#all = NONE;
      this.#ofMerchant.clear();
    }
    const which = isFailed ? 'failed' : 'ok';
    const own = this.#ofMerchant.get(merchantId) ?? NONE;
    if (own[which] >= this.#limits.ofMerchant || this.#all[which] >= this.#limits.ofAll) return false;
    this.#ofMerchant.set(merchantId, { ...own, [which]: own[which] + 1 });
    this.#all = { ...this.#all, [which]: this.#all[which] + 1 };
    return true;
  }

  omit({ merchantId, part, minuteMs }: Omission, why: Kept, count: number): void {
    this.#onCounted(why, count);
    this.#remember({ merchantId, part, minuteMs: minuteMs - (minuteMs % MINUTE_MS), count });
  }

  #remember(omission: Omission & { readonly count: number }): void {
    const key = `${omission.merchantId}:${omission.minuteMs}`;
    const known = this.#omissions.get(key);
    if (known) known.count += omission.count;
    else if (this.#omissions.size < MOST_OMISSIONS) this.#omissions.set(key, { ...omission });
  }

  /** The oldest entries, limited by count and size but at least one; they stay until removed. */
  first(group: { readonly count: number; readonly bytes: number }): readonly LoggedRequest[] {
    let [count, bytes] = [0, 0];
    for (const row of this.#rows) {
      bytes += sizeOf(row);
      if (count > 0 && (bytes > group.bytes || count >= group.count)) break;
      count += 1;
    }
    return this.#rows.slice(0, count);
  }

  /** Removes the oldest entries. */
  drop(count: number): void {
    for (const row of this.#rows.splice(0, count)) {
      const bytes = sizeOf(row);
      this.#bytes -= bytes;
      const own = this.#waiting.get(row.merchantId);
      if (own === undefined || own.count === 1) this.#waiting.delete(row.merchantId);
      else this.#waiting.set(row.merchantId, { count: own.count - 1, bytes: own.bytes - bytes });
    }
  }

  /** What was dropped since the last call. */
  takeOmissions(): readonly (Omission & { readonly count: number })[] {
    const taken = [...this.#omissions.values()];
    this.#omissions.clear();
    return taken;
  }

  /** Counts entries that could not be written. */
  putBack(omissions: readonly (Omission & { readonly count: number })[]): void {
    for (const omission of omissions) this.#remember(omission);
  }
}
