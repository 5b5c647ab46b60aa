// Publishes the events of this process: those of its own commits at once, by the ids of their subjects, and now and then
// what another process left behind. One statement is under way at a time, and takes from each merchant in turn, so nobody's
// thousand events hold up another's one. Nothing hangs on what is in memory here: what is forgotten is found by `sweep`.
import type { Merchant } from '../../domain/merchant.ts';
import type { Pool } from '../connections/pool.ts';
import { findLeftBehind, findWaiting, MOST_SUBJECTS, publishSubjects } from './publish.ts';
import type { Published, Subject } from './publish.ts';

export type Publisher = {
  /** Something was committed that there is to tell of. */
  add(subject: Subject): void;
  /** Publishes what nobody has published for a while; gives of how many subjects. */
  sweep(): Promise<number>;
  /** For who reads a merchant's events: publishes what it has waiting, for a moment and not beyond one page. */
  catchUp(merchant: Pick<Merchant, 'id' | 'parts'>): Promise<void>;
  /** For who reads one subject: publishes what it has waiting, and waits for that, for a moment. */
  publishNow(subject: Subject): Promise<void>;
  /** Calls back whenever something was published; what it gives ends that. */
  onPublished(listener: (published: Pick<Published, 'count' | 'endpoints'>) => void): () => void;
  /** Calls back when something could not be published. */
  onTrouble(listener: (error: unknown) => void): void;
  /** Publishes what is waiting, and ends. */
  close(): Promise<void>;
};

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

export class EventPublisher implements Publisher {
  readonly #pool: Pool;
  readonly #gatherMs: number;
  /** By merchant, so that they take turns. */
  readonly #waiting = new Map<number, Map<string, Subject>>();
  /** What cannot be published, and until when it is left alone. */
  readonly #setAside = new Map<string, number>();
  /** By merchant: the look that ends last, and the one that has not begun. */
  readonly #looks = new Map<number, { last: Promise<void>; next?: Promise<void> }>();
  readonly #listeners = new Set<(published: Published) => void>();
  #underWay: ReadonlySet<string> = new Set();
  #tellTrouble: (error: unknown) => void = () => {};
  #count = 0;
  #beganAt = Number.NEGATIVE_INFINITY;
  /** Somebody waits for what is waiting here. */
  #isAwaited = false;
  #stopGathering = (): void => {};
  /** How long nothing is tried while all that waits is held by others. */
  #pauseMs = LOOK_AGAIN_MS;
  #stopPausing = (): void => {};
  #isClosing = false;
  #running: Promise<void> | undefined;
  /** Ends with whether anything could be published. */
  #round = Promise.withResolvers<boolean>();

  constructor(pool: Pool, gatherMs = GATHER_MS) {
    this.#pool = pool;
    this.#gatherMs = gatherMs;
  }

