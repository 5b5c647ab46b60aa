// Limits what is asked for in a second, in this process: of a live merchant by each of its keys, of a test merchant by
// all of them together. What is large counts for more than one: a tenant pays for what it asks. Off where no rate is set.
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { readKey } from './auth.ts';
import { merchantOf } from './request.ts';
import { TooManyRequests } from './too-many-requests.ts';

export type Rates = { readonly live: number | undefined; readonly test: number | undefined };

// Bodies and answers count once more for each of these; an ordinary request and its answer are a few kilobytes.
const BYTES_OF_ONE = 8_192;
const MS_PER_SECOND = 1_000;

/** What may still be asked for; less than nothing after something large. It grows by the rate, up to one second's. */
type Budget = { left: number; readonly rate: number; at: number };

export class Budgets {
  readonly #budgets = new Map<string | number, Budget>();
  #tidiedAt = 0;

  of(who: string | number, rate: number): Budget {
    const now = performance.now();
    this.#tidy(now);
    const budget = this.#budgets.get(who);
    if (budget === undefined) {
      const whole = { left: rate, rate, at: now };
      this.#budgets.set(who, whole);
      return whole;
    }
    grow(budget, now);
    return budget;
  }

  /** Whoever has a whole second's left need not be remembered. */
  #tidy(now: number): void {
    if (now - this.#tidiedAt < MS_PER_SECOND) return;
    this.#tidiedAt = now;
    for (const [who, budget] of this.#budgets) {
      grow(budget, now);
      if (budget.left >= budget.rate) this.#budgets.delete(who);
    }
  }
}

function grow(budget: Budget, now: number): void {
  budget.left = Math.min(budget.rate, budget.left + ((now - budget.at) / MS_PER_SECOND) * budget.rate);
  budget.at = now;
}

/** Takes one from a budget; where there is none left, gives the seconds after which there is. */
export function spendOne(budget: Budget): number | undefined {
  if (budget.left < 1) return Math.max(1, Math.ceil((1 - budget.left) / budget.rate));
  budget.left -= 1;
  return undefined;
}

/** The sentence of an answer to what is over the limit. */
export function describeLimit(live: boolean, rate: number): string {
  const whose = live ? 'each live key (KASSA_RATE_LIMIT)' : 'all keys of a test merchant (KASSA_TEST_RATE_LIMIT)';
  return `Too many requests: the limit is ${rate} a second for ${whose}, and each 8 KiB counts as one more; the Retry-After header says when to come back.`;
}

export function limitRates(api: FastifyInstance, rates: Rates): void {
  if (rates.live === undefined && rates.test === undefined) return;
  const budgets = new Budgets();
  const budgetOf = (request: FastifyRequest): Budget | undefined => {
    const { live, id } = merchantOf(request);
    const rate = live ? rates.live : rates.test;
    if (rate === undefined) return undefined;
    // The digits alone: a key can be spelled in many ways and is one key all the same.
    return budgets.of(live ? (readKey(request.headers.authorization)?.digits ?? '') : id, rate);
  };
  api.addHook('onRequest', (request, reply, done) => {
    const budget = budgetOf(request);
    if (budget === undefined) return done();
    const retryAfterS = spendOne(budget);
    if (retryAfterS === undefined) return done();
    reply.header('retry-after', retryAfterS);
    done(new TooManyRequests(describeLimit(merchantOf(request).live, budget.rate)));
  });
  api.addHook('onSend', (request, _reply, payload, done) => {
    const sent = typeof payload === 'string' ? payload.length : 0;
    const more = request.merchant === null ? 0 : Math.floor((request.bodyBytes + sent) / BYTES_OF_ONE);
    const budget = more === 0 ? undefined : budgetOf(request);
    if (budget) budget.left -= more;
    done();
  });
}
