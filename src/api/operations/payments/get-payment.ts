// GET /v1/payments/{paymentId}: the payment as its merchant's dialect spells it.
import type { FastifyInstance } from 'fastify';
import { readNumbered } from '../../../payments/invoice-numbers.ts';
import { NOT_FOUND, sendAnswer } from '../../../server/errors.ts';
import { answerWith } from '../../../server/answer.ts';
import { spendWhenLarge } from '../../../server/rate-limit.ts';
import { dialectOf, idIn, presentationContextOf } from '../../request.ts';
import { merchantOf } from '../../../server/asker.ts';
import type { RouteContext } from '../../request.ts';
import { ReadAnswers } from './read-answers.ts';

const FORGET_EVERY_MS = 60_000;

export function routeGetPayment(app: FastifyInstance, context: RouteContext): void {
  const answers = new ReadAnswers();
  const forgetting = setInterval(() => answers.forgetOld(), FORGET_EVERY_MS).unref();
  app.addHook('onClose', async () => clearInterval(forgetting));
  app.get('/v1/payments/:paymentId', { schema: { operationId: 'getPayment' } }, async (request, reply) => {
    const target = idIn(request, 'paymentId');
    if (target === undefined) return sendAnswer(reply, NOT_FOUND);
    const { store } = context.payments;
    const merchant = merchantOf(request);
    const presentation = presentationContextOf(request, context);
    const told = answers.find(target, presentation);
    const asked = { merchantId: merchant.id, target, known: told?.stamp, onLarge: spendWhenLarge(request) };
    const read = await store.read(asked);
    if (told && read.isKnown) {
      answers.touch(target, told, presentation);
      return sendAnswer(reply, { status: 200, body: told.body });
    }
    if (read.payment === undefined) {
      if (told) answers.forget(target);
      return sendAnswer(reply, NOT_FOUND);
    }
    const payment = await readNumbered(store, merchant, read.payment);
    const answer = answerWith(200, { payment: dialectOf(request).payment(payment, presentation) });
    if (read.stamp) answers.keep(payment, read.stamp, answer.body, presentation);
    return sendAnswer(reply, answer);
  });
}