  add(subject: Subject): void {
    if (this.#put(subject)) this.#stopPausing();
  }

  /** Whether it did not wait already. */
  #put(subject: Subject): boolean {
    const { id, merchantId } = subject;
    if (this.#count >= MOST_WAITING || this.#isSetAside(subject)) return false;
    const mine = this.#waiting.get(merchantId) ?? new Map<string, Subject>();
    this.#waiting.set(merchantId, mine);
    const isNew = !mine.has(id);
    if (isNew) this.#count += 1;
    mine.set(id, subject);
    if (this.#count >= MOST_SUBJECTS) this.#stopGathering();
    this.#running ??= this.#run();
    return isNew;
  }

  /** What waits is waited for: the next round begins at once. */
  #hurry(): void {
    this.#isAwaited = true;
    this.#stopGathering();
  }

  async sweep(): Promise<number> {
    let last: Subject | undefined;
    for (let count = 0; ;) {
      const found = await findLeftBehind(this.#pool, last);
      last = found.at(-1);
      count += found.length;
      for (const subject of found) this.add(subject);
      if (found.length < MOST_SUBJECTS) return count;
      await this.#running;
    }
  }

  async catchUp(merchant: Pick<Merchant, 'id' | 'parts'>): Promise<void> {
    const late = Promise.withResolvers<void>();
    const timer = setTimeout(late.resolve, CATCH_UP_MS);
    try {
      await Promise.race([late.promise, this.#shareLook(merchant)]);
    } finally {
      clearTimeout(timer);
    }
  }

  async publishNow(subject: Subject): Promise<void> {
    this.add(subject);
    const late = AbortSignal.timeout(CATCH_UP_MS);
    const isOver = new Promise((resolve) => late.addEventListener('abort', resolve, { once: true }));
    const isHere = (): boolean =>
      this.#underWay.has(subject.id) || this.#waiting.get(subject.merchantId)?.has(subject.id) === true;
    while (isHere() && !late.aborted) {
      this.#hurry();
      await Promise.race([this.#round.promise, isOver]);
    }
  }

  /** Of a merchant one look is under way at a time; who asks meanwhile shares the next, which begins after they asked. */
  #shareLook(merchant: Pick<Merchant, 'id' | 'parts'>): Promise<void> {
    const looks = this.#looks.get(merchant.id) ?? { last: Promise.resolve() };
    this.#looks.set(merchant.id, looks);
    if (looks.next !== undefined) return looks.next;
    const next = looks.last.then(() => {
      delete looks.next;
      return this.#publishWaiting(merchant, AbortSignal.timeout(CATCH_UP_MS));
    });
    const last = next.then(
      () => {},
      () => {},
    );
    Object.assign(looks, { next, last });
    void last.then(() => looks.last === last && this.#looks.delete(merchant.id));
    return next;
  }

  async #publishWaiting(merchant: Pick<Merchant, 'id' | 'parts'>, late: AbortSignal): Promise<void> {
    let first: ReadonlySet<string> | undefined;
    while (!late.aborted && !this.#isClosing) {
      const waiting = (await findWaiting(this.#pool, merchant)).filter((subject) => !this.#isSetAside(subject));
      // What has come since it was asked may wait for the next who asks.
      first ??= new Set(waiting.map(({ id }) => id));
      const left = waiting.filter(({ id }) => first?.has(id));
      if (left.length === 0) return;
      for (const subject of left) this.add(subject);
      this.#hurry();
      if (!(await this.#round.promise)) return;
    }
  }

  onPublished(listener: (published: Pick<Published, 'count' | 'endpoints'>) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  onTrouble(listener: (error: unknown) => void): void {
    this.#tellTrouble = listener;
  }

  async close(): Promise<void> {
    this.#isClosing = true;
    this.#hurry();
    this.#stopPausing();
    await this.#running;
  }

  #isSetAside({ id }: Subject): boolean {
    const until = this.#setAside.get(id);
    if (until === undefined) return false;
    if (performance.now() < until) return true;
    this.#setAside.delete(id);
    return false;
  }

  /** The next subjects, from each merchant in turn. */
  #take(): Subject[] {
    const share = Math.max(1, Math.floor(MOST_SUBJECTS / this.#waiting.size));
    const taken: Subject[] = [];
    for (const [merchantId, mine] of this.#waiting) {
      if (taken.length >= MOST_SUBJECTS) break;
      for (const subject of mine.values().take(Math.min(share, MOST_SUBJECTS - taken.length))) {
        mine.delete(subject.id);
        taken.push(subject);
      }
      // Behind the others, so that the next round begins with somebody else.
      this.#waiting.delete(merchantId);
      if (mine.size > 0) this.#waiting.set(merchantId, mine);
    }
    this.#count -= taken.length;
    return taken;
  }

  async #run(): Promise<void> {
    // What is committed in this turn of the event loop goes together.
    await new Promise((resolve) => setImmediate(resolve));
    while (this.#waiting.size > 0) {
      await this.#gather();
      this.#beganAt = performance.now();
      this.#isAwaited = false;
      let isDone = false;
      try {
        await this.#publish(this.#take());
        isDone = true;
      } catch (error) {
        // The database is away: what was taken is swept when it is back.
        this.#tellTrouble(error);
      }
      this.#round.resolve(isDone);
      this.#round = Promise.withResolvers();
    }
    this.#running = undefined;
  }

  async #gather(): Promise<void> {
    const leftMs = this.#beganAt + this.#gatherMs - performance.now();
    if (leftMs <= 0 || this.#isAwaited || this.#count >= MOST_SUBJECTS) return;
    const { promise, resolve } = Promise.withResolvers<void>();
    const timer = setTimeout(resolve, leftMs);
    this.#stopGathering = resolve;
    await promise;
    clearTimeout(timer);
  }

  async #publish(taken: readonly Subject[]): Promise<void> {
    this.#underWay = new Set(taken.map(({ id }) => id));
    const published = await publishSubjects(this.#pool, taken).finally(() => (this.#underWay = new Set()));
    if (published.count > 0) for (const listener of this.#listeners) listener(published);
    for (const { subject, error } of published.troubles) {
      if (this.#setAside.size >= MOST_SET_ASIDE) this.#setAside.clear();
      this.#setAside.set(subject.id, performance.now() + SET_ASIDE_MS);
      this.#tellTrouble(error);
    }
    const isHeld = published.left.length > 0 && published.count === 0;
    if (!isHeld) this.#pauseMs = LOOK_AGAIN_MS;
    // Who goes leaves to others what it cannot have.
    if (isHeld && this.#isClosing) return;
    for (const subject of published.left) this.#put(subject);
    // It was to be published by now.
    if (published.left.length > 0) this.#isAwaited = true;
    if (isHeld) await this.#pause();
  }

  /** Longer each time; whatever is new ends it. */
  async #pause(): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    const timer = setTimeout(resolve, this.#pauseMs);
    this.#stopPausing = resolve;
    await promise;
    clearTimeout(timer);
    this.#pauseMs = Math.min(2 * this.#pauseMs, LONGEST_LOOK_AGAIN_MS);
  }
}
