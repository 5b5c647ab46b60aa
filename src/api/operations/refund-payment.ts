// POST /v1/payments/{paymentId}/refunds: a refund that names only its payment.
import { refundCharge as decideRefund } from '../../payments/move.ts';
import { AMOUNT_ONLY, REFUND_DECLINED, refundCreated } from '../openapi/money-refusals.ts';
import { charged, chargeMade } from '../openapi/story.ts';
import { answers, BODY_MISSING, operation, refusedFor } from '../operation.ts';
import { answerRefund, moveMoney } from '../parts/move-money.ts';
import { RefundCreated, RefundSchema } from '../schemas/movement.ts';

export const refundPayment = operation('refundPayment', 'POST /v1/payments/:paymentId/refunds', 'money', {
  body: RefundSchema,
  config: { operation: 'refund', keyed: true },
  tag: 'Moving money',
  summary: 'Refund a payment',
  description:
    'The same without a charge to name: the refund is made of the oldest charge that has the whole amount left. ' +
    'If there is none, the error lists what each charge has left.',
  requests: { ...AMOUNT_ONLY },
  success: answers(201, 'The money is refunded.', RefundCreated, { Refunded: refundCreated }),
  refused: [
    BODY_MISSING,
    ...refusedFor('refund', charged, [
      [
        'No charge has that much left',
        {
          name: 'no_charge_has_that_much_left',
          amount: 60_000,
          charges: [{ chargeId: chargeMade.id, left: 30_000 }],
        },
      ],
      REFUND_DECLINED,
    ]),
  ],
  handler: moveMoney({
    operation: 'refund',
    target: 'paymentId',
    decide: (payments, merchant, request) => decideRefund(payments, merchant, request),
    answer: answerRefund,
  }),
});
