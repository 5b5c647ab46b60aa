// Group calls: while one call is at the database, requests that arrive gather and go together in the next. A lone
// request waits for nobody. Groups of one kind run a few at once; a request never joins a call that has already left.
// Tenants wait in lines of their own, and a call takes from them in turn: who floods waits for itself. What a call
// carries and what waits is bounded by count and by bytes, and so is how long it waits.

export class Overloaded extends Error {
  override readonly name = 'Overloaded';
}

export type Bounds = { readonly count: number; readonly bytes: number };

export type GroupOptions<Request, Result> = {
  /** Answers every request of the group, in order. What it throws fails every request of the group. */
  readonly run: (requests: readonly Request[]) => Promise<readonly Result[]>;
  /** Requests that share a key are never under way at once: the later one waits for a later call. */
  readonly keyOf?: (request: Request) => string;
  /** Whose request it is; without it all wait in one line. */
  readonly tenantOf?: (request: Request) => number;
  /** Before a call is put together: what comes until then goes with it. */
  readonly gather?: () => Promise<void> | undefined;
  /** Calls under way at once. */
  readonly concurrency: number;
  /** Requests in one call: bounds the size of a statement and how much one failure touches. One always fits. */
  readonly size: Bounds;
  /** Requests that may wait; one more is refused, since it would only time out. */
  readonly waiting: {
    readonly ofTenant: Bounds;
    /** Beyond this, only who has less waiting than its share of it is let in. */
    readonly ofAll: Bounds;
    /** Who has waited for so long is refused: by the end of its call nobody would wait any more. */
    readonly forMs?: number;
  };
};

/** Bounds where all wait in one line, and every request is small. */
export function countedOnly(
  size: number,
  waiting: number,
  forMs?: number,
): Pick<GroupOptions<never, never>, 'size' | 'waiting'> {
  const bounds = (count: number): Bounds => ({ count, bytes: Number.POSITIVE_INFINITY });
  const both = { ofTenant: bounds(waiting), ofAll: bounds(waiting) };
  return { size: bounds(size), waiting: { ...both, ...(forMs !== undefined && { forMs }) } };
}

type Waiting<Request, Result> = {
  readonly request: Request;
  readonly bytes: number;
  readonly since: number;
  readonly resolve: (result: Result) => void;
  readonly reject: (error: unknown) => void;
};

/** What waits of one tenant. While a call is put together, `looked` says how far; `skipped` are those it passed over. */
type Line<Request, Result> = {
  readonly tenant: number;
  queue: Waiting<Request, Result>[];
  bytes: number;
  looked: number;
  skipped: Waiting<Request, Result>[];
};

export class Group<Request, Result> {
  readonly #options: GroupOptions<Request, Result>;
  readonly #keysUnderWay = new Set<string>();
  /** Of tenants who wait, in the order of their turns. */
  readonly #lines = new Map<number, Line<Request, Result>>();
  #count = 0;
  #bytes = 0;
  #underWay = 0;
  #scheduled = false;
  /** Set while somebody may have to be refused for having waited. */
  #refusing: NodeJS.Timeout | undefined;

  constructor(options: GroupOptions<Request, Result>) {
    this.#options = options;
  }

