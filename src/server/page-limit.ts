// Limits public pages, which need no key: the documentation and the metrics. The limit is per address, since nothing
// else is known of the client; a scraper or a reader never comes near it.
import type { FastifyRequest, onRequestHookHandler, onSendHookHandler } from 'fastify';
import { Budgets } from '../ops/budget.ts';
import { codingOf } from '../pages/asset.ts';
import { limitBy } from './rate-limit.ts';

const PAGES_A_SECOND = 50;
// A page costs one more for each of these, since writing a large one delays everybody else.
const BYTES_OF_ONE = 65_536;

/** Hooks of a route. */
export type PageLimit = { readonly onRequest: onRequestHookHandler; readonly onSend: onSendHookHandler };

const TEXT = `Too many requests: an address may ask for ${PAGES_A_SECOND} pages a second, and each 64 KiB counts as one more.`;

const costOf = (payload: unknown): number =>
  typeof payload === 'string' || Buffer.isBuffer(payload) ? Math.floor(payload.length / BYTES_OF_ONE) : 0;

/** For routes that share a limit: the documentation and the scraper have separate ones. */
export function limitPages(): PageLimit {
  const budgets = new Budgets();
  // The cost of each page when it was last sent, so that concurrent requests are charged before the first is answered.
  const costs = new Map<string, number>();
  const keyOf = (request: FastifyRequest): string => `${request.routeOptions.url} ${codingOf(request)}`;
  return {
    onRequest: limitBy(
      ({ ip }) => budgets.of(ip, PAGES_A_SECOND),
      TEXT,
      (request, budget) => budget.spend(costs.get(keyOf(request)) ?? 0),
    ),
    onSend: (request, reply, payload, done) => {
      if (reply.statusCode === 200) costs.set(keyOf(request), costOf(payload));
      done();
    },
  };
}
