// Waiting lines, one for each tenant, and whose turn is next: a tenant that floods waits behind itself. The number, the
// size and the time of what waits are bounded.

export type Bounds = { readonly count: number; readonly bytes?: number };

export const bytesOf = ({ bytes = Number.POSITIVE_INFINITY }: Bounds): number => bytes;

export type WaitingBounds = {
  readonly ofTenant: Bounds;
  /** Beyond this, only tenants with less than their share of it are let in. */
  readonly ofAll?: Bounds;
  /** Beyond that, a tenant with less waiting takes the last place of the tenant with most. */
  readonly displaces?: boolean;
  /** After waiting this long, work is refused: nobody would be there for the result. */
  readonly forMs?: number;
};

export type Waiter<Tenant> = { readonly tenant: Tenant; readonly bytes: number; readonly since: number };

/** The verdict on the next in a line: take it, skip it, leave its line alone, or stop. */
export type Verdict = 'take' | 'skip' | 'pass' | 'stop';

/** What waits of one tenant. During a pass, `looked` is how far it got, and `skipped` holds what it passed over. */
type Line<One, Tenant> = { readonly tenant: Tenant; queue: One[]; bytes: number; looked: number; skipped: One[] };

export class Lines<One extends Waiter<Tenant>, Tenant = unknown> {
  readonly #bounds: WaitingBounds;
  readonly #refuse: (one: One) => void;
  /** Tenants that wait, in the order of their turns. */
  readonly #lines = new Map<Tenant, Line<One, Tenant>>();
  #count = 0;
  #bytes = 0;
  /** Set while something may have to be refused for waiting too long. */
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

  /** Returns whether there was room. */
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
    // A tenant with nothing waiting is let in.
    if (queue.length === 0 || !isOver()) return false;
    const tenants = this.#lines.size;
    if (this.#count >= ofAll.count && queue.length >= ofAll.count / tenants) return true;
    return this.#bytes + bytes > bytesOf(ofAll) && waitingBytes + bytes > bytesOf(ofAll) / tenants;
  }

  /** Refuses the last of the tenant with most waiting, if it has more than this. */
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

  /** False if it does not wait. */
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

  /** The first in a line has waited longest. */
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

  /** One of each line in turn, as judged, until nothing more is taken. */
  take(judge: (one: One) => Verdict): One[] {
    const taken: One[] = [];
    const touched = new Set<Line<One, Tenant>>();
    // A line that had its turn moves to the end, where this loop meets it again; the others keep their places.
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

  /** Keeps in the line what was not taken. */
  #tidy(line: Line<One, Tenant>): void {
    if (line.looked > 0) line.queue = [...line.skipped, ...line.queue.slice(line.looked)];
    line.skipped = [];
    line.looked = 0;
    if (line.queue.length === 0) this.#lines.delete(line.tenant);
  }
}
