// What somebody may ask for who is not in yet: links, questions to passkeys, the company's sign-in. By network, since
// nothing else is known of them; whoever signs in never comes near.
import type { onRequestHookHandler } from 'fastify';
import { Budgets } from '../ops/budget.ts';
import { isUnnamedProxy, networkOf } from '../server/network.ts';
import { limitBy } from '../server/rate-limit.ts';

const ASKED_A_SECOND = 30;
// A proxy that nobody named speaks for everybody behind it.
const OF_PROXY_A_SECOND = 300;

const TEXT = 'Too many requests from this network to sign in. Try again in a moment.';

/** A hook of the routes that share the limit. */
export function limitDoors(): onRequestHookHandler {
  const budgets = new Budgets();
  return limitBy(
    (request) => budgets.of(networkOf(request.ip), isUnnamedProxy(request) ? OF_PROXY_A_SECOND : ASKED_A_SECOND),
    TEXT,
  );
}
