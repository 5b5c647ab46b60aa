// Batches requests: while a call is at the database, new requests queue and go together in the next one. A lone request
// does not wait. Several calls of a kind may run at once; a request never joins a call that has already left. Each
// tenant has its own queue, and a call takes from them in turn. A call is limited by count and by bytes.
import { bytesOf, Lines } from '../../ops/lines.ts';
import type { Bounds, Waiter, WaitingBounds } from '../../ops/lines.ts';

export class Overloaded extends Error {
  override readonly name = 'Overloaded';
}

export type GroupOptions<Request, Result> = {
  /** Answers every request of the group, in order. If it throws, every request of the group fails. */
  readonly run: (requests: readonly Request[]) => Promise<readonly Result[]>;
  /** Requests with the same key never run at once: the later one waits for a later call. */
  readonly keyOf?: (request: Request) => string;
  /** The tenant of a request; without it there is a single queue. */
  readonly tenantOf?: (request: Request) => number;
  /** Awaited before a call is assembled: requests that arrive until then join it. */
  readonly gather?: () => Promise<void> | undefined;
  /** Calls at once. */
  readonly concurrency: number;
  /** Requests per call: limits the size of a statement and the impact of a failure. At least one always fits. */
  readonly size: Bounds;
  /** Requests that may queue; further ones are refused, since they would only time out. */
  readonly waiting: WaitingBounds;
};

/** Limits for a single queue of small requests. */
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

  /** `bytes`: the approximate amount of data to or from the database. */
  add(request: Request, bytes = 0): Promise<Result> {
    const tenant = this.#options.tenantOf?.(request) ?? 0;
    const { promise, resolve, reject } = Promise.withResolvers<Result>();
    if (!this.#lines.add({ tenant, request, bytes, since: performance.now(), resolve, reject }))
      throw new Overloaded('too many requests wait for the database');
    this.#schedule();
    return promise;
  }

  /**
   * Leaves at the end of this turn of the event loop, so that requests that were read from the sockets together go
   * together.
   */
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

  /** Takes one of each queue in turn, until the call is full or nothing is left that could leave now. */
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
    // The rest goes in another call.
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
