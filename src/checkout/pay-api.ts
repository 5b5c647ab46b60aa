// The page's own API, which a script can use as well: keep who is about to pay, pay, ask how it stands, and the answer of
// the simulated bank. The checkout key and the payment's id come in headers that no foreign page can send, so there is
// nothing to forge.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { readLanguage } from '../pages/language.ts';
import * as Type from '../schema/type.ts';
import type { Merchant } from '../domain/merchant.ts';
import type { Payment } from '../domain/payment.ts';
import { Unauthorized } from '../server/auth.ts';
import { requireBody } from '../server/body.ts';
import { answerWith, NOT_FOUND } from '../server/answer.ts';
import { sendAnswer } from '../server/errors.ts';
import { consumerOf } from '../server/page-pace.ts';
import { Budgets } from '../ops/budget.ts';
import { merchantOf } from '../server/asker.ts';
import { compileNormalizer } from '../api/normalize-body.ts';
import { nowOf } from '../payments/clock.ts';
import { operate } from '../payments/operate.ts';
import type { Decide } from '../payments/operate.ts';
import type { Answer } from '../server/answer.ts';
import { isShippingCostMissing, noteConsumer, pay, payOutcomeOf } from '../payments/pay.ts';
import type { PayOutcome } from '../payments/pay.ts';
import type { Refused } from '../payments/outcome.ts';
import type { Counted } from '../ops/window.ts';
import { finishChallenge } from './challenge.ts';
import { findPayment, findShop } from './context.ts';
import type { CheckoutContext } from './context.ts';
import { offeredTypes } from './offered-types.ts';
import { answerPay, answerUnpaid, NOT_A_TEST_CARD } from './pay-answer.ts';
import { NotATestCard, PaySchema, PressSchema, readPay, readPress } from './pay-body.ts';
import type { PayBody, PressBody } from './pay-body.ts';
import { bankUrlOf, checkoutStateOf, isConfirming, lastTryOf } from './state.ts';

const DECLINED = 402;

// All fields filled to their limits take about half of it.
const LARGEST_PAY_BYTES = 16_384;
const LARGEST_PARES_BYTES = 1_024;

function headerText(request: FastifyRequest, name: string): string {
  const value = request.headers[name];
  return typeof value === 'string' ? value : '';
}

async function readShop(context: CheckoutContext, request: FastifyRequest): Promise<Merchant> {
  const merchant = await findShop(context, headerText(request, 'checkoutkey'));
  if (merchant === undefined) throw new Unauthorized('no such checkout key');
  request.merchant = merchant;
  return merchant;
}

const readPayment = (context: CheckoutContext, request: FastifyRequest): Promise<Payment | undefined> =>
  findPayment(context, request, merchantOf(request), headerText(request, 'paymentid'));

function sendTooManyAttempts(reply: FastifyReply, seconds: number): FastifyReply {
  return sendAnswer(reply.header('retry-after', String(seconds)), answerUnpaid('too_many_attempts'));
}

const toSeconds = (ms: number): number => Math.max(1, Math.ceil(ms / 1_000));

/** With the seconds to wait, when it came too often. */
type PayAnswer = Answer & { readonly wait?: number };

/** What the body means for the payment, as a decision on it. */
type ReadDecision = (context: CheckoutContext, request: FastifyRequest, payment: Payment) => Decide<PayOutcome>;

/** A button of the page: what it means, and the seconds to wait where a payment had too many of it. */
type Button = { readonly read: ReadDecision; readonly waitFor?: (payment: Payment) => number | undefined };

// Whoever has the link can press, and each time is written down. A person needs seconds to type something else.
const NOTES_A_SECOND = 5;

const readPayDecision: ReadDecision = (context, request, payment) => {
  const { amountConfirmedByConsumer: confirmedAmount, language } = request.body as PayBody;
  const paying = {
    ...readPay(request.body as PayBody, payment, nowOf(merchantOf(request))),
    ip: request.ip,
    confirmedAmount,
    acsUrl: bankUrlOf(context),
    ...(language !== undefined && { language: readLanguage(language, undefined) }),
  };
  return pay(context.payments, merchantOf(request), paying, context.mostPaymentAttempts);
};

const readNoteDecision: ReadDecision = (context, request, payment) => {
  const body = request.body as PressBody;
  const consumer = readPress(body, payment);
  const pressing = {
    ip: request.ip,
    confirmedAmount: body.amountConfirmedByConsumer,
    ...(consumer && { consumer }),
  };
  return noteConsumer(context.payments, pressing, context.mostPaymentAttempts);
};

/** How many tries of the payment were declined, with the one that was just made. */
const declinesOf = ({ payment, change }: Refused): number =>
  (change?.payment ?? payment).movements.filter(({ state }) => state === 'declined').length;

