// The simulated bank page of 3-D Secure, or of an app such as Swish, where the consumer approves, declines or goes back.
// The outcome is recorded when the consumer decides, not when their browser returns, so that closing the browser loses
// nothing.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { readLanguage } from '../pages/language.ts';
import { challengeNamed } from '../domain/challenge.ts';
import type { Merchant } from '../domain/merchant.ts';
import type { Challenge, Payment } from '../domain/payment.ts';
import { consumerOf } from '../server/page-pace.ts';
import { spendBytes } from '../server/rate-limit.ts';
import { sendPage } from '../pages/asset.ts';
import { nowOf } from '../payments/clock.ts';
import { operate } from '../payments/operate.ts';
import { isStillAsked, payOutcomeOf, readSession, settleChallenge } from '../payments/pay.ts';
import type { ChallengeOutcome, PayOutcome } from '../payments/pay.ts';
import { afterChallengeAssets } from './assets.ts';
import { queryText, rootOf } from './context.ts';
import type { CheckoutContext } from './context.ts';
import { pageHeaders } from '../pages/headers.ts';
import { renderChallenge, renderChallengeFinished } from './page/challenge-page.ts';
import { answerTroubleWithPage, sendFault } from './pages.ts';
import { bankFramersOf, checkoutStateOf, frameOf, selfOf } from './state.ts';
import type { Frame } from './view.ts';

type Found = { readonly merchant: Merchant; readonly payment: Payment; readonly challenge: Challenge };
type Finished = { readonly payment: Payment; readonly outcome: PayOutcome };

/** The payment of a challenge session, of any merchant: session ids cannot be guessed. */
async function findChallenge(
  context: CheckoutContext,
  request: FastifyRequest,
  reply: FastifyReply,
  text: string,
): Promise<Found | undefined> {
  const session = readSession(text);
  if (session === undefined) return undefined;
  const { store } = context.payments;
  let bytes = 0;
  const onLarge = (many: number): void => void (bytes = many);
  const { payment } = await store.read({ merchantId: null, target: session.paymentId, onLarge });
  const challenge = payment && challengeNamed(payment, session.nonce);
  const merchant = challenge && (await store.merchants.findById(payment.merchantId));
  if (payment === undefined || challenge === undefined || merchant === undefined) return undefined;
  await context.pace.begin(request, reply, merchant, consumerOf(request));
  spendBytes(request, bytes);
  return { merchant, payment, challenge };
}

/** Undefined if there is no such challenge, or it was replaced. */
export async function finishChallenge(
  context: CheckoutContext,
  request: FastifyRequest,
  reply: FastifyReply,
  session: string,
  outcome: ChallengeOutcome,
): Promise<Finished | undefined> {
  const found = await findChallenge(context, request, reply, session);
  if (found === undefined) return undefined;
  const { merchant, payment, challenge } = found;
  request.merchant = merchant;
  const finished = await operate(context.payments, {
    merchant,
    target: payment.id,
    decide: settleChallenge(context.payments, merchant, challenge.nonce, outcome),
  });
  const came = payOutcomeOf(finished);
  if (came === undefined) return undefined;
  // A repeated decision gets the same result and does not count as an attempt.
  const isNews = finished.kind !== 'unchanged';
  if (came.kind === 'declined' && isNews) {
    context.attempts.begin(request);
    request.log.info(
      { payment: payment.id, reason: 'reason' in came ? came.reason : undefined },
      'reservation declined',
    );
  }
  return { payment, outcome: came };
}

const OUTCOMES = new Map<unknown, ChallengeOutcome>([
  ['approve', 'passed'],
  ['reject', 'failed'],
  ['leave', 'left'],
]);
const LARGEST_FORM_BYTES = 1_024;

const sessionIn = (request: FastifyRequest): string => (request.params as { session: string }).session;

function frameFor(context: CheckoutContext, request: FastifyRequest, found: Found | undefined): Frame {
  const language = readLanguage(
    found?.challenge.language ?? queryText(request, 'language'),
    request.headers['accept-language'],
  );
  return frameOf(context, 'hosted', language, `${rootOf(context)}/challenge/${sessionIn(request)}`);
}

/** Framed by our page, which the shop's page may frame. */
const headersFor = ({ payment }: Found) => pageHeaders(bankFramersOf(payment));

async function sendChallenge(
  context: CheckoutContext,
  request: FastifyRequest,
  reply: FastifyReply,
  found: Found | undefined,
): Promise<FastifyReply> {
  const frame = frameFor(context, request, found);
  if (found === undefined) return sendFault(request, reply, frame, 'no_such_payment');
  const { merchant, payment, challenge } = found;
  reply.headers(headersFor(found));
  // The payment may have been paid otherwise, or terminated by its shop.
  const isAsked =
    isStillAsked(payment, challenge, nowOf(merchant)) && checkoutStateOf(context, merchant, payment) === 'open';
  // The checkout leads back here if the consumer decides later.
  if (isAsked && queryText(request, 'later') === '') {
    const { amount, method } = challenge;
    const { currency } = payment.order;
    const asked = { shopName: merchant.name, amount, currency, method, action: frame.self };
    return sendPage(request, reply, renderChallenge({ ...frame, ...asked }));
  }
  const self = selfOf(context, 'hosted', merchant.checkoutKey, payment.id);
  const back = { ...frame, assets: afterChallengeAssets(frame.root) };
  return sendPage(request, reply, renderChallengeFinished(back, `${self}&language=${frame.language}`));
}

export function routeChallenge(app: FastifyInstance, context: CheckoutContext): void {
  // In a frame the checkout stays unchanged, so a consumer who tries again sees the same question.
  answerTroubleWithPage(app, (request) => frameFor(context, request, undefined));
  app.addContentTypeParser('application/x-www-form-urlencoded', { parseAs: 'string' }, (_request, text: string, done) =>
    done(null, Object.fromEntries(new URLSearchParams(text))),
  );
  app.get('/challenge/:session', async (request, reply) =>
    sendChallenge(context, request, reply, await findChallenge(context, request, reply, sessionIn(request))),
  );
  app.post('/challenge/:session', { bodyLimit: LARGEST_FORM_BYTES }, async (request, reply) => {
    const session = sessionIn(request);
    if (readSession(session) === undefined) return sendChallenge(context, request, reply, undefined);
    const answer = (request.body as { outcome?: unknown } | null | undefined)?.outcome;
    const outcome = OUTCOMES.get(answer);
    if (outcome !== undefined) await finishChallenge(context, request, reply, session, outcome);
    // A redirect, so that a reload does not send the form again.
    return reply.redirect(`${rootOf(context)}/challenge/${session}${answer === 'later' ? '?later=1' : ''}`, 303);
  });
}
