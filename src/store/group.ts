// Group calls: while one call is at the database, requests that arrive gather and go together in the next. A lone
// request waits for nobody. Groups of one kind run in a few lanes; a request never joins a call that has already left.

export class Overloaded extends Error {
  override readonly name = 'Overloaded';
}

export type GroupOptions<Request, Result> = {
  /** Answers every request of the group, in order. What it throws fails every request of the group. */
  readonly run: (requests: readonly Request[]) => Promise<readonly Result[]>;
  /** Requests that share a key are never under way at once: the later one waits for a later call. */
  readonly keyOf?: (request: Request) => string;
  /** Calls under way at once. */
  readonly lanes: number;
  /** Requests in one call: bounds the size of a statement and how much one failure touches. */
  readonly size: number;
  /** Requests that may wait; one more is refused, since it would only time out. */
  readonly waiting: number;
};

type Waiting<Request, Result> = {
  readonly request: Request;
  readonly resolve: (result: Result) => void;
  readonly reject: (error: unknown) => void;
};

export class Group<Request, Result> {
  readonly #options: GroupOptions<Request, Result>;
  readonly #keysUnderWay = new Set<string>();
  #queue: Waiting<Request, Result>[] = [];
  #underWay = 0;
  #scheduled = false;

  constructor(options: GroupOptions<Request, Result>) {
    this.#options = options;
  }

  add(request: Request): Promise<Result> {
    if (this.#queue.length >= this.#options.waiting) throw new Overloaded('too many requests wait for the database');
    return new Promise((resolve, reject) => {
      this.#queue.push({ request, resolve, reject });
      this.#schedule();
    });
  }

  /** Leaves at the end of this turn of the event loop, so that requests read from the sockets together go together. */
  #schedule(): void {
    if (this.#scheduled || this.#underWay >= this.#options.lanes || this.#queue.length === 0) return;
    this.#scheduled = true;
    setImmediate(() => {
      this.#scheduled = false;
      void this.#send();
    });
  }

  #take(): Waiting<Request, Result>[] {
    const { keyOf, size } = this.#options;
    if (keyOf === undefined) return this.#queue.splice(0, size);
    const taken: Waiting<Request, Result>[] = [];
    const later: Waiting<Request, Result>[] = [];
    for (const waiting of this.#queue) {
      const key = keyOf(waiting.request);
      if (taken.length < size && !this.#keysUnderWay.has(key)) {
        this.#keysUnderWay.add(key);
        taken.push(waiting);
      } else later.push(waiting);
    }
    this.#queue = later;
    return taken;
  }

  async #send(): Promise<void> {
    const taken = this.#take();
    if (taken.length === 0) return;
    this.#underWay += 1;
    // What did not fit goes in another lane.
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
