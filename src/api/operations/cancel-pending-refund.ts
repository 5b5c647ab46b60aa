// POST /v1/pending-refunds/{refundId}/cancel: cancels a refund whose outcome is not known yet; its amount can be
// refunded again.
import { cancelRefund } from '../../payments/cancel-refund.ts';
import { NO_CONTENT, NOT_FOUND } from '../../server/answer.ts';
import { keyIdOf } from '../../server/asker.ts';
import { spendWhenLarge } from '../../server/rate-limit.ts';
import { refunded } from '../openapi/story.ts';
import { answers, BAD_ID, operation, refusedFor } from '../operation.ts';
import { answerOutcome, presenterOf } from '../outcome.ts';
import { idIn } from '../request.ts';

export const cancelPendingRefund = operation(
  'cancelPendingRefund',
  'POST /v1/pending-refunds/:refundId/cancel',
  'money',
  {
    config: { operation: 'cancel-refund', bodyOptional: true },
    tag: 'Moving money',
    summary: 'Cancel a pending refund',
    description:
      'A refund whose outcome is not known yet is `Pending`. Cancelled, it is never carried out: the acquirer has promised ' +
      'it. It is then `Cancelled`, its amount can be refunded again, and payment.refund.failed tells it with the code ' +
      '1012. Again it is 204. A refund that has an outcome is 405.',
    success: answers(204, 'The refund is cancelled.'),
    refused: [
      BAD_ID('refundId'),
      ...refusedFor('cancel-refund', refunded, [
        ['It is completed', { name: 'refund_is_completed' }],
        ['It has failed', { name: 'refund_has_failed' }],
        ['The acquirer was faster', { name: 'refund_was_done_meanwhile' }],
        ['The outcome is not known yet', { name: 'outcome_is_unknown', kind: 'refund', hasKey: false }],
      ]),
    ],
    handler: async (request, context, reply) => {
      const refundId = idIn(request, 'refundId');
      if (refundId === undefined) return NOT_FOUND;
      const outcome = await cancelRefund(context.payments, {
        merchant: request.merchant,
        refundId,
        by: { cancelledByKey: keyIdOf(request) },
        onLarge: spendWhenLarge(request),
      });
      const present = presenterOf(request, context, 'cancel-refund', () => NO_CONTENT);
      return answerOutcome(request, reply, outcome, present);
    },
  },
);
