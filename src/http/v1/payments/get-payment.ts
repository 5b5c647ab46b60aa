// GET /v1/payments/{paymentId}: the payment as its merchant's dialect spells it.
import type { FastifyInstance } from 'fastify';
import { readNumbered } from '../../../store/invoice-numbers.ts';
import { NOT_FOUND, sendAnswer } from '../../errors.ts';
import { answerWith } from '../../dialects/dialect.ts';
import { spendWhenLarge } from '../../rate-limit.ts';
import { dialectOf, idIn, merchantOf, presentationContextOf } from '../../request.ts';
import type { RouteContext } from '../../request.ts';

export function routeGetPayment(app: FastifyInstance, context: RouteContext): void {
  app.get('/v1/payments/:paymentId', { schema: { operationId: 'getPayment' } }, async (request, reply) => {
    const target = idIn(request, 'paymentId');
    if (target === undefined) return sendAnswer(reply, NOT_FOUND);
    const { store } = context.payments;
    const merchant = merchantOf(request);
    const read = await store.read({ merchantId: merchant.id, target, onLarge: spendWhenLarge(request) });
    if (read.payment === undefined) return sendAnswer(reply, NOT_FOUND);
    const payment = await readNumbered(store, merchant, read.payment);
    const body = { payment: dialectOf(request).payment(payment, presentationContextOf(request, context)) };
    return sendAnswer(reply, answerWith(200, body));
  });
}
