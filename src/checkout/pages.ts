// The two entry points: the hosted page, and the frame that a shop embeds. Both show the same checkout; each kind of
// invalid address has its own error page.
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { logFailure } from '../server/errors.ts';
import { consumerOf } from '../server/page-pace.ts';
import { pageInTurn } from '../server/costly-work.ts';
import { spendTime } from '../server/rate-limit.ts';
import { readLanguage } from '../pages/language.ts';
import { sendPage } from '../pages/asset.ts';
import { TooManyRequests } from '../server/too-many-requests.ts';
import { Overloaded } from '../store/connections/group.ts';
import { DatabaseAway } from '../store/connections/pool.ts';
import { findPayment, findShop, queryText } from './context.ts';
import type { CheckoutContext } from './context.ts';
import { pageHeaders } from '../pages/headers.ts';
import { renderCheckout } from './page/checkout-page.ts';
import { renderFault } from './page/fault-page.ts';
import { findSubscriptionUrl } from './subscription-link.ts';
import { frameOf, framersOf, selfOf, viewOf } from './state.ts';
import type { Fault, Frame, Mode } from './view.ts';

const STATUSES: Record<Fault, number> = {
  wrong_key: 404,
  no_such_payment: 404,
  no_such_subscription: 404,
  wrong_address: 400,
  too_many_requests: 429,
  database_away: 503,
};

const RETRY_AFTER_S = '2';

/** An error page may be framed, so that the shop's developer sees it. */
export async function sendFault(
  request: FastifyRequest,
  reply: FastifyReply,
  frame: Frame,
  fault: Fault,
): Promise<FastifyReply> {
  reply.code(STATUSES[fault]).headers(pageHeaders('*'));
  return sendPage(request, reply, renderFault({ ...frame, fault }));
}

function frameFor(context: CheckoutContext, request: FastifyRequest, mode: Mode): Frame {
  const language = readLanguage(queryText(request, 'language'), request.headers['accept-language']);
  const paymentId = queryText(request, mode === 'hosted' ? 'pid' : 'paymentId');
  return frameOf(context, mode, language, selfOf(context, mode, queryText(request, 'checkoutKey'), paymentId));
}

/** Which part of a long order, from 1. */
function itemsPartOf(request: FastifyRequest): number {
  const given = queryText(request, 'items');
  return /^[1-9]\d{0,3}$/.test(given) ? Number(given) : 1;
}

function routePage(app: FastifyInstance, context: CheckoutContext, path: string, mode: Mode): void {
  app.get(path, async (request, reply) => {
    const frame = frameFor(context, request, mode);
    const checkoutKey = queryText(request, 'checkoutKey');
    const paymentId = queryText(request, mode === 'hosted' ? 'pid' : 'paymentId');
    if (checkoutKey === '' || paymentId === '') return sendFault(request, reply, frame, 'wrong_address');
    const merchant = await findShop(context, checkoutKey);
    if (merchant === undefined) return sendFault(request, reply, frame, 'wrong_key');
    await context.pace.begin(request, reply, merchant, consumerOf(request));
    const payment = await findPayment(context, request, merchant, paymentId);
    if (payment === undefined) return sendFault(request, reply, frame, 'no_such_payment');
    const subscriptionUrl = await findSubscriptionUrl(context, frame.language, merchant, payment);
    const view = viewOf(context, frame, merchant, payment, subscriptionUrl);
    reply.headers(pageHeaders(framersOf(mode, payment), view.pictureOrigins));
    const page = await pageInTurn(context.costly, payment, () =>
      spendTime(request, () => renderCheckout({ ...view, itemsPart: itemsPartOf(request) })),
    );
    return sendPage(request, reply, page);
  });
}

/**
 * A consumer gets a page, also when the service is in trouble or what their browser sent is not understood; a defect is
 * for the error handler of all routes.
 */
export function answerTroubleWithPage(
  app: FastifyInstance,
  frameOfRequest: (request: FastifyRequest) => Frame,
  misunderstood: Fault = 'wrong_address',
): void {
  app.setErrorHandler((error: FastifyError, request, reply) => {
    if (error instanceof TooManyRequests) {
      reply.header('retry-after', error.retryAfterS);
      return sendFault(request, reply, frameOfRequest(request), 'too_many_requests');
    }
    const isAway = error instanceof DatabaseAway || error instanceof Overloaded;
    const status = error.statusCode ?? 500;
    if (!isAway && (status < 400 || status >= 500)) throw error;
    if (isAway) {
      logFailure(request, error);
      reply.header('retry-after', RETRY_AFTER_S);
    }
    return sendFault(request, reply, frameOfRequest(request), isAway ? 'database_away' : misunderstood);
  });
}

export function routePages(app: FastifyInstance, context: CheckoutContext): void {
  answerTroubleWithPage(app, (request) =>
    frameFor(context, request, request.routeOptions.url === '/checkout' ? 'embedded' : 'hosted'),
  );
  routePage(app, context, '/hostedpaymentpage', 'hosted');
  routePage(app, context, '/checkout', 'embedded');
}
