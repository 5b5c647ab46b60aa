// Limits what is asked for in a second, in this process: of a live merchant by each of its keys, and by all of them at a
// few times that rate; of a test merchant by all of them together. What is large, or means much work, counts for more than
// one: a tenant pays for what it asks. Off where no rate is set. Routes that cost more say so in their `cost`, or by
// `spendMore`.
import type { FastifyInstance, FastifyReply, FastifyRequest, onRequestHookHandler } from 'fastify';
import { Budgets } from '../ops/budget.ts';
import type { Merchant } from '../domain/merchant.ts';
import type { Budget } from '../ops/budget.ts';
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
    /** Gives back what was set aside for it. */
    endTurn: (() => void) | null;
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
// A read that costs less needs nothing set aside.
const COSTLY = 8;
// A live merchant may have a hundred keys, and others share the process: all of its keys have what so many may ask for.
const KEYS_AT_FULL_RATE = 4;

/** The budget of a merchant; at a live one, each of those who ask for it has one as well. */
export function budgetOf(
  budgets: Budgets,
  rates: Rates,
  { id, live }: Pick<Merchant, 'id' | 'live'>,
  who?: string,
): Budget | null {
  const rate = live ? rates.live : rates.test;
  if (rate === undefined) return null;
  const whole = budgets.of(id, live ? rate * KEYS_AT_FULL_RATE : rate);
  return live && who !== undefined ? budgets.of(`${id} ${who}`, rate, whole) : whole;
}

/** A hook of the routes that share a limit by the second. */
export function limitBy(
  budgetFor: (request: FastifyRequest) => Budget,
  text: string,
  onTaken?: (request: FastifyRequest, budget: Budget) => void,
): onRequestHookHandler {
  return (request, _reply, done) => {
    const budget = budgetFor(request);
    const retryAfterS = budget.take();
    if (retryAfterS === undefined) {
      onTaken?.(request, budget);
      return done();
    }
    done(new TooManyRequests(text, retryAfterS));
  };
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
  request.budget.spend(more);
}

/** The same, of bytes that were read to answer it. */
export const spendBytes = (request: FastifyRequest, bytes: number): void =>
  spendMore(request, Math.floor(bytes / BYTES_OF_ONE));

/** The same, of the milliseconds that it takes: of this thread, or of the database, which has processors, too. */
export async function spendTime<Made>(request: FastifyRequest, make: () => Made | Promise<Made>): Promise<Made> {
  const startedAt = performance.now();
  try {
    return await make();
  } finally {
    spendMore(request, performance.now() - startedAt);
  }
}

/** For loads: what is large counts before it is read. */
export const spendWhenLarge =
  (request: FastifyRequest) =>
  (bytes: number): void =>
    spendBytes(request, bytes);

/** Whoever has waited is let go on only if nothing has used up the budget meanwhile. */
export function requireBudget(request: FastifyRequest): void {
  const { budget } = request;
  if (budget === null || budget.msUntil(0) === 0) return;
  throw tooMany(request, budget, budget.secondsUntil(1));
}

const tooMany = (request: FastifyRequest, { rate }: Budget, retryAfterS: number): TooManyRequests =>
  new TooManyRequests(describeLimit(merchantOf(request).live, rate), retryAfterS);

/** What is written is announced, or counts before it is read, and it may wait for an acquirer. */
const isRead = ({ method }: FastifyRequest): boolean => method === 'GET';

/** What a request costs counts when it has been made. Until then as much is set aside as the last one of its kind cost. */
export function expectCost(
  request: FastifyRequest,
  reply: FastifyReply,
  budget: Budget,
  kind: unknown,
  { first = 0, least = 0, onEnd }: { readonly first?: number; readonly least?: number; readonly onEnd?: () => void },
): void {
  const expected = budget.expect(kind, first);
  const end = (): void => {
    if (request.endTurn !== end) return;
    request.endTurn = null;
    budget.learn(kind, expected, request.cost, least);
    onEnd?.();
  };
  request.endTurn = end;
  if (expected === 0 && onEnd === undefined) return;
  // Where nobody waits any more, there may be no answer.
  reply.raw.once('close', end);
  if (reply.raw.destroyed) end();
}

export function limitRates(api: FastifyInstance, rates: Rates): void {
  if (rates.live === undefined && rates.test === undefined) return;
  const budgets = new Budgets();
  api.addHook('onRequest', (request, reply, done) => {
    // The digits alone: a key can be spelled in many ways and is one key all the same.
    const budget = budgetOf(budgets, rates, merchantOf(request), readKey(request.headers.authorization)?.digits ?? '');
    request.budget = budget;
    if (budget === null) return done();
    // Nobody's charge waits for what is set aside for a report.
    const retryAfterS = budget.take({ besideSetAside: isRead(request) });
    if (retryAfterS !== undefined) return done(tooMany(request, budget, retryAfterS));
    // What is announced counts before it comes: of many large ones at once, the first few use up the budget.
    budget.spend(Math.floor(announcedBytes(request) / BYTES_OF_ONE) + (request.routeOptions.config.cost ?? 0));
    if (isRead(request)) expectCost(request, reply, budget, request.routeOptions.config, { least: COSTLY });
    done();
  });
  api.addHook('onSend', (request, _reply, payload, done) => {
    if (request.budget !== null) {
      const sent = typeof payload === 'string' && payload.length > SMALL_LENGTH ? Buffer.byteLength(payload) : 0;
      const unannounced = Math.max(0, request.bodyBytes - announcedBytes(request));
      spendBytes(request, unannounced + sent);
      request.endTurn?.();
    }
    done();
  });
}
