// Reads of lists take turns: each holds a connection and then a megabyte or two of answer. A merchant has a few under way
// until it has read their answers, a few more wait, and others are told to come back; all merchants together leave
// connections for everybody else's reads, and get theirs in turn.
import type { FastifyReply, FastifyRequest } from 'fastify';
import { merchantOf } from './request.ts';
import type { RouteContext } from './request.ts';
import { TooManyRequests } from './too-many-requests.ts';

export type Places = {
  /** Reads at the database at once, of all merchants. */
  readonly underWay: number;
  /** Reads of one merchant whose answers it has not read yet. */
  readonly ofMerchant: number;
  /** Reads of one merchant that may wait. */
  readonly waiting: number;
};

// At most half of the connections for reads.
const LISTS: Places = { underWay: 4, ofMerchant: 2, waiting: 8 };
// Who waits longer than this has answers that nobody reads.
const LONGEST_WAIT_MS = 10_000;

type Turn = {
  /** The answer is made: the next one may use the database. */
  readonly finish: () => void;
  /** The answer is read, or nobody wants it any more; while it is being made, the database has its work all the same. */
  readonly leave: () => void;
};

type Line = { underWay: number; readonly waiting: ((turn: Turn) => void)[] };

export class ReadTurns {
  /** Of merchants who read or wait, in the order of their turns. */
  readonly #lines = new Map<number, Line>();
  readonly #places: Places;
  #underWay = 0;

  constructor(places: Places = LISTS) {
    this.#places = places;
  }

  /** Waits for a turn; throws when too many wait already, or when it does not come. */
  async take(merchantId: number): Promise<Turn> {
    const line = this.#lines.get(merchantId) ?? { underWay: 0, waiting: [] };
    if (line.waiting.length >= this.#places.waiting) throw tooMany(this.#places);
    this.#lines.set(merchantId, line);
    const { promise, resolve, reject } = Promise.withResolvers<Turn>();
    line.waiting.push(resolve);
    this.#next();
    const timer = setTimeout(() => {
      const place = line.waiting.indexOf(resolve);
      if (place < 0) return;
      line.waiting.splice(place, 1);
      this.#forgetIfIdle(merchantId, line);
      reject(tooMany(this.#places));
    }, LONGEST_WAIT_MS);
    try {
      return await promise;
    } finally {
      clearTimeout(timer);
    }
  }

  #next(): void {
    for (const [merchantId, line] of this.#lines) {
      if (this.#underWay >= this.#places.underWay) return;
      const start = line.underWay < this.#places.ofMerchant ? line.waiting.shift() : undefined;
      if (start === undefined) continue;
      this.#underWay += 1;
      line.underWay += 1;
      // At the end of the line, where this loop comes upon it again.
      this.#lines.delete(merchantId);
      this.#lines.set(merchantId, line);
      start(this.#turnOf(merchantId, line));
    }
  }

  #turnOf(merchantId: number, line: Line): Turn {
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

const tooMany = ({ ofMerchant, waiting }: Places): TooManyRequests =>
  new TooManyRequests(
    `There are ${ofMerchant} lists of yours under way and up to ${waiting} waiting; read their answers first.`,
  );

/** For routes that read lists. */
export type ReadingContext = RouteContext & { readonly readTurns: ReadTurns };

/** Makes the answer to a request for a list when it is its turn. */
export async function inTurn<Result>(
  turns: ReadTurns,
  request: FastifyRequest,
  reply: FastifyReply,
  read: () => Promise<Result>,
): Promise<Result> {
  const turn = await turns.take(merchantOf(request).id).catch((error: unknown) => {
    reply.header('retry-after', 1);
    throw error;
  });
  reply.raw.once('close', turn.leave);
  if (reply.raw.destroyed) turn.leave();
  try {
    return await read();
  } catch (error) {
    turn.leave();
    throw error;
  } finally {
    turn.finish();
  }
}
