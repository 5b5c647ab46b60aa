// POST /v1/sandbox/refunds/{refundId}/settle: decides a refund that the simulator left pending, for test merchants.
import type { Outcome } from '../../domain/settle.ts';
import { operate } from '../../payments/operate.ts';
import { settleOpenRefund } from '../../payments/settle-refund.ts';
import * as Type from '../../schema/type.ts';
import { failure, NO_CODE, NO_CONTENT, NOT_FOUND } from '../../server/answer.ts';
import { keyIdOf } from '../../server/asker.ts';
import { spendWhenLarge } from '../../server/rate-limit.ts';
import { answers, BAD_ID, operation, refusal } from '../operation.ts';
import { answerOutcome, presenterOf } from '../outcome.ts';
import { idIn } from '../request.ts';

export const SandboxSettleSchema = Type.Object(
  {
    state: Type.Optional(
      Type.String({ enum: ['Completed', 'Failed'], description: 'How the refund ends; by default Completed.' }),
    ),
  },
  { title: 'SandboxSettleRequest', description: 'It may be left out, the body itself too.' },
);

export type SandboxSettleBody = Type.Static<typeof SandboxSettleSchema>;

const NOT_OPEN =
  'This refund does not wait to be settled: only one of the card 4000000000007726 does, as long as it is Pending.';

const outcomeFor = ({ state }: SandboxSettleBody): Outcome =>
  state === 'Failed' ? { result: 'declined', reason: 'refused by the issuer' } : { result: 'approved' };

export const settleRefundInSandbox = operation(
  'settleRefundInSandbox',
  'POST /v1/sandbox/refunds/:refundId/settle',
  'money',
  {
    body: SandboxSettleSchema,
    config: { bodyOptional: true },
    live: NOT_FOUND,
    tag: 'Sandbox',
    summary: 'Settle a pending refund',
    description:
      'A refund of the card 4000000000007726 stays `Pending` until you settle it here or cancel it. Sends the event ' +
      'payment.refund.completed or payment.refund.failed. Repeating the call is 204. A live merchant has no sandbox: 404.',
    requests: { 'It is carried out': { state: 'Completed' }, 'It fails': { state: 'Failed' } },
    success: answers(204, 'The refund is settled.'),
    refused: [BAD_ID('refundId'), refusal('It does not wait for that', failure(405, NO_CODE, NOT_OPEN))],
    handler: async (request, context, reply) => {
      const outcomeAsked = outcomeFor(request.body ?? {});
      const target = idIn(request, 'refundId');
      if (target === undefined) return NOT_FOUND;
      const outcome = await operate(context.payments, {
        merchant: request.merchant,
        target,
        isMovement: true,
        keyId: keyIdOf(request),
        onLarge: spendWhenLarge(request),
        decide: settleOpenRefund(target, outcomeAsked),
      });
      const present = presenterOf(request, context, 'cancel-refund', ({ result }) =>
        result === 'settled' ? NO_CONTENT : failure(405, NO_CODE, NOT_OPEN),
      );
      return answerOutcome(request, reply, outcome, present);
    },
  },
);
