// Paces what serves people: the console, the checkout, the demo shop. It counts as the API does: a page is a few requests,
// each millisecond that it takes one more, and so is each 4 KiB that was read for it or shown. A merchant has for each kind
// of page as much as its keys have for requests, whoever opens them. Whoever is over it waits in line for a moment, where a
// program would be refused; only a line that is too long is refused. Off where no rate is set.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Merchant } from '../domain/merchant.ts';
import { isPrivate, networkOf } from './network.ts';
import { Budgets, grow, KEYS_AT_FULL_RATE, spend } from './rate-limit.ts';
import type { Budget, Rates } from './rate-limit.ts';
import { TooManyRequests } from './too-many-requests.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** Gives back what was set aside for a page, once it is made. */
    endTurn: (() => void) | null;
  }
}

// A browser asks for a dozen things with a page, and many sit behind one address.
const ASKED_A_SECOND = 100;
// A proxy that nobody named, or a suite of tests on one machine: it speaks for many.
const OF_PRIVATE_A_SECOND = 300;
// Who asks is looked up, and what is drawn is compressed.
const COST_OF_PAGE = 4;
// A line holds so many; and nobody waits longer than people look at an empty page, and proxies wait.
const MOST = { waiting: 256, waitMs: 10_000 };
// So many of whom nothing is known yet begin at once.
const FIRST_AT_ONCE = 4;
// After a costly page, what the next ones are expected to cost comes down slowly: a few at once would be a stall.
const REMEMBERED = 0.95;
const MS_PER_SECOND = 1_000;

const TEXT = 'Too many pages were asked for at once; the Retry-After header says when to come back.';

/** Those who share a budget, in the order in which they came. */
type Line = {
  readonly budget: Budget;
  readonly whole?: Line;
  /** What those under way may come to, until it is known. */
  setAside: number;
  expected: number;
  readonly waiting: Set<() => void>;
  timer?: NodeJS.Timeout;
};

/** Until there is something left of it and of what it is a part of. */
function msUntilFree({ budget, setAside, whole }: Line): number {
  grow(budget);
  const ms = ((setAside - budget.left) / budget.rate) * MS_PER_SECOND;
  return Math.max(0, ms, whole ? msUntilFree(whole) : 0);
}

function reserve(line: Line, count: number): void {
  line.setAside += count;
  if (line.whole) reserve(line.whole, count);
}

function letOn(line: Line): void {
  clearTimeout(line.timer);
  for (const goOn of line.waiting) {
    const ms = msUntilFree(line);
    if (ms > 0) {
      line.timer = setTimeout(letOn, Math.ceil(ms), line);
      return;
    }
    goOn();
  }
}

function tooMany(line: Line, reply: FastifyReply): TooManyRequests {
  reply.header('retry-after', Math.max(1, Math.ceil(msUntilFree(line) / MS_PER_SECOND)));
  return new TooManyRequests(TEXT);
}

/** Of one kind of page. */
export class PagePace {
  readonly #rates: Rates;
  readonly #most: typeof MOST;
  readonly #budgets = new Budgets();
  readonly #lines = new WeakMap<Budget, Line>();
  readonly #waiting = new Set<() => void>();

  constructor(rates: Rates, most = MOST) {
    this.#rates = rates;
    this.#most = most;
  }

  /** For a scope of routes: paces each address, and ends the turn of each page. */
  watch(app: FastifyInstance): void {
    app.addHook('onSend', (request, _reply, _payload, done) => {
      request.endTurn?.();
      done();
    });
    // Who waits when it stops is served before.
    app.addHook('preClose', async () => {
      for (const goOn of this.#waiting) goOn();
    });
    // Where test merchants are not limited, nobody but this machine asks.
    if (this.#rates.test === undefined) return;
    app.addHook('onRequest', async ({ ip }, reply) => {
      const rate = isPrivate(ip) ? OF_PRIVATE_A_SECOND : ASKED_A_SECOND;
      const line = this.#lineOf(this.#budgets.of(networkOf(ip), rate));
      await this.#wait(line, reply, () => spend(line.budget, 1));
    });
  }

  /** Waits for a merchant's turn to have a page made. `who` asks: at a live merchant each has a share of their own. */
  async begin(request: FastifyRequest, reply: FastifyReply, merchant: Merchant, who?: string): Promise<void> {
    const { id, live } = merchant;
    const rate = live ? this.#rates.live : this.#rates.test;
    if (rate === undefined || request.budget !== null) return;
    const whole = this.#budgets.of(id, live ? rate * KEYS_AT_FULL_RATE : rate);
    const line = this.#lineOf(live && who !== undefined ? this.#budgets.of(`${id} ${who}`, rate, whole) : whole);
    let expected = 0;
    await this.#wait(line, reply, () => {
      ({ expected } = line);
      reserve(line, expected);
    });
    const cost: Budget = { left: 0, rate: line.budget.rate, at: performance.now(), whole: line.budget };
    request.budget = cost;
    spend(cost, COST_OF_PAGE);
    const end = (): void => {
      if (request.endTurn === null) return;
      request.endTurn = null;
      reserve(line, -expected);
      line.expected = Math.max(-cost.left, line.expected * REMEMBERED);
      letOn(line);
    };
    request.endTurn = end;
    reply.raw.once('close', end);
    if (reply.raw.destroyed) end();
  }

  /** Calls `begin` when it is its turn. */
  #wait(line: Line, reply: FastifyReply, begin: () => void): Promise<void> {
    const { waiting } = line;
    if (waiting.size === 0 && msUntilFree(line) === 0) {
      begin();
      return Promise.resolve();
    }
    return new Promise((resolve, reject) => {
      if (waiting.size >= this.#most.waiting) return reject(tooMany(line, reply));
      const stop = (): void => {
        clearTimeout(timer);
        waiting.delete(goOn);
        this.#waiting.delete(goOn);
        if (waiting.size === 0) clearTimeout(line.timer);
        reply.raw.off('close', giveUp);
      };
      const goOn = (): void => {
        stop();
        begin();
        resolve();
      };
      const giveUp = (): void => {
        stop();
        reject(tooMany(line, reply));
      };
      const timer = setTimeout(giveUp, this.#most.waitMs);
      reply.raw.once('close', giveUp);
      waiting.add(goOn);
      this.#waiting.add(goOn);
      letOn(line);
    });
  }

  #lineOf(budget: Budget): Line {
    const known = this.#lines.get(budget);
    if (known) return known;
    const { whole, rate } = budget;
    const more = whole && { whole: this.#lineOf(whole) };
    const line: Line = { budget, ...more, setAside: 0, expected: rate / FIRST_AT_ONCE, waiting: new Set() };
    this.#lines.set(budget, line);
    return line;
  }
}

/** Whose consumer asks; of an address that speaks for many, nothing is known. */
export const consumerOf = ({ ip }: FastifyRequest): string | undefined => (isPrivate(ip) ? undefined : networkOf(ip));
