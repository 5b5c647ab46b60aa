// Limits what is asked for in a second, in this process: of a live merchant by each of its keys, and by all of them at a
// few times that rate; of a test merchant by all of them together. What is large, or means much work, counts for more than
// one: a tenant pays for what it asks. Off where no rate is set. Routes that cost more say so in their `cost`, or by
// `spendMore`.
import { setTimeout as sleep } from 'node:timers/promises';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { readKey } from './auth.ts';
import { LARGEST_BODY_BYTES } from './body.ts';
import { merchantOf } from './asker.ts';
import { TooManyRequests } from './too-many-requests.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** Of whoever asks; null where there is no limit. */
    budget: Budget | null;
    /** What it has counted beyond the one that every request counts as. */
    cost: number;
    /** What is set aside for it until that is known. */
    setAside: number;
  }
  interface FastifyContextConfig {
    /** What a request for it counts beyond the one that every request counts as. */
    cost?: number;
  }
}

export type Rates = { readonly live: number | undefined; readonly test: number | undefined };

// Bodies and answers count once more for each of these; an ordinary request and its answer are a few kilobytes.
export const BYTES_OF_ONE = 4_096;
// A character is up to three bytes long.
const SMALL_LENGTH = BYTES_OF_ONE / 3;
const MS_PER_SECOND = 1_000;
const TIDY_EVERY_MS = 10_000;
const KEPT_MS = 120_000;
// Whatever was asked for, one waits no longer.
const LONGEST_DEBT_S = 30;
// What is set aside for a read is what the last one of its route came to; what costs less than this needs nothing.
const COSTLY = 8;
// After a costly read, what the next ones are expected to cost comes down slowly.
const REMEMBERED = 0.95;
// Beyond it whoever is new is not counted: somebody with so many addresses is not stopped by counting them.
const MOST_BUDGETS = 100_000;
// A live merchant may have a hundred keys, and others share the process: all of its keys have what so many may ask for.
export const KEYS_AT_FULL_RATE = 4;

/** What may still be asked for; less than nothing after something large. It grows by the rate, up to one second's. */
export type Budget = {
  left: number;
  readonly rate: number;
  at: number;
  /** For costly reads that are under way. */
  setAside?: number;
  /** What the last costly read of each route came to. */
  costs?: Map<object, number>;
  /** What it is a part of, and takes from as well. */
  readonly whole?: Budget;
};

export class Budgets {
  readonly #budgets = new Map<string | number, Budget>();
  #tidiedAt = 0;

