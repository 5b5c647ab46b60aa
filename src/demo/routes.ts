// The demo shop: the first thing that a newcomer opens. A shop like any other: its backend holds the secret key of the
// sandbox and makes its payments through the API, over HTTP; its pages never see that key.
import { randomUUID } from 'node:crypto';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import * as Type from '../schema/type.ts';
import { readId } from '../domain/id.ts';
import type { PagePace } from '../server/page-pace.ts';
import { sendPage } from '../pages/asset.ts';
import { pageHeaders } from '../pages/headers.ts';
import { describeFailure, isSuccess } from './api.ts';
import { routeDemoAssets } from './assets.ts';
import { ACTIONS, openBackend } from './backend.ts';
import type { Action, Backend, Read } from './backend.ts';
import { SHIPS_TO } from './catalogue.ts';
import { limitPerMinute, reasonForeign, refuse } from './guard.ts';
import type { Call, DemoEvent } from './journal.ts';
import { renderCheckout } from './page/checkout.ts';
import { placeOf } from './page/frame.ts';
import type { Place } from './page/frame.ts';
import { renderOrder } from './page/order.ts';
import type { Notice } from './page/order.ts';
import { renderShop } from './page/shop.ts';
import { renderNoDemo, renderText, TERMS } from './page/text.ts';
import type { WhyNoDemo } from './page/text.ts';
import { addsShipping, itemsOf, languageOf, ScenarioSchema } from './scenario.ts';
import type { Scenario } from './scenario.ts';

export type DemoOptions = {
  readonly sandbox: { readonly merchantId: number; readonly secretKey: string; readonly checkoutKey: string };
  /** Where this process reaches its own API. */
  readonly apiUrl: () => string;
  readonly publicUrl: () => string;
  readonly pace: PagePace;
  /** Where the console of its merchant is, if there is one. */
  readonly consoleUrl?: () => string;
  /** Of a payment, or of a subscription. */
  readonly eventsOf: (id: string) => Promise<readonly DemoEvent[]>;
};

// A person cannot buy that fast; a robot shall find no toy on a sandbox that stands in the open.
const MOST_CREATES_A_MINUTE = 60;
const MOST_ACTIONS_A_MINUTE = 240;

// Nobody frames the shop; it sends its own address along, by which its requests are told from others'.
const PAGE_HEADERS = { ...pageHeaders("'none'"), 'referrer-policy': 'same-origin', 'cache-control': 'no-store' };

const ShippingSchema = Type.Object({ countryCode: Type.String({ enum: [...SHIPS_TO] }) });
const ActionSchema = Type.Object({
  once: Type.String({ pattern: '^[\\w-]{8,64}$' }),
  amount: Type.Optional(Type.Number()),
  chargeId: Type.Optional(Type.String({ maxLength: 64 })),
});

type Shop = DemoOptions & { readonly backend: Backend; readonly place: () => Place };

const showPage = (request: FastifyRequest, reply: FastifyReply, page: string, status = 200): Promise<FastifyReply> =>
  sendPage(request, reply.code(status).headers(PAGE_HEADERS), page);

/** What a call that failed comes to for the visitor: the fault is never theirs. */
const refuseFailed = (reply: FastifyReply, call: Call): FastifyReply =>
  refuse(reply, 502, `Kassa refused the shop's call (${call.status ?? 'no answer'}). ${describeFailure(call)}`);

/** The payment's id in the path, as an API spells it; what is none is nobody's payment. */
const paymentIdIn = (request: FastifyRequest): string =>
  readId((request.params as { paymentId: string }).paymentId) ?? '';

function showLost(
  request: FastifyRequest,
  reply: FastifyReply,
  place: Place,
  { status }: Partial<Call>,
): Promise<FastifyReply> {
  if (status !== undefined && status < 500)
    return showPage(
      request,
      reply,
      renderText(place, 'No such order', ['This shop has sold nothing under that number.']),
      404,
    );
  const page = renderText(place, 'Kassa does not answer', [
    'The order is safe, but cannot be read now. Try again soon.',
  ]);
  return showPage(request, reply, page, 502);
}

/** The outcome of an action in one sentence, also for those who hear it. */
function noticeOf(name: Action['name'], call: Call): Notice {
  const title = `${name.charAt(0).toUpperCase()}${name.slice(1)}`;
  if (isSuccess(call)) return { text: `${title}: done, answered with ${call.status}.`, isBad: false };
  if (call.status === undefined)
    return { text: `${title}: there was no answer. Look before you repeat it.`, isBad: true };
  return { text: `${title}: refused with ${call.status}. ${describeFailure(call)}`, isBad: true };
}

type Shown = { readonly request: FastifyRequest; readonly reply: FastifyReply; readonly paymentId: string };

/** Reads the order and shows it, with what was just done to it. */
async function showOrder(shop: Shop, { request, reply, paymentId }: Shown, notice?: Notice): Promise<FastifyReply> {
  const place = shop.place();
  const { call, order, subscription }: Read =
    paymentId === '' ? { call: { status: 404 } as Call } : await shop.backend.read(paymentId);
  if (order === undefined) return showLost(request, reply, place, call);
  const { scenario, calls = [] } = shop.backend.remembered(paymentId) ?? {};
  // That it was ended is told of the subscription, and not of the payment.
  const ends = subscription === undefined ? [] : await shop.eventsOf(subscription.subscriptionId);
  const events = [...(await shop.eventsOf(paymentId)), ...ends];
  const page = renderOrder(place, {
    order,
    read: call,
    story: { calls, events, isForgotten: scenario === undefined && calls.length === 0 },
    ...(subscription && { subscription }),
    once: randomUUID(),
    ...(notice !== undefined && { notice }),
  });
  return showPage(request, reply, page);
}

