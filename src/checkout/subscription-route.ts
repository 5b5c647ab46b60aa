// The consumer's page of a subscription: /subscriptions/{id}/{secret} shows it, …/end asks whether they mean it, and a POST
// there ends it. Nothing else changes anything, and there are no cookies, so nobody can do it in a consumer's name who does
// not have the address. An address that is wrong in any way leads to one and the same page.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { readLanguage } from '../pages/language.ts';
import { readId } from '../domain/id.ts';
import type { Merchant } from '../domain/merchant.ts';
import { hasExpired } from '../domain/subscription.ts';
import type { Subscription } from '../domain/subscription.ts';
import { consumerOf } from '../server/page-pace.ts';
import { Budgets } from '../ops/budget.ts';
import { sendPage } from '../pages/asset.ts';
import { pageHeaders } from '../pages/headers.ts';
import { nowOf } from '../payments/clock.ts';
import { endSubscription } from '../payments/end-subscription.ts';
import { isSameSecret } from '../payments/ids.ts';
import { listCharges } from '../store/payments/renewals.ts';
import { findAnySubscription, findSubscriptionSecret } from '../store/payments/subscriptions.ts';
import { queryText, rootOf } from './context.ts';
import type { CheckoutContext } from './context.ts';
import { brandingOf } from './branding-route.ts';
import { renderFault } from './page/fault-page.ts';
import { renderSubscription } from './page/subscription-page.ts';
import { answerTroubleWithPage, sendFault } from './pages.ts';
import { frameOf } from './state.ts';
import { findPurchases, mergeCharges } from './subscription-purchases.ts';
import type { Frame, SubscriptionStanding } from './view.ts';

// Two years of months; who wants more asks the shop.
const MOST_CHARGES = 24;
// Of an address: nobody guesses 128 bits, but nobody is to make us look for them all day, either.
const MOST_A_SECOND = 50;
// It holds nothing.
const LARGEST_FORM_BYTES = 1_024;

// A page that the browser kept would say that it is still active.
const HEADERS = { ...pageHeaders("'none'"), 'cache-control': 'no-store' };

type Found = { readonly merchant: Merchant; readonly subscription: Subscription };
type Params = { readonly id: string; readonly secret: string };

const paramsOf = (request: FastifyRequest): Params => request.params as Params;

async function find({ payments: { store } }: CheckoutContext, { id, secret }: Params): Promise<Found | undefined> {
  const target = readId(id);
  const known = target && (await findSubscriptionSecret(store.pool, target));
  if (!target || !known || !isSameSecret(known, secret)) return undefined;
  const subscription = await findAnySubscription(store.pool, target);
  if (!subscription) return undefined;
  const merchant = await store.merchants.findById(subscription.merchantId);
  return merchant && { merchant, subscription };
}

const standingOf = (subscription: Subscription, at: number): SubscriptionStanding =>
  subscription.state !== 'ended' && hasExpired(subscription, at) ? 'expired' : subscription.state;

const pathOf = (context: CheckoutContext, { id, secret }: Params): string =>
  `${rootOf(context)}/subscriptions/${encodeURIComponent(id)}/${encodeURIComponent(secret)}`;

/** In the language that was chosen, else in which they agreed, else as the browser wants it. */
function frameFor(context: CheckoutContext, request: FastifyRequest, found?: Found): Frame {
  const chosen = queryText(request, 'language') || found?.subscription.consent.language;
  const language = readLanguage(chosen, request.headers['accept-language']);
  return frameOf(context, 'hosted', language, pathOf(context, paramsOf(request)));
}

async function show(
  context: CheckoutContext,
  request: FastifyRequest,
  reply: FastifyReply,
  isAsking: boolean,
): Promise<FastifyReply> {
  const found = await find(context, paramsOf(request));
  const frame = frameFor(context, request, found);
  if (found === undefined) return sendFault(request, reply, frame, 'no_such_subscription');
  const { merchant, subscription } = found;
  await context.pace.begin(request, reply, merchant, consumerOf(request));
  const { store } = context.payments;
  // After a restart it is shown only when the synchronous standby has it, as payments are.
  await store.read({ merchantId: merchant.id, target: subscription.id });
  const at = nowOf(merchant);
  const standing = standingOf(subscription, at);
  const renewals = await listCharges(store.pool, subscription.id, MOST_CHARGES);
  const bought = await findPurchases(context, subscription);
  const { charges, hasOlder } = mergeCharges(renewals, bought.purchases, MOST_CHARGES);
  const page = renderSubscription({
    ...frame,
    ...brandingOf(context, merchant),
    shopName: merchant.name,
    live: merchant.live,
    at,
    standing,
    subscription,
    charges,
    hasOlder,
    hasRenewals: renewals.charges.length > 0,
    ...bought.shown,
    // What is over cannot be ended: who comes to the question late sees that.
    isAsked: isAsking && (standing === 'active' || standing === 'needs_card'),
    endUrl: `${frame.self}/end`,
  });
  return sendPage(request, reply.headers(HEADERS), page);
}

export function routeSubscriptionPage(app: FastifyInstance, context: CheckoutContext): void {
  answerTroubleWithPage(app, (request) => frameFor(context, request), 'no_such_subscription');
  app.addContentTypeParser('application/x-www-form-urlencoded', { parseAs: 'string' }, (_request, _text, done) =>
    done(null, {}),
  );
  const budgets = new Budgets();
  app.addHook('onRequest', async (request, reply) => {
    const retryAfterS = budgets.of(request.ip, MOST_A_SECOND).take();
    if (retryAfterS === undefined) return undefined;
    reply.code(429).headers(HEADERS).header('retry-after', retryAfterS);
    return sendPage(request, reply, renderFault({ ...frameFor(context, request), fault: 'too_many_requests' }));
  });
  app.get('/subscriptions/:id/:secret', (request, reply) => show(context, request, reply, false));
  app.get('/subscriptions/:id/:secret/end', (request, reply) => show(context, request, reply, true));
  app.post('/subscriptions/:id/:secret/end', { bodyLimit: LARGEST_FORM_BYTES }, async (request, reply) => {
    const found = await find(context, paramsOf(request));
    const frame = frameFor(context, request, found);
    if (found === undefined) return sendFault(request, reply, frame, 'no_such_subscription');
    request.merchant = found.merchant;
    const came = await endSubscription(context.payments, found.subscription, 'consumer');
    if (came === 'ended')
      request.log.info({ subscription: found.subscription.id }, 'subscription ended by its consumer');
    // A redirect, so that a reload does not send the form again.
    return reply.redirect(`${frame.self}?language=${frame.language}`, 303);
  });
}
