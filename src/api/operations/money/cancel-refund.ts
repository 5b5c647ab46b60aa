// POST /v1/pending-refunds/{refundId}/cancel: a refund whose outcome is not known yet is cancelled, and its amount can be
// refunded again.
import type { FastifyInstance } from 'fastify';
import { cancelRefund } from '../../../payments/cancel-refund.ts';
import { NO_CONTENT } from '../../../server/answer.ts';
import { NOT_FOUND, sendAnswer } from '../../../server/errors.ts';
import { presenterOf, sendOutcome } from '../../outcome.ts';
import { spendWhenLarge } from '../../../server/rate-limit.ts';
import { idIn } from '../../request.ts';
import { keyIdOf, merchantOf } from '../../../server/asker.ts';
import type { RouteContext } from '../../request.ts';

export function routeCancelRefund(app: FastifyInstance, context: RouteContext): void {
  const options = {
    schema: { operationId: 'cancelPendingRefund' },
    config: { operation: 'cancel-refund' as const, bodyOptional: true },
  };
  app.post('/v1/pending-refunds/:refundId/cancel', options, async (request, reply) => {
    const refundId = idIn(request, 'refundId');
    if (refundId === undefined) return sendAnswer(reply, NOT_FOUND);
    const outcome = await cancelRefund(context.payments, {
      merchant: merchantOf(request),
      refundId,
      by: { cancelledByKey: keyIdOf(request) },
      onLarge: spendWhenLarge(request),
    });
    return sendOutcome(
      request,
      reply,
      outcome,
      presenterOf(request, context, 'cancel-refund', () => NO_CONTENT),
    );
  });
}
