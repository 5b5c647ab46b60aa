// Publishes the events of this process: those of its own commits immediately, by the ids of their subjects, and now and
// then what other processes left behind. One statement runs at a time and takes from each merchant in turn, so that a
// merchant with a thousand events does not delay another with one. Nothing depends on the queue in memory: `sweep`
// finds whatever is lost.
import type { Merchant } from '../../domain/merchant.ts';
import { countedOnly, Group } from '../connections/group.ts';
import type { Pool } from '../connections/pool.ts';
import { findLeftBehind, findWaiting, MOST_SUBJECTS, publishSubjects } from './publish.ts';
import type { Published, Subject } from './publish.ts';

// Subjects in the queue; further ones are left to the sweep, which finds them in the database.
const MOST_WAITING = 20_000;
// The first event after a pause is published immediately; those right after it are gathered for this long. Publishing
// each alone takes a transaction, which the next commits would wait behind.
const GATHER_MS = 20;
// Another process holds a merchant's counter for milliseconds or, if its commit waits for a standby, for as long as
// that is away.
const LOOK_AGAIN_MS = 5;
const LONGEST_LOOK_AGAIN_MS = 1_000;
// Readers wait at most this long for events that are being published, and then read what there is.
const CATCH_UP_MS = 2_500;
// Events that cannot be published are retried after this.
const SET_ASIDE_MS = 5_000;
const MOST_SET_ASIDE = 10_000;

/** Waits for it, but not for long. */
async function waitBriefly(done: Promise<unknown>, signal?: AbortSignal): Promise<void> {
  if (signal?.aborted) return;
  const late = Promise.withResolvers<void>();
  const timer = setTimeout(late.resolve, CATCH_UP_MS);
  const end = (): void => late.resolve();
  signal?.addEventListener('abort', end);
  try {
    await Promise.race([late.promise, done]);
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener('abort', end);
  }
}