function routeShop(app: FastifyInstance, { place, backend, sandbox }: Shop): void {
  app.get('/demo', async (request, reply) => {
    const { left } = request.query as { left?: unknown };
    return showPage(request, reply, renderShop(place(), left === 'checkout'));
  });

  app.get('/demo/terms', async (request, reply) =>
    showPage(request, reply, renderText(place(), 'Terms of this shop', TERMS)),
  );

  app.get('/demo/checkout/:paymentId', async (request, reply) => {
    const paymentId = paymentIdIn(request);
    const scenario = backend.remembered(paymentId)?.scenario;
    if (paymentId === '') return showLost(request, reply, place(), { status: 404 });
    const page = renderCheckout(place(), {
      paymentId,
      checkoutKey: sandbox.checkoutKey,
      language: scenario ? languageOf(scenario) : 'en-GB',
      addsShipping: scenario !== undefined && addsShipping(scenario),
    });
    return showPage(request, reply, page);
  });
}

// A cart of everything that the shop has takes a tenth of it.
const LARGEST_DEED_BYTES = 16_384;

/** What only the shop's own pages may ask for. */
function routeDeeds(app: FastifyInstance, shop: Shop): void {
  const { backend } = shop;
  const countCreate = limitPerMinute(MOST_CREATES_A_MINUTE);
  const countAction = limitPerMinute(MOST_ACTIONS_A_MINUTE);

  const own =
    (count: (address: string) => number | undefined) => async (request: FastifyRequest, reply: FastifyReply) => {
      const reason = reasonForeign(request, shop.publicUrl());
      if (reason !== undefined) return refuse(reply, 403, reason);
      const waitS = count(request.ip);
      if (waitS === undefined) return undefined;
      reply.header('retry-after', String(waitS));
      return refuse(reply, 429, `The shop is crowded. Try again in ${waitS} s.`);
    };

  const create = {
    bodyLimit: LARGEST_DEED_BYTES,
    schema: { body: ScenarioSchema },
    onRequest: own(countCreate),
  };
  app.post('/demo/payments', create, async (request, reply) => {
    const scenario = request.body as Scenario;
    if (itemsOf(scenario).length === 0) return refuse(reply, 400, 'The cart is empty.');
    const { call, paymentId, hostedUrl } = await backend.create(scenario);
    if (paymentId === undefined) return refuseFailed(reply, call);
    return reply.code(201).send({ paymentId, ...(hostedUrl !== undefined && { hostedPaymentPageUrl: hostedUrl }) });
  });

  const shipping = {
    bodyLimit: LARGEST_DEED_BYTES,
    schema: { body: ShippingSchema },
    onRequest: own(countAction),
  };
  app.post('/demo/checkout/:paymentId/shipping', shipping, async (request, reply) => {
    const { countryCode } = request.body as Type.Static<typeof ShippingSchema>;
    const call = await backend.addShipping(paymentIdIn(request), countryCode);
    if (call === undefined) return refuse(reply, 409, 'The shop adds no cost of shipping to this order.');
    return isSuccess(call) ? reply.code(204).send() : refuseFailed(reply, call);
  });

  for (const name of ACTIONS) {
    const action = {
      bodyLimit: LARGEST_DEED_BYTES,
      schema: { body: ActionSchema },
      onRequest: own(countAction),
    };
    app.post(`/demo/orders/:paymentId/${name}`, action, async (request, reply) => {
      const paymentId = paymentIdIn(request);
      const { call, order } = paymentId === '' ? {} : await backend.read(paymentId);
      if (order === undefined) return showLost(request, reply, shop.place(), call ?? { status: 404 });
      if (name === 'renew' && order.subscriptionId === undefined)
        return refuse(reply, 409, 'This order is for no subscription.');
      const made = await backend.act(order, { ...(request.body as Omit<Action, 'name'>), name });
      return showOrder(shop, { request, reply, paymentId }, noticeOf(name, made));
    });
  }
}

function routeOrders(app: FastifyInstance, shop: Shop): void {
  // The addresses that a payment carries are made before it has an id; who comes back to them brings it along.
  for (const path of ['/demo/orders', '/demo/checkout'])
    app.get(path, async (request, reply) => {
      const { paymentid, paymentId = paymentid } = request.query as { paymentid?: unknown; paymentId?: unknown };
      const id = typeof paymentId === 'string' ? readId(paymentId) : undefined;
      const { root } = shop.place();
      return reply.redirect(id === undefined ? `${root}/demo` : `${root}/demo/orders/${id}`, 303);
    });

  app.get('/demo/orders/:paymentId', async (request, reply) =>
    showOrder(shop, { request, reply, paymentId: paymentIdIn(request) }),
  );
}

export function routeDemo(app: FastifyInstance, demo: DemoOptions): void {
  const { sandbox, apiUrl, publicUrl, consoleUrl, pace } = demo;
  pace.watch(app);
  const backend = openBackend({ apiUrl, secretKey: sandbox.secretKey }, () => `${publicUrl()}/demo`);
  const shop: Shop = { ...demo, backend, place: () => placeOf(publicUrl(), consoleUrl?.()) };
  routeDemoAssets(app);
  routeShop(app, shop);
  routeDeeds(app, shop);
  routeOrders(app, shop);
}

/** Where there is no demo shop, a page says why and what to do. */
export function routeNoDemo(app: FastifyInstance, why: WhyNoDemo, pace: PagePace): void {
  pace.watch(app);
  routeDemoAssets(app);
  app.get('/demo', async (request, reply) => {
    const up = /^[^?]*\/(?:\?|$)/.test(request.url) ? '../' : '';
    return showPage(request, reply, renderNoDemo(why, up), 404);
  });
}