  /** The bytes are roughly what it carries, to or from the database. */
  add(request: Request, bytes = 0): Promise<Result> {
    const { tenantOf } = this.#options;
    const tenant = tenantOf === undefined ? 0 : tenantOf(request);
    const line = this.#lines.get(tenant) ?? { tenant, queue: [], bytes: 0, looked: 0, skipped: [] };
    if (this.#isFull(line, bytes)) throw new Overloaded('too many requests wait for the database');
    return new Promise((resolve, reject) => {
      line.queue.push({ request, bytes, since: performance.now(), resolve, reject });
      line.bytes += bytes;
      this.#count += 1;
      this.#bytes += bytes;
      this.#lines.set(tenant, line);
      this.#refuseLateIn(this.#options.waiting.forMs ?? 0);
      this.#schedule();
    });
  }

  /** Who has nothing waiting is always let in. */
  #isFull({ queue, bytes: waitingBytes }: Line<Request, Result>, bytes: number): boolean {
    if (queue.length === 0) return false;
    const { ofTenant, ofAll } = this.#options.waiting;
    if (queue.length >= ofTenant.count || waitingBytes + bytes > ofTenant.bytes) return true;
    const tenants = this.#lines.size;
    if (this.#count >= ofAll.count && queue.length >= ofAll.count / tenants) return true;
    return this.#bytes + bytes > ofAll.bytes && waitingBytes + bytes > ofAll.bytes / tenants;
  }

  /** Leaves at the end of this turn of the event loop, so that requests read from the sockets together go together. */
  #schedule(): void {
    if (this.#scheduled || this.#underWay >= this.#options.concurrency || this.#count === 0) return;
    this.#scheduled = true;
    const send = (): void => {
      this.#scheduled = false;
      void this.#send();
    };
    setImmediate(() => {
      const gathered = this.#options.gather?.();
      if (gathered === undefined) send();
      else void gathered.then(send);
    });
  }

  #refuseLateIn(ms: number): void {
    const { forMs } = this.#options.waiting;
    if (forMs === undefined || this.#refusing !== undefined) return;
    this.#refusing = setTimeout(() => {
      this.#refusing = undefined;
      this.#refuseLate(forMs);
    }, ms).unref();
  }

  /** Refuses who has waited for too long. The first of a line has waited for longest. */
  #refuseLate(forMs: number): void {
    const earliest = performance.now() - forMs;
    let first = Number.POSITIVE_INFINITY;
    for (const line of this.#lines.values()) {
      const inTime = line.queue.findIndex(({ since }) => since > earliest);
      first = Math.min(first, line.queue[inTime]?.since ?? first);
      if (inTime === 0) continue;
      for (const { bytes, reject } of line.queue.splice(0, inTime === -1 ? line.queue.length : inTime)) {
        line.bytes -= bytes;
        this.#count -= 1;
        this.#bytes -= bytes;
        reject(new Overloaded('a request waited for the database for too long'));
      }
      if (line.queue.length === 0) this.#lines.delete(line.tenant);
    }
    if (this.#count > 0) this.#refuseLateIn(Math.ceil(first - earliest));
  }

  /** One of each line in turn, until the call is full or nothing is left that could leave now. */
  #take(): Waiting<Request, Result>[] {
    const { size } = this.#options;
    const taken: Waiting<Request, Result>[] = [];
    const touched = new Set<Line<Request, Result>>();
    const isAlone = this.#lines.size === 1;
    let bytes = 0;
    let isFull = false;
    // A line that had its turn goes to the end, where this loop comes upon it again; the others keep their places.
    for (const line of this.#lines.values()) {
      touched.add(line);
      let next = this.#nextOf(line);
      if (next === undefined) continue;
      while (next !== undefined && !isFull) {
        isFull = taken.length >= size.count || (taken.length > 0 && bytes + next.bytes > size.bytes);
        if (isFull) break;
        bytes += next.bytes;
        this.#takeNext(line, next);
        taken.push(next);
        next = isAlone ? this.#nextOf(line) : undefined;
      }
      if (isFull) break;
      this.#lines.delete(line.tenant);
      this.#lines.set(line.tenant, line);
    }
    for (const line of touched) this.#tidy(line);
    return taken;
  }

  /** The first of a line whose key is not under way. */
  #nextOf(line: Line<Request, Result>): Waiting<Request, Result> | undefined {
    const { keyOf } = this.#options;
    for (;;) {
      const next = line.queue[line.looked];
      if (next === undefined || keyOf === undefined || !this.#keysUnderWay.has(keyOf(next.request))) return next;
      line.skipped.push(next);
      line.looked += 1;
    }
  }

  #takeNext(line: Line<Request, Result>, { request, bytes }: Waiting<Request, Result>): void {
    const { keyOf } = this.#options;
    if (keyOf !== undefined) this.#keysUnderWay.add(keyOf(request));
    line.looked += 1;
    line.bytes -= bytes;
    this.#count -= 1;
    this.#bytes -= bytes;
  }

  /** Leaves in the line what was not taken. */
  #tidy(line: Line<Request, Result>): void {
    const rest = line.queue.slice(line.looked);
    line.queue = line.skipped.length === 0 ? rest : [...line.skipped, ...rest];
    line.skipped = [];
    line.looked = 0;
    if (line.queue.length === 0) this.#lines.delete(line.tenant);
  }

  async #send(): Promise<void> {
    const taken = this.#take();
    if (taken.length === 0) return;
    this.#underWay += 1;
    // What did not fit goes in another call.
    this.#schedule();
    try {
      const results = await this.#options.run(taken.map(({ request }) => request));
      taken.forEach(({ resolve }, index) => resolve(results[index] as Result));
    } catch (error) {
      for (const { reject } of taken) reject(error);
    } finally {
      this.#underWay -= 1;
      const { keyOf } = this.#options;
      if (keyOf) for (const { request } of taken) this.#keysUnderWay.delete(keyOf(request));
      this.#schedule();
    }
  }
}