export class EventPublisher {
  readonly #pool: Pool;
  readonly #gatherMs: number;
  readonly #group = new Group<Subject, 'left' | undefined>({
    concurrency: 1,
    ...countedOnly(MOST_SUBJECTS, MOST_WAITING),
    tenantOf: ({ merchantId }) => merchantId,
    gather: () => this.#gather(),
    run: (taken) => (this.#round = this.#publish(taken)),
  });
  /** The queue by id. Each promise resolves when the subject is published or left to the sweep. */
  readonly #waiting = new Map<string, Promise<void>>();
  /** Subjects that cannot be published, and when to retry. */
  readonly #setAside = new Map<string, number>();
  /** By merchant: the latest query, and the one that has not begun. */
  readonly #looks = new Map<number, { last: Promise<void>; next?: Promise<void> }>();
  readonly #listeners = new Set<(published: Published) => void>();
  #tellTrouble: (error: unknown) => void = () => {};
  #round: Promise<unknown> = Promise.resolve();
  #beganAt = Number.NEGATIVE_INFINITY;
  /** A caller waits for the queue. */
  #isAwaited = false;
  /** The pause while other processes hold everything in the queue. */
  #heldMs = 0;
  #endGathering = (): void => {};
  #isClosing = false;

  constructor(pool: Pool, gatherMs = GATHER_MS) {
    this.#pool = pool;
    this.#gatherMs = gatherMs;
  }

  /** A commit has recorded events. */
  add(subject: Subject): void {
    void this.#put(subject);
  }

  async #put(subject: Subject): Promise<void> {
    const { id } = subject;
    const waiting = this.#waiting.get(id);
    if (waiting !== undefined) return waiting;
    if (this.#waiting.size >= MOST_WAITING || this.#isSetAside(id)) return undefined;
    const done: Promise<void> = this.#publishInRounds(subject, () => this.#waiting.set(id, done));
    this.#waiting.set(id, done);
    if (this.#heldMs > 0 || this.#waiting.size >= MOST_SUBJECTS) this.#endGathering();
    await done;
  }

  /** Retries while others hold its merchant's counter; each round takes it off what waits. */
  async #publishInRounds(subject: Subject, wait: () => void): Promise<void> {
    while ((await this.#group.add(subject)) === 'left') {
      // A later commit may have added it again already.
      const again = this.#waiting.get(subject.id);
      if (again !== undefined || this.#waiting.size >= MOST_WAITING) return again;
      wait();
    }
  }

  /** For a caller who waits for them: starts the next round immediately. */
  async #publishBriefly(subjects: readonly Subject[]): Promise<void> {
    const published = Promise.all(subjects.map((subject) => this.#put(subject)));
    if (!subjects.some(({ id }) => this.#waiting.has(id))) return;
    this.#isAwaited = true;
    if (this.#heldMs === 0) this.#endGathering();
    await waitBriefly(published);
  }

  /**
   * Publishes what has been unpublished for a while; returns the number of subjects. A page that another process holds
   * delays the next one for a short time only, and a shutdown not at all.
   */
  async sweep(signal?: AbortSignal): Promise<number> {
    let last: Subject | undefined;
    for (let count = 0; ;) {
      const found = await findLeftBehind(this.#pool, last);
      last = found.at(-1);
      count += found.length;
      const published = Promise.all(found.map((subject) => this.#put(subject)));
      if (found.length < MOST_SUBJECTS) return count;
      await waitBriefly(published, signal);
      if (signal?.aborted || this.#waiting.size >= MOST_WAITING) return count;
    }
  }

  /** For readers of a merchant's events: publishes its queue, for a short time and up to one page. */
  catchUp(merchant: Pick<Merchant, 'id' | 'parts'>): Promise<void> {
    return waitBriefly(this.#shareLook(merchant));
  }

  /** For readers of one subject: publishes its events, and waits a short time for that. */
  publishNow(subject: Subject): Promise<void> {
    return this.#publishBriefly([subject]);
  }

  /** One query per merchant runs at a time; concurrent callers share the next one, which begins after they called. */
  #shareLook(merchant: Pick<Merchant, 'id' | 'parts'>): Promise<void> {
    const looks = this.#looks.get(merchant.id) ?? { last: Promise.resolve() };
    this.#looks.set(merchant.id, looks);
    if (looks.next !== undefined) return looks.next;
    const next = looks.last.then(async () => {
      delete looks.next;
      await this.#publishBriefly(await findWaiting(this.#pool, merchant));
    });
    const last = next.catch(() => {});
    Object.assign(looks, { next, last });
    void last.then(() => looks.last === last && this.#looks.delete(merchant.id));
    return next;
  }

  /** Registers a callback for published events; returns the function that removes it. */
  onPublished(listener: (published: Pick<Published, 'count' | 'endpoints'>) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Registers a callback for events that could not be published. */
  onTrouble(listener: (error: unknown) => void): void {
    this.#tellTrouble = listener;
  }

  /** Publishes the queue, and stops. */
  async close(): Promise<void> {
    this.#isClosing = true;
    this.#isAwaited = true;
    this.#endGathering();
    await this.#round;
    await Promise.all(this.#waiting.values());
  }

  #isSetAside(id: string): boolean {
    const until = this.#setAside.get(id);
    if (until === undefined) return false;
    if (performance.now() < until) return true;
    this.#setAside.delete(id);
    return false;
  }

  /** Waits until the next round; if others hold the whole queue, until there is something new. */
  #gather(): Promise<void> | undefined {
    const isNow = this.#isAwaited || this.#waiting.size >= MOST_SUBJECTS;
    const ownMs = isNow ? 0 : this.#beganAt + this.#gatherMs - performance.now();
    const ms = this.#heldMs > 0 && !this.#isClosing ? this.#heldMs : ownMs;
    if (ms <= 0) return undefined;
    const { promise, resolve } = Promise.withResolvers<void>();
    const timer = setTimeout(resolve, ms);
    this.#endGathering = resolve;
    return promise.finally(() => clearTimeout(timer));
  }

  /** Says what is left for another round. */
  async #publish(taken: readonly Subject[]): Promise<('left' | undefined)[]> {
    for (const { id } of taken) this.#waiting.delete(id);
    this.#beganAt = performance.now();
    this.#isAwaited = false;
    try {
      const published = await publishSubjects(this.#pool, taken);
      if (published.count > 0) for (const listener of this.#listeners) listener(published);
      for (const { subject, error } of published.troubles) {
        if (this.#setAside.size >= MOST_SET_ASIDE) this.#setAside.clear();
        this.#setAside.set(subject.id, performance.now() + SET_ASIDE_MS);
        this.#tellTrouble(error);
      }
      const left = new Set(published.left);
      const isHeld = left.size > 0 && published.count === 0;
      // Longer each time.
      this.#heldMs = isHeld ? Math.min(Math.max(2 * this.#heldMs, LOOK_AGAIN_MS), LONGEST_LOOK_AGAIN_MS) : 0;
      // A process that shuts down leaves the rest to others.
      if (isHeld && this.#isClosing) return [];
      // Its callers expect it to be published by now.
      if (left.size > 0) this.#isAwaited = true;
      return taken.map((subject) => (left.has(subject) ? 'left' : undefined));
    } catch (error) {
      // The database is down: the sweep will find what was taken from the queue.
      this.#heldMs = 0;
      this.#tellTrouble(error);
      return [];
    }
  }
}
