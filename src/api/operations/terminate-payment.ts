// PUT /v1/payments/{paymentId}/terminate: permanently closes a payment that was never paid.
import { terminate } from '../../domain/terminate.ts';
import { RESERVED } from '../openapi/payment-refusals.ts';
import { reserved } from '../openapi/story.ts';
import { answers, BAD_ID, operation, refusedFor } from '../operation.ts';
import { updatePayment } from '../parts/update-payment.ts';

export const terminatePayment = operation('terminatePayment', 'PUT /v1/payments/:paymentId/terminate', 'money', {
  config: { operation: 'terminate', bodyOptional: true },
  tag: 'Payments',
  summary: 'Terminate a payment',
  description:
    'Closes a payment that was never paid, for good: the consumer can no longer pay it. Doing it again changes ' +
    'nothing and is 204 as well. Once the consumer has paid it is 405; then cancel or refund. While it is not known ' +
    'whether they have, it is 409. Takes no body.',
  success: answers(204, 'The payment is terminated.'),
  refused: [
    BAD_ID('paymentId'),
    ...refusedFor('terminate', reserved, [
      RESERVED,
      ['Its reservation is under way', { name: 'reservation_is_pending' }],
    ]),
  ],
  handler: updatePayment({ operation: 'terminate', isFinal: true, read: () => terminate }),
});
