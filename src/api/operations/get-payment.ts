// GET /v1/payments/{paymentId}: the payment in its merchant's dialect.
import { readNumbered } from '../../payments/invoice-numbers.ts';
import * as Type from '../../schema/type.ts';
import { answerWith, NOT_FOUND } from '../../server/answer.ts';
import { spendWhenLarge } from '../../server/rate-limit.ts';
import { nexi } from '../dialects/nexi.ts';
import { spec } from '../dialects/spec.ts';
import { beingCharged, created, presentation, refunded } from '../openapi/story.ts';
import { answers, BAD_ID, operation } from '../operation.ts';
import { ReadAnswers } from '../parts/read-answers.ts';
import { dialectOf, idIn, presentationContextOf } from '../request.ts';
import { PaymentSchema } from '../schemas/payment.ts';

const FORGET_EVERY_MS = 60_000;

export const getPayment = operation('getPayment', 'GET /v1/payments/:paymentId', 'read', {
  tag: 'Payments',
  summary: 'Get a payment',
  description:
    'Everything about a payment: its order, the consumer, how it was paid, and its charges and refunds. Every ' +
    'object is always there, empty when nothing is known; a text that nobody gave is left out, never null.',
  success: answers(
    200,
    'The payment.',
    Type.Object({ payment: PaymentSchema }, { title: 'PaymentAnswer' }),
    {
      'Charged in part, and a part of that refunded': { payment: spec.payment(refunded, presentation) },
      'Just created': { payment: spec.payment(created, presentation) },
      'While a charge is under way': { payment: spec.payment(beingCharged, presentation) },
    },
    { payment: nexi.payment(created, presentation) },
  ),
  refused: [BAD_ID('paymentId')],
  start: (context, api) => {
    const kept = new ReadAnswers();
    const forgetting = setInterval(() => kept.forgetOld(), FORGET_EVERY_MS).unref();
    api.addHook('onClose', async () => clearInterval(forgetting));
    return async (request) => {
      const target = idIn(request, 'paymentId');
      if (target === undefined) return NOT_FOUND;
      const { store } = context.payments;
      const merchant = request.merchant;
      const shown = presentationContextOf(request, context);
      const cached = kept.find(target, shown);
      const asked = { merchantId: merchant.id, target, known: cached?.stamp, onLarge: spendWhenLarge(request) };
      const read = await store.read(asked);
      if (cached && read.isKnown) {
        kept.touch(target, cached, shown);
        return { status: 200, body: cached.body };
      }
      if (read.payment === undefined) {
        if (cached) kept.forget(target);
        return NOT_FOUND;
      }
      const payment = await readNumbered(store, merchant, read.payment);
      const answer = answerWith(200, { payment: dialectOf(request).payment(payment, shown) });
      if (read.stamp) kept.keep(payment, read.stamp, answer.body, shown);
      return answer;
    };
  },
});
