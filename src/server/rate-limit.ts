// Rate limits per second, in this process. A live merchant has one for each of its keys, and one of a few times that
// rate for all of them together; a test merchant has one for all. Large or costly requests count for more than one. Off
// if no rate is set. Costlier routes set a `cost`, or call `spendMore`.
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
    /** The caller's budget; null if there is no limit. */
    budget: Budget | null;
    /** What it has cost so far, beyond the one that every request costs. */
    cost: number;
    /** Gives back what was set aside for it. */
    endTurn: (() => void) | null;
  }
  interface FastifyContextConfig {
    /** What a request costs beyond the one that every request costs. */
    cost?: number;
  }
}

export type Rates = { readonly live: number | undefined; readonly test: number | undefined };

// Bodies and responses cost one more for each of these; an ordinary request and its response are a few kilobytes.
export const BYTES_OF_ONE = 4_096;
// A character is up to three bytes.
const SMALL_LENGTH = BYTES_OF_ONE / 3;
// Nothing is set aside for a cheaper read.
const COSTLY = 8;
// A live merchant may have a hundred keys, and others share the process: its keys together get the rate of this many.
const KEYS_AT_FULL_RATE = 4;

/** The budget of a merchant; at a live one, each key has one as well. */
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

/** A hook of the routes that share a limit per second. */
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

/** The text of a 429. */
export function describeLimit(live: boolean, rate: number): string {
  const whose = live
    ? `each live key (KASSA_RATE_LIMIT) and ${rate * KEYS_AT_FULL_RATE} for all keys of the merchant`
    : 'all keys of a test merchant (KASSA_TEST_RATE_LIMIT)';
  return `Too many requests: the limit is ${rate} a second for ${whose}, and each 4 KiB counts as one more; the Retry-After header says when to come back.`;
}

/** By the headers: a chunked body announces no size. One that is too large is refused unread. */
const announcedBytes = ({ headers }: FastifyRequest): number =>
  Math.min(Number(headers['content-length']) || 0, LARGEST_BODY_BYTES);

/** Charges what a request costs beyond the one it was charged. */
export function spendMore(request: FastifyRequest, more: number): void {
  if (request.budget === null) return;
  request.cost += more;
  request.budget.spend(more);
}

/** The same, for bytes that were read to answer it. */
export const spendBytes = (request: FastifyRequest, bytes: number): void =>
  spendMore(request, Math.floor(bytes / BYTES_OF_ONE));

/** The same, for milliseconds of this thread or of the database, which has processors, too. */
export async function spendTime<Made>(request: FastifyRequest, make: () => Made | Promise<Made>): Promise<Made> {
  const startedAt = performance.now();
  try {
    return await make();
  } finally {
    spendMore(request, performance.now() - startedAt);
  }
}

/** For loading payments: a large one is charged before it is read. */
export const spendWhenLarge =
  (request: FastifyRequest) =>
  (bytes: number): void =>
    spendBytes(request, bytes);

/** After waiting, goes on only if nothing has used up the budget meanwhile. */
export function requireBudget(request: FastifyRequest): void {
  const { budget } = request;
  if (budget === null || budget.msUntil(0) === 0) return;
  throw tooMany(request, budget, budget.secondsUntil(1));
}

const tooMany = (request: FastifyRequest, { rate }: Budget, retryAfterS: number): TooManyRequests =>
  new TooManyRequests(describeLimit(merchantOf(request).live, rate), retryAfterS);

/** Only reads set their costs aside: writes announce their size, and may wait for an acquirer. */
const isRead = ({ method }: FastifyRequest): boolean => method === 'GET';

/** A request is charged when its response is made. Until then, as much is set aside as the last one of its kind cost. */
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
  // There may be no response if the client has left.
  reply.raw.once('close', end);
  if (reply.raw.destroyed) end();
}

export function limitRates(api: FastifyInstance, rates: Rates): void {
  if (rates.live === undefined && rates.test === undefined) return;
  const budgets = new Budgets();
  api.addHook('onRequest', (request, reply, done) => {
    // The digits alone: a key can be spelled in many ways.
    const budget = budgetOf(budgets, rates, merchantOf(request), readKey(request.headers.authorization)?.digits ?? '');
    request.budget = budget;
    if (budget === null) return done();
    // A charge never waits for what is set aside for a report.
    const retryAfterS = budget.take({ besideSetAside: isRead(request) });
    if (retryAfterS !== undefined) return done(tooMany(request, budget, retryAfterS));
    // Announced sizes are charged before the body arrives: of many large ones at once, the first few use up the budget.
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
