// Limits the requests a second of each secret key, in this process. Off where no rate is set.
import rateLimit from '@fastify/rate-limit';
import type { FastifyRateLimitStore } from '@fastify/rate-limit';
import type { FastifyInstance } from 'fastify';
import { readKey } from './auth.ts';
import { merchantOf } from './request.ts';
import { TooManyRequests } from './too-many-requests.ts';

export type Rates = { readonly live: number | undefined; readonly test: number | undefined };

const WINDOW_MS = 1_000;

/**
 * Counts the requests of this window by key. The plugin's own store gives every request of a burst the same object and
 * so the count of the last one: it would refuse the first of them, too.
 */
class Counts implements FastifyRateLimitStore {
  #startedAt = 0;
  readonly #counts = new Map<string, number>();

  incr(key: string, done: Parameters<FastifyRateLimitStore['incr']>[1]): void {
    const now = performance.now();
    if (now - this.#startedAt >= WINDOW_MS) {
      this.#startedAt = now;
      this.#counts.clear();
    }
    const current = (this.#counts.get(key) ?? 0) + 1;
    this.#counts.set(key, current);
    done(null, { current, ttl: WINDOW_MS - (now - this.#startedAt) });
  }

  child(): Counts {
    return this;
  }
}

export async function limitRates(api: FastifyInstance, rates: Rates): Promise<void> {
  if (rates.live === undefined && rates.test === undefined) return;
  const rateOf = (request: Parameters<typeof merchantOf>[0]): number | undefined =>
    merchantOf(request).live ? rates.live : rates.test;
  await api.register(rateLimit, {
    store: Counts,
    timeWindow: WINDOW_MS,
    max: (request) => rateOf(request) ?? Number.POSITIVE_INFINITY,
    allowList: (request) => rateOf(request) === undefined,
    // The digits alone: a key can be spelled in many ways and is one key all the same.
    keyGenerator: (request) => readKey(request.headers.authorization)?.digits ?? '',
    errorResponseBuilder: () => new TooManyRequests(),
    addHeadersOnExceeding: { 'x-ratelimit-limit': false, 'x-ratelimit-remaining': false, 'x-ratelimit-reset': false },
  });
}
