// The print queue: merchants take turns, and each has a small limit. If the queue is full, a merchant without entries
// evicts the last entry of the merchant with the most.

export type QueuedJob = {
  readonly merchantId: number;
  /** About what it holds in memory. */
  readonly bytes: number;
  /** It was evicted by another merchant. */
  readonly onDisplaced: () => void;
};

export type QueueLimits = { readonly count: number; readonly bytes: number };

// An invoice of a thousand lines holds up to a megabyte. A shop's own people ask for a few at once.
const OF_ONE: QueueLimits = { count: 8, bytes: 4_194_304 };
const OF_ALL: QueueLimits = { count: 64, bytes: 16_777_216 };

const roomOf = (waiting: readonly QueuedJob[]): QueueLimits => ({
  count: waiting.length,
  bytes: waiting.reduce((sum, { bytes }) => sum + bytes, 0),
});

const fits = (used: QueueLimits, bytes: number, room: QueueLimits): boolean =>
  used.count < room.count && used.bytes + bytes <= room.bytes;

export class MerchantQueue<Job extends QueuedJob> {
  // In the order of their turns.
  readonly #merchants = new Map<number, Job[]>();

  /** Whether there was room for it. */
  add(job: Job): boolean {
    const own = this.#merchants.get(job.merchantId) ?? [];
    if (!fits(roomOf(own), job.bytes, OF_ONE)) return false;
    while (!fits(roomOf([...this.#merchants.values()].flat()), job.bytes, OF_ALL)) {
      const displaced = this.#lastOfGreediest(own.length + 1);
      if (displaced === undefined) return false;
      this.remove(displaced);
      displaced.onDisplaced();
    }
    this.#merchants.set(job.merchantId, [...own, job]);
    return true;
  }

  /** The next one, of the merchant whose turn it is. */
  take(): Job | undefined {
    const [turn] = this.#merchants;
    if (turn === undefined) return undefined;
    const [merchantId, [job, ...others]] = turn;
    this.#merchants.delete(merchantId);
    if (others.length > 0) this.#merchants.set(merchantId, others);
    return job;
  }

  remove(job: Job): void {
    const others = this.#merchants.get(job.merchantId)?.filter((other) => other !== job) ?? [];
    if (others.length > 0) this.#merchants.set(job.merchantId, others);
    else this.#merchants.delete(job.merchantId);
  }

  /** Of the merchant who waits for most, when that is more than so many. */
  #lastOfGreediest(most: number): Job | undefined {
    let jobs: readonly Job[] = [];
    for (const others of this.#merchants.values()) if (others.length > jobs.length) jobs = others;
    return jobs.length > most ? jobs.at(-1) : undefined;
  }
}
