// POST /v1/charges/{chargeId}/refunds: refunds part or all of a charge.
import { refundCharge as decideRefund } from '../../payments/move.ts';
import { AMOUNT_MISSING, AMOUNT_ONLY, REFUND_DECLINED, refundCreated, WITH_ITEMS } from '../openapi/money-refusals.ts';
import { charged } from '../openapi/story.ts';
import { answers, BODY_MISSING, operation, refusedFor } from '../operation.ts';
import { answerRefund, moveMoney } from '../parts/move-money.ts';
import { RefundCreated, RefundSchema } from '../schemas/movement.ts';

export const refundCharge = operation('refundCharge', 'POST /v1/charges/:chargeId/refunds', 'money', {
  body: RefundSchema,
  config: { operation: 'refund', keyed: true },
  tag: 'Moving money',
  summary: 'Refund a charge',
  description:
    'Gives a part or all of a charge back to the consumer, in any number of refunds. In the dialect `nexi` an ' +
    'amount over what is left, and a refund that the acquirer declines, are 402 instead of 400. Where the acquirer ' +
    'does not answer in time, it is 201 all the same, and the refund is `Pending` until the outcome is known.',
  requests: { ...AMOUNT_ONLY, ...WITH_ITEMS },
  success: answers(201, 'The money is refunded.', RefundCreated, { Refunded: refundCreated }),
  refused: [
    AMOUNT_MISSING,
    BODY_MISSING,
    ...refusedFor('refund', charged, [
      ['More than is left', { name: 'refund_exceeds_what_is_left', amount: 60_000, left: 50_000 }],
      REFUND_DECLINED,
    ]),
  ],
  handler: moveMoney({ operation: 'refund', target: 'chargeId', decide: decideRefund, answer: answerRefund }),
});
