// Those who wait, each tenant in a line of its own, and whose turn it is: who floods waits for itself. What waits is
// bounded by count and by bytes, and so is how long it waits.

export type Bounds = { readonly count: number; readonly bytes?: number };

export const bytesOf = ({ bytes = Number.POSITIVE_INFINITY }: Bounds): number => bytes;

export type WaitingBounds = {
  readonly ofTenant: Bounds;
  /** Beyond this, only who has less waiting than its share of it is let in. */
  readonly ofAll?: Bounds;
  /** Beyond that, somebody with less waiting takes the place of the last of who has most. */
  readonly displaces?: boolean;
  /** Who has waited for so long is refused: nobody would wait any more when it is done. */
  readonly forMs?: number;
};

export type Waiter<Tenant> = { readonly tenant: Tenant; readonly bytes: number; readonly since: number };

/** Of one whose turn it might be: take it, look at the next of its line, leave its line alone, or take no more at all. */
export type Verdict = 'take' | 'skip' | 'pass' | 'stop';

/** What waits of one tenant. While some are taken, `looked` says how far; `skipped` are those that were passed over. */
type Line<One, Tenant> = { readonly tenant: Tenant; queue: One[]; bytes: number; looked: number; skipped: One[] };

export class Lines<One extends Waiter<Tenant>, Tenant = unknown> {
  readonly #bounds: WaitingBounds;
  readonly #refuse: (one: One) => void;
  /** Of tenants who wait, in the order of their turns. */
  readonly #lines = new Map<Tenant, Line<One, Tenant>>();
  #count = 0;
  #bytes = 0;
  /** Set while somebody may have to be refused for having waited. */
  #refusing: NodeJS.Timeout | undefined;

  constructor(bounds: WaitingBounds, refuse: (one: One) => void) {
    this.#bounds = bounds;
    this.#refuse = refuse;
  }

  get count(): number {
    return this.#count;
  }

  has(tenant: Tenant): boolean {
    return this.#lines.has(tenant);
  }

  /** Whether there was room for it. */
  add(one: One): boolean {
    const { tenant, bytes } = one;
    const line = this.#lines.get(tenant) ?? { tenant, queue: [], bytes: 0, looked: 0, skipped: [] };
    if (this.#isFull(line, bytes)) return false;
    line.queue.push(one);
    this.#note(line, one, 1);
    this.#lines.set(tenant, line);
    this.#refuseLateIn(this.#bounds.forMs ?? 0);
    return true;
  }

  #isFull(line: Line<One, Tenant>, bytes: number): boolean {
    const { ofTenant, ofAll, displaces = false } = this.#bounds;
    const { queue, bytes: waitingBytes } = line;
    if (queue.length >= ofTenant.count) return true;
    if (queue.length > 0 && waitingBytes + bytes > bytesOf(ofTenant)) return true;
    if (ofAll === undefined) return false;
    const isOver = (): boolean => this.#count >= ofAll.count || this.#bytes + bytes > bytesOf(ofAll);
    if (displaces) {
      while (isOver()) if (!this.#displace(queue.length + 1)) return true;
      return false;
    }
    // Who has nothing waiting is let in.
    if (queue.length === 0 || !isOver()) return false;
    const tenants = this.#lines.size;
    if (this.#count >= ofAll.count && queue.length >= ofAll.count / tenants) return true;
    return this.#bytes + bytes > bytesOf(ofAll) && waitingBytes + bytes > bytesOf(ofAll) / tenants;
  }

  /** Refuses the last of who has most waiting, if that is more than so many. */
  #displace(most: number): boolean {
    let longest: readonly One[] = [];
    for (const { queue } of this.#lines.values()) if (queue.length > longest.length) longest = queue;
    const last = longest.at(-1);
    if (last === undefined || longest.length <= most) return false;
    this.remove(last);
    this.#refuse(last);
    return true;
  }

  #note(line: Line<One, Tenant>, { bytes }: One, by: 1 | -1): void {
    line.bytes += by * bytes;
    this.#count += by;
    this.#bytes += by * bytes;
  }

  /** False where it does not wait. */
  remove(one: One): boolean {
    const line = this.#lines.get(one.tenant);
    const place = line?.queue.indexOf(one) ?? -1;
    if (line === undefined || place < 0) return false;
    line.queue.splice(place, 1);
    this.#note(line, one, -1);
    if (line.queue.length === 0) this.#lines.delete(line.tenant);
    return true;
  }

  #refuseLateIn(ms: number): void {
    const { forMs } = this.#bounds;
    if (forMs === undefined || this.#refusing !== undefined) return;
    this.#refusing = setTimeout(() => {
      this.#refusing = undefined;
      this.#refuseLate(forMs);
    }, ms).unref();
  }

  /** The first of a line has waited for longest. */
  #refuseLate(forMs: number): void {
    const earliest = performance.now() - forMs;
    let first = Number.POSITIVE_INFINITY;
    for (const line of this.#lines.values()) {
      const inTime = line.queue.findIndex(({ since }) => since > earliest);
      first = Math.min(first, line.queue[inTime]?.since ?? first);
      if (inTime === 0) continue;
      for (const late of line.queue.splice(0, inTime === -1 ? line.queue.length : inTime)) {
        this.#note(line, late, -1);
        this.#refuse(late);
      }
      if (line.queue.length === 0) this.#lines.delete(line.tenant);
    }
    if (this.#count > 0) this.#refuseLateIn(Math.ceil(first - earliest));
  }

  /** One of each line in turn, as it is judged, until nothing is left that is taken. */
  take(judge: (one: One) => Verdict): One[] {
    const taken: One[] = [];
    const touched = new Set<Line<One, Tenant>>();
    // A line that had its turn goes to the end, where this loop comes upon it again; the others keep their places.
    for (const line of this.#lines.values()) {
      touched.add(line);
      let next = line.queue[line.looked];
      let verdict: Verdict = 'pass';
      while (next !== undefined && (verdict = judge(next)) === 'skip') {
        line.skipped.push(next);
        line.looked += 1;
        next = line.queue[line.looked];
      }
      if (verdict === 'stop') break;
      if (next === undefined || verdict === 'pass') continue;
      line.looked += 1;
      this.#note(line, next, -1);
      taken.push(next);
      this.#lines.delete(line.tenant);
      this.#lines.set(line.tenant, line);
    }
    for (const line of touched) this.#tidy(line);
    return taken;
  }

  /** Leaves in the line what was not taken. */
  #tidy(line: Line<One, Tenant>): void {
    if (line.looked > 0) line.queue = [...line.skipped, ...line.queue.slice(line.looked)];
    line.skipped = [];
    line.looked = 0;
    if (line.queue.length === 0) this.#lines.delete(line.tenant);
  }
}
