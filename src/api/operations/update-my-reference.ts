// PUT /v1/payments/{paymentId}/myreference: a second reference of the merchant's own.
import { updateMyReference as decideMyReference } from '../../domain/update-reference.ts';
import * as Type from '../../schema/type.ts';
import { CANCELLED, TERMINATED } from '../openapi/payment-refusals.ts';
import { reserved } from '../openapi/story.ts';
import { answers, BODY_MISSING, operation, problem, refusedFor } from '../operation.ts';
import { updatePayment } from '../parts/update-payment.ts';
import { Text } from '../schemas/values.ts';

const MyReferenceSchema = Type.Object(
  { myReference: Text(36, 'A second reference of your own.') },
  { title: 'MyReferenceRequest' },
);

export const updateMyReference = operation('updateMyReference', 'PUT /v1/payments/:paymentId/myreference', 'money', {
  body: MyReferenceSchema,
  config: { operation: 'reference' },
  tag: 'Payments',
  summary: 'Update your own reference',
  description: 'Sets a second reference of your own, shown as `payment.myReference`.',
  requests: { 'A reference of your own': { myReference: 'warehouse-7' } },
  success: answers(204, 'The reference is set.'),
  refused: [
    problem(
      'A reference that is too long',
      'myReference',
      'must have at most 36 characters, found a text of 40 characters',
    ),
    BODY_MISSING,
    ...refusedFor('reference', reserved, [TERMINATED, CANCELLED]),
  ],
  handler: updatePayment({
    operation: 'reference',
    read:
      ({ myReference }: Type.Static<typeof MyReferenceSchema>) =>
      (payment) =>
        decideMyReference(payment, myReference),
  }),
});
