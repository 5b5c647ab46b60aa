// Limits the requests a second of each secret key, in this process. Off where no rate is set.
import rateLimit from '@fastify/rate-limit';
import type { FastifyInstance } from 'fastify';
import { merchantOf } from './request.ts';
import { TooManyRequests } from './too-many-requests.ts';

export type Rates = { readonly live: number | undefined; readonly test: number | undefined };

const WINDOW_MS = 1_000;

export async function limitRates(api: FastifyInstance, rates: Rates): Promise<void> {
  if (rates.live === undefined && rates.test === undefined) return;
  const rateOf = (request: Parameters<typeof merchantOf>[0]): number | undefined =>
    merchantOf(request).live ? rates.live : rates.test;
  await api.register(rateLimit, {
    timeWindow: WINDOW_MS,
    max: (request) => rateOf(request) ?? Number.POSITIVE_INFINITY,
    allowList: (request) => rateOf(request) === undefined,
    keyGenerator: (request) => request.headers.authorization ?? '',
    errorResponseBuilder: () => new TooManyRequests(),
    addHeadersOnExceeding: { 'x-ratelimit-limit': false, 'x-ratelimit-remaining': false, 'x-ratelimit-reset': false },
  });
}
