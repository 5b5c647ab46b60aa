// Rate limit per network for sign-in requests: links, passkey challenges, single sign-on. Normal sign-ins stay far below
// it.
import type { FastifyRequest, onRequestHookHandler } from 'fastify';
import { isUnnamedProxy, networkOf } from '../server/network.ts';
import { Budgets, spendOne } from '../server/rate-limit.ts';
import { TooManyRequests } from '../server/too-many-requests.ts';

const ASKED_A_SECOND = 30;
// An unconfigured proxy stands for everyone behind it.
const OF_PROXY_A_SECOND = 300;

const TEXT = 'Too many requests from this network to sign in. Try again in a moment.';

const rateOf = (request: FastifyRequest): number => (isUnnamedProxy(request) ? OF_PROXY_A_SECOND : ASKED_A_SECOND);

/** A hook of the routes that share the limit. */
export function limitSignIn(): onRequestHookHandler {
  const budgets = new Budgets();
  return (request, reply, done) => {
    const retryAfterS = spendOne(budgets.of(networkOf(request.ip), rateOf(request)));
    if (retryAfterS === undefined) return done();
    reply.header('retry-after', retryAfterS);
    done(new TooManyRequests(TEXT));
  };
}
