// POST /v1/payments/{paymentId}/cancels: releases what is reserved and not charged.
import { cancelPayment as decideCancel } from '../../payments/move.ts';
import { NO_CONTENT } from '../../server/answer.ts';
import {
  acquirer,
  AMOUNT_MISSING,
  EXPIRED,
  NEVER_RESERVED,
  notKnownYet,
  reason,
  WITH_ITEMS,
} from '../openapi/money-refusals.ts';
import { created } from '../openapi/story.ts';
import { answers, BODY_MISSING, operation, refusedFor } from '../operation.ts';
import { moveMoney } from '../parts/move-money.ts';
import { MoveSchema } from '../schemas/movement.ts';

export const cancelPayment = operation('cancelPayment', 'POST /v1/payments/:paymentId/cancels', 'money', {
  body: MoveSchema,
  config: { operation: 'cancel', keyed: true },
  tag: 'Moving money',
  summary: 'Cancel a payment',
  description:
    'Returns a part or all of the reservation that is not charged to the consumer. When nothing is left that ' +
    'could be cancelled, it is 405. Where the acquirer does not answer in time, it is 500 and the outcome is being ' +
    'determined: send the request again with the same Idempotency-Key until it gives the result.',
  requests: { ...WITH_ITEMS, 'Only an amount': { amount: 100_000 } },
  success: answers(204, 'The reservation is returned.'),
  refused: [
    AMOUNT_MISSING,
    BODY_MISSING,
    ...refusedFor('cancel', created, [
      ['More than is left', { name: 'cancel_exceeds_what_is_left', amount: 60_000, left: 50_000 }],
      NEVER_RESERVED,
      ['All of it is charged', { name: 'reservation_is_fully_charged' }],
      ['All of it is cancelled', { name: 'reservation_is_fully_cancelled' }],
      EXPIRED,
      ['The acquirer declined it', { name: 'acquirer_declined', kind: 'cancel', reason, acquirer }],
      notKnownYet('cancel'),
    ]),
  ],
  handler: moveMoney({
    operation: 'cancel',
    target: 'paymentId',
    decide: decideCancel,
    answer: () => NO_CONTENT,
  }),
});
