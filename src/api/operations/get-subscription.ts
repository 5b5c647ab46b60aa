// GET /v1/subscriptions/{subscriptionId}, and the same for unscheduled ones.
import { answerWith, NOT_FOUND } from '../../server/answer.ts';
import { hasScope } from '../../server/scopes.ts';
import { findSubscription } from '../../store/payments/subscriptions.ts';
import { nexi } from '../dialects/nexi.ts';
import { spec } from '../dialects/spec.ts';
import { presentation } from '../openapi/story.ts';
import { subscriptionOf, WHAT } from '../openapi/subscription-examples.ts';
import { answers, BAD_ID, operation } from '../operation.ts';
import type { OfKind } from '../parts/subscription-spelling.ts';
import { dashedIdIn, dialectOf, presentationContextOf } from '../request.ts';
import { SubscriptionAnswers } from '../schemas/subscription.ts';

const asOneWhoMayEnd = { ...presentation, mayEnd: true };

export const getSubscription: OfKind = ({ kind, path, idName, operation: nameOf }) =>
  operation(nameOf('getSubscription'), `GET ${path}/:${idName}`, 'read', {
    tag: 'Subscriptions',
    summary: `Read ${WHAT[kind]}`,
    description:
      'The stored card with which it is charged, and for a scheduled one its interval and its end. Dialect spec adds ' +
      "where it stands, what was agreed to, and, to a key with the scope money, the address of the consumer's page.",
    success: answers(
      200,
      'The subscription.',
      SubscriptionAnswers[kind],
      { 'A subscription': spec.subscription(idName, subscriptionOf(kind), asOneWhoMayEnd) },
      nexi.subscription(idName, subscriptionOf(kind), asOneWhoMayEnd),
    ),
    refused: [BAD_ID(idName)],
    handler: async (request, context) => {
      const { store } = context.payments;
      const target = dashedIdIn(request, idName);
      const merchantId = request.merchant.id;
      const found = target && (await findSubscription(store.pool, merchantId, kind, target));
      if (!found) return NOT_FOUND;
      // After a restart it is only shown once the synchronous standby has it, like payments.
      await store.read({ merchantId, target });
      const shown = { ...presentationContextOf(request, context), mayEnd: hasScope(request, 'money') };
      return answerWith(200, dialectOf(request).subscription(idName, found, shown));
    },
  });