async function press(
  context: CheckoutContext,
  request: FastifyRequest,
  { read, waitFor }: Button,
  { count }: Counted,
): Promise<PayAnswer> {
  const payment = await readPayment(context, request);
  if (payment === undefined) return NOT_FOUND;
  const seconds = waitFor?.(payment);
  if (seconds !== undefined) return { ...answerUnpaid('too_many_attempts'), wait: seconds };
  const { payments } = context;
  const decide = read(context, request, payment);
  const merchant = merchantOf(request);
  const came = await operate(payments, { merchant, target: payment.id, decide });
  const outcome = payOutcomeOf(came);
  if (outcome === undefined) return NOT_FOUND;
  const tries = came.kind === 'refused' && { ofPayment: declinesOf(came), ofAddress: count };
  if (outcome.kind === 'declined')
    request.log.info({ payment: payment.id, reason: outcome.reason }, 'reservation declined');
  const wait = 'waitMs' in outcome && outcome.waitMs !== undefined ? { wait: toSeconds(outcome.waitMs) } : {};
  return { ...answerPay(context, payment.id, outcome, tries || undefined), ...wait };
}

/** Every try is counted before anything is done, so that a hundred at once are counted, too. */
async function pressNow(
  context: CheckoutContext,
  request: FastifyRequest,
  reply: FastifyReply,
  button: Button,
): Promise<FastifyReply> {
  const attempt = context.attempts.begin(request);
  if (typeof attempt === 'number') return sendTooManyAttempts(reply, attempt);
  let answer: PayAnswer | undefined;
  try {
    answer = await press(context, request, button, attempt);
  } catch (error) {
    if (!(error instanceof NotATestCard)) throw error;
    answer = NOT_A_TEST_CARD;
  } finally {
    if (answer?.status !== DECLINED && answer !== NOT_A_TEST_CARD) attempt.forget();
  }
  return answer.wait === undefined ? sendAnswer(reply, answer) : sendTooManyAttempts(reply, answer.wait);
}

const ParesSchema = Type.Object({
  ReferenceId: Type.Optional(Type.String({ maxLength: 128 })),
  SessionId: Type.String({ maxLength: 128 }),
  AuthenticationStatus: Type.String({ maxLength: 8 }),
});

function routePares(app: FastifyInstance, context: CheckoutContext): void {
  const options = {
    bodyLimit: LARGEST_PARES_BYTES,
    schema: { body: ParesSchema },
    preValidation: async (request: FastifyRequest) => requireBody(request.body),
  };
  app.post('/api/v1/callback/pares', options, async (request, reply) => {
    const { SessionId, AuthenticationStatus } = request.body as Type.Static<typeof ParesSchema>;
    const outcome = AuthenticationStatus.toUpperCase() === 'Y' ? 'passed' : 'failed';
    const finished = await finishChallenge(context, request, reply, SessionId, outcome);
    if (finished === undefined) return sendAnswer(reply, NOT_FOUND);
    return sendAnswer(reply, answerPay(context, finished.payment.id, finished.outcome));
  });
}

function pressOptions(context: CheckoutContext, body: typeof PaySchema | typeof PressSchema) {
  const normalize = compileNormalizer(body) ?? ((value: unknown) => value);
  return {
    bodyLimit: LARGEST_PAY_BYTES,
    schema: { body },
    // Before the body is read: what a consumer types for a live shop belongs into its acquirer's fields, not here.
    onRequest: async (request: FastifyRequest, reply: FastifyReply) => {
      const merchant = await readShop(context, request);
      if (merchant.live) return sendAnswer(reply, answerUnpaid('not_available'));
      await context.pace.begin(request, reply, merchant, consumerOf(request));
      return undefined;
    },
    preValidation: async (request: FastifyRequest) => {
      requireBody(request.body);
      request.body = normalize(request.body, '');
    },
  };
}

export function routePayApi(app: FastifyInstance, context: CheckoutContext): void {
  app.post('/api/v1/pay', pressOptions(context, PaySchema), (request, reply) =>
    pressNow(context, request, reply, { read: readPayDecision }),
  );
  const notes = new Budgets();
  const waitFor = ({ id }: Payment): number | undefined => notes.of(id, NOTES_A_SECOND).take();
  app.post('/api/v1/consumer', pressOptions(context, PressSchema), (request, reply) =>
    pressNow(context, request, reply, { read: readNoteDecision, waitFor }),
  );

  app.get('/api/v1/checkout', async (request, reply) => {
    const merchant = await readShop(context, request);
    await context.pace.begin(request, reply, merchant, consumerOf(request));
    const payment = await readPayment(context, request);
    if (payment === undefined) return sendAnswer(reply, NOT_FOUND);
    const lastTry = lastTryOf(payment);
    const state = checkoutStateOf(context, merchant, payment);
    const answer = {
      paymentId: payment.id,
      state,
      amount: payment.order.amount,
      currency: payment.order.currency,
      // Once it is paid, the order holds the fee of its method, and there is nothing left to choose.
      paymentTypes: state === 'open' ? offeredTypes(payment) : [],
      shippingCostMissing: isShippingCostMissing(payment),
      // The bank, or an app, waits for the consumer.
      confirming: state === 'open' && isConfirming(merchant, payment),
      ...(lastTry && { lastTry }),
    };
    return sendAnswer(reply, answerWith(200, answer));
  });

  routePares(app, context);
}
