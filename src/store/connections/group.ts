// Group calls: while one call is at the database, requests that arrive gather and go together in the next. A lone
// request waits for nobody. Groups of one kind run a few at once; a request never joins a call that has already left.
// Tenants wait in lines of their own, and a call takes from them in turn. What a call carries is bounded by count and by
// bytes.
import { bytesOf, Lines } from '../../ops/lines.ts';
import type { Bounds, Waiter, WaitingBounds } from '../../ops/lines.ts';

export class Overloaded extends Error {
  override readonly name = 'Overloaded';
}

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
  readonly waiting: WaitingBounds;
};

/** Bounds where all wait in one line, and every request is small. */
export const countedOnly = (
  size: number,
  waiting: number,
  forMs?: number,
): Pick<GroupOptions<never, never>, 'size' | 'waiting'> => ({
  size: { count: size },
  waiting: { ofTenant: { count: waiting }, ...(forMs !== undefined && { forMs }) },
});

type Waiting<Request, Result> = Waiter<number> & {
  readonly request: Request;
  readonly resolve: (result: Result) => void;
  readonly reject: (error: unknown) => void;
};

export class Group<Request, Result> {
  readonly #options: GroupOptions<Request, Result>;
  readonly #keysUnderWay = new Set<string>();
  readonly #lines: Lines<Waiting<Request, Result>, number>;
  #underWay = 0;
  #scheduled = false;

  constructor(options: GroupOptions<Request, Result>) {
    this.#options = options;
    this.#lines = new Lines(options.waiting, ({ reject }) =>
      reject(new Overloaded('a request waited for the database for too long')),
    );
  }

  /** The bytes are roughly what it carries, to or from the database. */
  add(request: Request, bytes = 0): Promise<Result> {
    const tenant = this.#options.tenantOf?.(request) ?? 0;
    const { promise, resolve, reject } = Promise.withResolvers<Result>();
    if (!this.#lines.add({ tenant, request, bytes, since: performance.now(), resolve, reject }))
      throw new Overloaded('too many requests wait for the database');
    this.#schedule();
    return promise;
  }

  /** Leaves at the end of this turn of the event loop, so that requests read from the sockets together go together. */
  #schedule(): void {
    if (this.#scheduled || this.#underWay >= this.#options.concurrency || this.#lines.count === 0) return;
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

  /** One of each line in turn, until the call is full or nothing is left that could leave now. */
  #take(): Waiting<Request, Result>[] {
    const { size, keyOf } = this.#options;
    let [count, bytes] = [0, 0];
    return this.#lines.take((next) => {
      const key = keyOf?.(next.request);
      if (key !== undefined && this.#keysUnderWay.has(key)) return 'skip';
      if (count >= size.count || (count > 0 && bytes + next.bytes > bytesOf(size))) return 'stop';
      if (key !== undefined) this.#keysUnderWay.add(key);
      count += 1;
      bytes += next.bytes;
      return 'take';
    });
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
