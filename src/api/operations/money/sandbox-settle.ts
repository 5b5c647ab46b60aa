// POST /v1/sandbox/refunds/{refundId}/settle: says how a refund ends that the simulator has left open, for test merchants.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Outcome } from '../../../domain/settle.ts';
import { operate } from '../../../payments/operate.ts';
import { settleOpenRefund } from '../../../payments/settle-refund.ts';
import { failure, NO_CONTENT } from '../../../server/answer.ts';
import { NO_CODE, NOT_FOUND, sendAnswer } from '../../../server/errors.ts';
import { presenterOf, sendOutcome } from '../../outcome.ts';
import { spendWhenLarge } from '../../../server/rate-limit.ts';
import { idIn } from '../../request.ts';
import { keyIdOf, merchantOf } from '../../../server/asker.ts';
import type { RouteContext } from '../../request.ts';
import { SandboxSettleSchema } from './schema.ts';
import type { SandboxSettleBody } from './schema.ts';

export const NOT_OPEN =
  'This refund does not wait to be settled: only one of the card 4000000000007726 does, as long as it is Pending.';

const outcomeFor = ({ state }: SandboxSettleBody): Outcome =>
  state === 'Failed' ? { result: 'declined', reason: 'refused by the issuer' } : { result: 'approved' };

export function routeSandboxSettle(app: FastifyInstance, context: RouteContext): void {
  const options = {
    schema: { operationId: 'settleRefundInSandbox', body: SandboxSettleSchema },
    config: { bodyOptional: true },
    onRequest: async (request: FastifyRequest, reply: FastifyReply) =>
      merchantOf(request).live ? sendAnswer(reply, NOT_FOUND) : undefined,
  };
  app.post('/v1/sandbox/refunds/:refundId/settle', options, async (request, reply) => {
    const outcomeAsked = outcomeFor(request.body ?? {});
    const target = idIn(request, 'refundId');
    if (target === undefined) return sendAnswer(reply, NOT_FOUND);
    const outcome = await operate(context.payments, {
      merchant: merchantOf(request),
      target,
      isMovement: true,
      keyId: keyIdOf(request),
      onLarge: spendWhenLarge(request),
      decide: settleOpenRefund(target, outcomeAsked),
    });
    const present = presenterOf(request, context, 'cancel-refund', ({ result }) =>
      result === 'settled' ? NO_CONTENT : failure(405, NO_CODE, NOT_OPEN),
    );
    return sendOutcome(request, reply, outcome, present);
  });
}
