// GET /v1/subscriptions/{subscriptionId}/charges/status, and the same for unscheduled ones: the outcome of a charge, by
// its Idempotency-Key.
import { Id } from '../../events/body-parts.ts';
import { renewedOf } from '../../payments/charge-subscription.ts';
import * as Type from '../../schema/type.ts';
import { answerWith, NOT_FOUND } from '../../server/answer.ts';
import { badField } from '../../server/problem.ts';
import { CHARGED, WHAT } from '../openapi/subscription-examples.ts';
import { answers, operation, problem } from '../operation.ts';
import type { OfKind } from '../parts/subscription-spelling.ts';
import { dashedIdIn, requireWellFormedKey } from '../request.ts';

export const getSubscriptionChargeStatus: OfKind = ({ kind, path, idName, operation: nameOf }) =>
  operation(nameOf('getSubscriptionChargeStatus'), `GET ${path}/:${idName}/charges/status`, 'read', {
    tag: 'Subscriptions',
    summary: `Read what came of a charge of ${WHAT[kind]}`,
    description:
      'By the Idempotency-Key of the charge, for good. A key that is unknown, or whose charge was declined, is 404.',
    header: 'IdempotencyKey',
    success: answers(
      200,
      'The charge.',
      Type.Object(
        {
          paymentId: Id('The payment that this charge is.'),
          chargeId: Type.Optional(Id('Its charge, as soon as there is one.')),
          completed: Type.Boolean({ description: 'false: its outcome is not known yet.' }),
        },
        { title: 'SubscriptionChargeStatus' },
      ),
      { Charged: { ...CHARGED, completed: true } },
    ),
    refused: [problem('No key', 'Idempotency-Key', 'is required')],
    handler: async (request, { store }) => {
      if (!requireWellFormedKey(request)) throw badField('Idempotency-Key', 'is required');
      const key = request.headers['idempotency-key'] as string;
      const target = dashedIdIn(request, idName);
      const merchantId = request.merchant.id;
      const record = target && (await store.read({ merchantId, target, operation: 'charge', key })).record;
      const payment = record && (await store.read({ merchantId, target: record.paymentId })).payment;
      const renewed = payment && renewedOf(payment);
      if (!renewed || renewed.kind === 'declined') return NOT_FOUND;
      const charge = payment.movements.find((movement) => movement.kind === 'charge');
      const completed = renewed.kind === 'charged';
      return answerWith(200, { paymentId: payment.id, ...(charge && { chargeId: charge.id }), completed });
    },
  });
