// Publishes the events of this process: those of its own commits at once, by the ids of their subjects, and now and then
// what another process left behind. One statement is under way at a time, and takes from each merchant in turn, so nobody's
// thousand events hold up another's one. Nothing hangs on what is in memory here: what is forgotten is found by `sweep`.
import type { Merchant } from '../../domain/merchant.ts';
import { countedOnly, Group } from '../connections/group.ts';
import type { Pool } from '../connections/pool.ts';
import { findLeftBehind, findWaiting, MOST_SUBJECTS, publishSubjects } from './publish.ts';
import type { Published, Subject } from './publish.ts';

// Subjects that wait here; beyond that they are left to be swept, which finds them in the database.
const MOST_WAITING = 20_000;
// The first after a quiet moment is published at once; what comes right behind it gathers for as long as this. To publish
// each by itself takes a transaction of its own, which the next commits would wait behind.
const GATHER_MS = 20;
// Another process holds a merchant's counter for milliseconds; one that waits for a standby, for as long as that is away.
const LOOK_AGAIN_MS = 5;
const LONGEST_LOOK_AGAIN_MS = 1_000;
// Who reads waits for this long at most for what is being published, and then reads what there is.
const CATCH_UP_MS = 2_500;
// What cannot be published is tried again after this.
const SET_ASIDE_MS = 5_000;
const MOST_SET_ASIDE = 10_000;

/** Waits for it, but not for long. */
async function waitBriefly(done: Promise<unknown>): Promise<void> {
  const late = Promise.withResolvers<void>();
  const timer = setTimeout(late.resolve, CATCH_UP_MS);
  try {
    await Promise.race([late.promise, done]);
  } finally {
    clearTimeout(timer);
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
  /** What waits for a round, by id. Each ends when it is published, or left to be swept. */
  readonly #waiting = new Map<string, Promise<void>>();
  /** What cannot be published, and until when it is left alone. */
  readonly #setAside = new Map<string, number>();
  /** By merchant: the look that ends last, and the one that has not begun. */
  readonly #looks = new Map<number, { last: Promise<void>; next?: Promise<void> }>();
  readonly #listeners = new Set<(published: Published) => void>();
  #tellTrouble: (error: unknown) => void = () => {};
  #round: Promise<unknown> = Promise.resolve();
  #beganAt = Number.NEGATIVE_INFINITY;
  /** Somebody waits for what is waiting here. */
  #isAwaited = false;
  /** How long nothing is tried while all that waits is held by others. */
  #heldMs = 0;
  #endGathering = (): void => {};
  #isClosing = false;

  constructor(pool: Pool, gatherMs = GATHER_MS) {
    this.#pool = pool;
    this.#gatherMs = gatherMs;
  }

  /** Something was committed that there is to tell of. */
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

  /** Until others hold it no more; each round takes it off what waits. */
  async #publishInRounds(subject: Subject, wait: () => void): Promise<void> {
    while ((await this.#group.add(subject)) === 'left') {
      // A later commit may have put it again already.
      const again = this.#waiting.get(subject.id);
      if (again !== undefined || this.#waiting.size >= MOST_WAITING) return again;
      wait();
    }
  }

  /** For who waits for them: the next round begins at once. */
  async #publishBriefly(subjects: readonly Subject[]): Promise<void> {
    const published = Promise.all(subjects.map((subject) => this.#put(subject)));
    if (!subjects.some(({ id }) => this.#waiting.has(id))) return;
    this.#isAwaited = true;
    if (this.#heldMs === 0) this.#endGathering();
    await waitBriefly(published);
  }

  /** Publishes what nobody has published for a while; gives of how many subjects. */
  async sweep(): Promise<number> {
    let last: Subject | undefined;
    for (let count = 0; ;) {
      const found = await findLeftBehind(this.#pool, last);
      last = found.at(-1);
      count += found.length;
      const published = Promise.all(found.map((subject) => this.#put(subject)));
      if (found.length < MOST_SUBJECTS) return count;
      await published;
    }
  }

  /** For who reads a merchant's events: publishes what it has waiting, for a moment and not beyond one page. */
  catchUp(merchant: Pick<Merchant, 'id' | 'parts'>): Promise<void> {
    return waitBriefly(this.#shareLook(merchant));
  }

  /** For who reads one subject: publishes what it has waiting, and waits for that, for a moment. */
  publishNow(subject: Subject): Promise<void> {
    return this.#publishBriefly([subject]);
  }

  /** Of a merchant one look is under way at a time; who asks meanwhile shares the next, which begins after they asked. */
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

  /** Calls back whenever something was published; what it gives ends that. */
  onPublished(listener: (published: Pick<Published, 'count' | 'endpoints'>) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Calls back when something could not be published. */
  onTrouble(listener: (error: unknown) => void): void {
    this.#tellTrouble = listener;
  }

  /** Publishes what is waiting, and ends. */
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

  /** Until the next round; while others hold all that waits, until there is something new. */
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
      // Who goes leaves to others what it cannot have.
      if (isHeld && this.#isClosing) return [];
      // It was to be published by now.
      if (left.size > 0) this.#isAwaited = true;
      return taken.map((subject) => (left.has(subject) ? 'left' : undefined));
    } catch (error) {
      // The database is away: what was taken is swept when it is back.
      this.#heldMs = 0;
      this.#tellTrouble(error);
      return [];
    }
  }
}
