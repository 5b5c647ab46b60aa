// GET /v1/charges/{chargeId} and GET /v1/refunds/{refundId}: one record, unwrapped.
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Payment } from '../../../domain/payment.ts';
import { findCharge } from '../../../domain/refund.ts';
import { readNumbered } from '../../../payments/invoice-numbers.ts';
import { answerWith } from '../../../server/answer.ts';
import { NOT_FOUND, sendAnswer } from '../../../server/errors.ts';
import { spendWhenLarge } from '../../../server/rate-limit.ts';
import { dialectOf, idIn, presentationContextOf } from '../../request.ts';
import { merchantOf } from '../../../server/asker.ts';
import type { RouteContext } from '../../request.ts';

export function routeGetMovements(app: FastifyInstance, context: RouteContext): void {
  const load = async (request: FastifyRequest, target: string): Promise<Payment | undefined> => {
    const asked = { merchantId: merchantOf(request).id, target, isMovement: true, onLarge: spendWhenLarge(request) };
    const { store } = context.payments;
    const { payment } = await store.read(asked);
    return payment && readNumbered(store, merchantOf(request), payment);
  };

  app.get('/v1/charges/:chargeId', { schema: { operationId: 'getCharge' } }, async (request, reply) => {
    const target = idIn(request, 'chargeId');
    if (target === undefined) return sendAnswer(reply, NOT_FOUND);
    const payment = await load(request, target);
    const charge = payment && findCharge(payment, target);
    if (!charge) return sendAnswer(reply, NOT_FOUND);
    return sendAnswer(
      reply,
      answerWith(200, dialectOf(request).charge(payment, charge, presentationContextOf(request, context))),
    );
  });

  app.get('/v1/refunds/:refundId', { schema: { operationId: 'getRefund' } }, async (request, reply) => {
    const target = idIn(request, 'refundId');
    if (target === undefined) return sendAnswer(reply, NOT_FOUND);
    const payment = await load(request, target);
    const refund = payment?.movements.find(({ id, kind }) => id === target && kind === 'refund');
    if (!payment || !refund) return sendAnswer(reply, NOT_FOUND);
    return sendAnswer(
      reply,
      answerWith(200, dialectOf(request).refund(payment, refund, presentationContextOf(request, context))),
    );
  });
}