  of(who: string | number, rate: number, whole?: Budget): Budget {
    const now = performance.now();
    this.#tidy(now);
    const budget = this.#budgets.get(who) ?? { left: rate, rate, at: now, ...(whole && { whole }) };
    if (this.#budgets.size < MOST_BUDGETS || this.#budgets.has(who)) this.#budgets.set(who, budget);
    grow(budget);
    return budget;
  }

  /** Whoever has not asked for that long has a whole second's left: nobody's debt takes longer to pay. */
  #tidy(now: number): void {
    if (now - this.#tidiedAt < TIDY_EVERY_MS) return;
    this.#tidiedAt = now;
    for (const [who, { at }] of this.#budgets) if (now - at > KEPT_MS) this.#budgets.delete(who);
  }
}

export function grow(budget: Budget): void {
  const now = performance.now();
  budget.left = Math.min(budget.rate, budget.left + ((now - budget.at) / MS_PER_SECOND) * budget.rate);
  budget.at = now;
}

/** Takes as many as something turns out to be worth, below nothing if need be. */
export function spend(budget: Budget, count: number): void {
  budget.left = Math.max(budget.left - count, -LONGEST_DEBT_S * budget.rate);
  if (budget.whole) spend(budget.whole, count);
}

const secondsUntilOne = ({ left, rate }: Budget): number => Math.max(1, Math.ceil((1 - left) / rate));

/**
 * Takes one from a budget; where there is none left, gives the seconds after which there is. What is set aside for costly
 * reads holds back other reads: nobody's charge waits for a report.
 */
export function spendOne(budget: Budget, forRead = false): number | undefined {
  const hasOne = ({ left, setAside = 0 }: Budget): boolean => left - (forRead ? setAside : 0) >= 1;
  if (!hasOne(budget)) return secondsUntilOne(budget);
  if (budget.whole !== undefined && !hasOne(budget.whole)) return secondsUntilOne(budget.whole);
  spend(budget, 1);
  return undefined;
}

/** The sentence of an answer to what is over the limit. */
export function describeLimit(live: boolean, rate: number): string {
  const whose = live
    ? `each live key (KASSA_RATE_LIMIT) and ${rate * KEYS_AT_FULL_RATE} for all keys of the merchant`
    : 'all keys of a test merchant (KASSA_TEST_RATE_LIMIT)';
  return `Too many requests: the limit is ${rate} a second for ${whose}, and each 4 KiB counts as one more; the Retry-After header says when to come back.`;
}

/** Of its body, by its headers: a body that comes in chunks announces nothing. One too large is refused unread. */
const announcedBytes = ({ headers }: FastifyRequest): number =>
  Math.min(Number(headers['content-length']) || 0, LARGEST_BODY_BYTES);

/** What a request turns out to ask for beyond the one that it counts as. */
export function spendMore(request: FastifyRequest, more: number): void {
  if (request.budget === null) return;
  request.cost += more;
  spend(request.budget, more);
}

/** The same, of bytes that were read to answer it. */
export const spendBytes = (request: FastifyRequest, bytes: number): void =>
  spendMore(request, Math.floor(bytes / BYTES_OF_ONE));

/** Of what is told piece by piece: waits until the pieces before are paid for. */
export async function payOff(budget: Budget | null): Promise<void> {
  for (let each: Budget | undefined = budget ?? undefined; each !== undefined; each = each.whole)
    while (isInDebt(each)) await sleep((-each.left / each.rate) * MS_PER_SECOND);
}

/** Counts the processor's time in milliseconds, and gives what was made in it. */
export function spendTime<Made>(request: FastifyRequest, make: () => Made): Made {
  if (request.budget === null) return make();
  const startedAt = performance.now();
  const made = make();
  spendMore(request, performance.now() - startedAt);
  return made;
}

/** For loads: what is large counts before it is read. */
export const spendWhenLarge =
  (request: FastifyRequest) =>
  (bytes: number): void =>
    spendBytes(request, bytes);

function isInDebt(budget: Budget): boolean {
  grow(budget);
  return budget.left < 0;
}

/** Whoever has waited is let go on only if nothing has used up the budget meanwhile. */
export function requireBudget(request: FastifyRequest, reply: FastifyReply): void {
  const { budget } = request;
  if (budget === null) return;
  const inDebt = [budget, budget.whole].find((each) => each !== undefined && isInDebt(each));
  if (inDebt === undefined) return;
  reply.header('retry-after', secondsUntilOne(inDebt));
  throw tooMany(request, budget);
}

const tooMany = (request: FastifyRequest, { rate }: Budget): TooManyRequests =>
  new TooManyRequests(describeLimit(merchantOf(request).live, rate));

function keepAside(budget: Budget, count: number): void {
  budget.setAside = (budget.setAside ?? 0) + count;
  if (budget.whole) keepAside(budget.whole, count);
}

/** What is written is announced, or counts before it is read, and it may wait for an acquirer. */
const isRead = ({ method }: FastifyRequest): boolean => method === 'GET';

/**
 * A costly read counts when its cost is known, which is when it has been made. Until then as much is set aside as the last
 * one of its route came to: of many that come at once one is made, and not all of them before the first has counted.
 */
function expectCost(request: FastifyRequest, reply: FastifyReply, budget: Budget): void {
  if (!isRead(request)) return;
  const expected = budget.costs?.get(request.routeOptions.config);
  if (expected === undefined) return;
  request.setAside = expected;
  keepAside(budget, expected);
  // Where nobody waits any more, there may be no answer.
  const giveBack = (): void => {
    if (request.setAside > 0) noteCost(request, budget);
  };
  reply.raw.once('close', giveBack);
  if (reply.raw.destroyed) giveBack();
}

function noteCost(request: FastifyRequest, budget: Budget): void {
  const { cost, setAside: expected, routeOptions } = request;
  request.setAside = 0;
  if (expected > 0) keepAside(budget, -expected);
  const next = Math.max(cost, expected * REMEMBERED);
  if (next >= COSTLY) (budget.costs ??= new Map()).set(routeOptions.config, next);
  else if (expected > 0) budget.costs?.delete(routeOptions.config);
}

export function limitRates(api: FastifyInstance, rates: Rates): void {
  if (rates.live === undefined && rates.test === undefined) return;
  const budgets = new Budgets();
  const budgetOf = (request: FastifyRequest): Budget | null => {
    const { live, id } = merchantOf(request);
    const rate = live ? rates.live : rates.test;
    if (rate === undefined) return null;
    if (!live) return budgets.of(id, rate);
    // The digits alone: a key can be spelled in many ways and is one key all the same.
    const key = readKey(request.headers.authorization)?.digits ?? '';
    return budgets.of(key, rate, budgets.of(id, rate * KEYS_AT_FULL_RATE));
  };
  api.addHook('onRequest', (request, reply, done) => {
    const budget = budgetOf(request);
    request.budget = budget;
    if (budget === null) return done();
    const retryAfterS = spendOne(budget, isRead(request));
    if (retryAfterS !== undefined) {
      reply.header('retry-after', retryAfterS);
      return done(tooMany(request, budget));
    }
    // What is announced counts before it comes: of many large ones at once, the first few use up the budget.
    spend(budget, Math.floor(announcedBytes(request) / BYTES_OF_ONE) + (request.routeOptions.config.cost ?? 0));
    expectCost(request, reply, budget);
    done();
  });
  api.addHook('onSend', (request, _reply, payload, done) => {
    if (request.budget !== null) {
      const sent = typeof payload === 'string' && payload.length > SMALL_LENGTH ? Buffer.byteLength(payload) : 0;
      const unannounced = Math.max(0, request.bodyBytes - announcedBytes(request));
      spendBytes(request, unannounced + sent);
      if (isRead(request)) noteCost(request, request.budget);
    }
    done();
  });
}
