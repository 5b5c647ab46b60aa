// PUT /v1/payments/{paymentId}/referenceinformation: changes the order's reference and the checkout's URL.
import { updateReference as decideReference } from '../../domain/update-reference.ts';
import * as Type from '../../schema/type.ts';
import { badField } from '../../server/problem.ts';
import { CANCELLED, TERMINATED } from '../openapi/payment-refusals.ts';
import { reserved } from '../openapi/story.ts';
import { answers, BODY_MISSING, operation, problem, refusedFor } from '../operation.ts';
import { updatePayment } from '../parts/update-payment.ts';
import { Text, WebUrl } from '../schemas/values.ts';

const ReferenceSchema = Type.Object(
  {
    reference: Type.Optional(Text(128, 'The new reference for the transaction.')),
    checkoutUrl: Type.Optional(WebUrl('The checkout URL.')),
  },
  { title: 'ReferenceRequest', description: 'Either may be left out, not both.' },
);

export const updateReference = operation(
  'updateReference',
  'PUT /v1/payments/:paymentId/referenceinformation',
  'money',
  {
    body: ReferenceSchema,
    config: { operation: 'reference' },
    tag: 'Payments',
    summary: 'Update the reference',
    description:
      'Updates the reference of the order, the address of the checkout, or both. Possible until the payment is ' +
      'terminated or cancelled in full; then it is 405.',
    requests: { Both: { reference: 'order-1-b', checkoutUrl: 'https://shop.example/checkout?order=1-b' } },
    success: answers(204, 'The reference is updated.'),
    refused: [
      problem('Neither of the two', 'reference', 'is required, or checkoutUrl'),
      BODY_MISSING,
      ...refusedFor('reference', reserved, [TERMINATED, CANCELLED]),
    ],
    handler: updatePayment({
      operation: 'reference',
      read: (body: Type.Static<typeof ReferenceSchema>) => {
        if (body.reference === undefined && body.checkoutUrl === undefined)
          throw badField('reference', 'is required, or checkoutUrl');
        return (payment) => decideReference(payment, body);
      },
    }),
  },
);
