// Limits the pages that are nobody's, which need no key: the documentation and the figures. By address, since nothing else
// is known of who asks; a scraper and a reader never come near.
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Budgets, spendOne } from './rate-limit.ts';
import { TooManyRequests } from './too-many-requests.ts';

const PAGES_A_SECOND = 50;

export type PageLimit = (request: FastifyRequest, reply: FastifyReply, done: (error?: Error) => void) => void;

/** For routes that share a limit: a reader of the documentation is not in the way of a scraper. */
export function limitPages(): PageLimit {
  const budgets = new Budgets();
  return (request, reply, done) => {
    const retryAfterS = spendOne(budgets.of(request.ip, PAGES_A_SECOND));
    if (retryAfterS === undefined) return done();
    reply.header('retry-after', retryAfterS);
    done(new TooManyRequests(`Too many requests: an address may ask for ${PAGES_A_SECOND} pages a second.`));
  };
}
