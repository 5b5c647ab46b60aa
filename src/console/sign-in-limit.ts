// Rate limit per network for sign-in requests: links, passkey challenges, single sign-on. Normal sign-ins stay far below
// it.
import type { onRequestHookHandler } from 'fastify';
import { Budgets } from '../ops/budget.ts';
import { isUnnamedProxy, networkOf } from '../server/network.ts';
import { limitBy } from '../server/rate-limit.ts';

const ASKED_A_SECOND = 30;
// An unconfigured proxy stands for everyone behind it.
const OF_PROXY_A_SECOND = 300;

const TEXT = 'Too many requests from this network to sign in. Try again in a moment.';

/** A hook of the routes that share the limit. */
export function limitSignIn(): onRequestHookHandler {
  const budgets = new Budgets();
  return limitBy(
    (request) => budgets.of(networkOf(request.ip), isUnnamedProxy(request) ? OF_PROXY_A_SECOND : ASKED_A_SECOND),
    TEXT,
  );
}
