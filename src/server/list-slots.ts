// A read of a list needs a slot: it holds a connection and then a megabyte or two of answer. A merchant has a few under
// way until it has read their answers, a few more wait, and others are told to come back; all merchants together leave
// connections for everybody else's reads, and get theirs in turn.
import type { FastifyReply, FastifyRequest } from 'fastify';
import { requireBudget } from './rate-limit.ts';
import { merchantOf } from './asker.ts';
import { TooManyRequests } from './too-many-requests.ts';

export type SlotLimits = {
  /** Reads at the database at once, of all merchants. */
  readonly underWay: number;
  /** Reads of one merchant whose answers it has not read yet. */
  readonly ofMerchant: number;
  /** Reads of one merchant that may wait. */
  readonly waiting: number;
};

// At most half of the connections for reads.
const LISTS: SlotLimits = { underWay: 4, ofMerchant: 2, waiting: 8 };
// Who waits longer than this has answers that nobody reads.
const LONGEST_WAIT_MS = 10_000;

type Slot = {
  /** The answer is made: the next one may use the database. */
  readonly finish: () => void;
  /** The answer is read, or nobody wants it any more; while it is being made, the database has its work all the same. */
  readonly leave: () => void;
};

type Line = { underWay: number; readonly waiting: ((slot: Slot) => void)[] };

export class ListSlots {
  /** Of merchants who read or wait, in the order in which they are served. */
  readonly #lines = new Map<number, Line>();
  readonly #limits: SlotLimits;
  #underWay = 0;

  constructor(limits: SlotLimits = LISTS) {
    this.#limits = limits;
  }

  /** Waits for a slot; throws when too many wait already, or when it does not come. */
  async take(merchantId: number): Promise<Slot> {
    const line = this.#lines.get(merchantId) ?? { underWay: 0, waiting: [] };
    if (line.waiting.length >= this.#limits.waiting) throw tooMany(this.#limits);
    this.#lines.set(merchantId, line);
    const { promise, resolve, reject } = Promise.withResolvers<Slot>();
    line.waiting.push(resolve);
    this.#next();
    const timer = setTimeout(() => {
      const place = line.waiting.indexOf(resolve);
      if (place < 0) return;
      line.waiting.splice(place, 1);
      this.#forgetIfIdle(merchantId, line);
      reject(tooMany(this.#limits));
    }, LONGEST_WAIT_MS);
    try {
      return await promise;
    } finally {
      clearTimeout(timer);
    }
  }

  #next(): void {
    for (const [merchantId, line] of this.#lines) {
      if (this.#underWay >= this.#limits.underWay) return;
      const start = line.underWay < this.#limits.ofMerchant ? line.waiting.shift() : undefined;
      if (start === undefined) continue;
      this.#underWay += 1;
      line.underWay += 1;
      // At the end of the line, where this loop comes upon it again.
      this.#lines.delete(merchantId);
      this.#lines.set(merchantId, line);
      start(this.#slotOf(merchantId, line));
    }
  }

  #slotOf(merchantId: number, line: Line): Slot {
    let [isFinished, isLeft] = [false, false];
    const endIfOver = (): void => {
      if (!isFinished || !isLeft) return;
      line.underWay -= 1;
      this.#forgetIfIdle(merchantId, line);
    };
    const finish = (): void => {
      if (isFinished) return;
      isFinished = true;
      this.#underWay -= 1;
      endIfOver();
      this.#next();
    };
    const leave = (): void => {
      if (isLeft) return;
      isLeft = true;
      endIfOver();
      this.#next();
    };
    return { finish, leave };
  }

  #forgetIfIdle(merchantId: number, line: Line): void {
    if (line.underWay === 0 && line.waiting.length === 0) this.#lines.delete(merchantId);
  }
}

const tooMany = ({ ofMerchant, waiting }: SlotLimits): TooManyRequests =>
  new TooManyRequests(
    `There are ${ofMerchant} lists of yours under way and up to ${waiting} waiting; read their answers first.`,
  );

/** Makes the answer to a request for a list when it has a slot. */
export async function withListSlot<Result>(
  slots: ListSlots,
  request: FastifyRequest,
  reply: FastifyReply,
  read: () => Promise<Result>,
): Promise<Result> {
  const slot = await slots.take(merchantOf(request).id).catch((error: unknown) => {
    reply.header('retry-after', 1);
    throw error;
  });
  reply.raw.once('close', slot.leave);
  if (reply.raw.destroyed) slot.leave();
  try {
    requireBudget(request, reply);
    return await read();
  } catch (error) {
    slot.leave();
    throw error;
  } finally {
    slot.finish();
  }
}
