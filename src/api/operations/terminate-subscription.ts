// PUT /v1/subscriptions/{subscriptionId}/terminate, and the same for unscheduled ones. This is our own operation: the
// original API cannot end a subscription, and a shop should not have to remember which ones its consumers have ended.
import { endSubscription } from '../../payments/end-subscription.ts';
import { NO_CONTENT, NOT_FOUND } from '../../server/answer.ts';
import { findSubscription } from '../../store/payments/subscriptions.ts';
import { WHAT } from '../openapi/subscription-examples.ts';
import { answers, BAD_ID, operation } from '../operation.ts';
import type { OfKind } from '../parts/subscription-spelling.ts';
import { dashedIdIn } from '../request.ts';

export const terminateSubscription: OfKind = ({ kind, path, idName, operation: nameOf }) =>
  operation(nameOf('terminateSubscription'), `PUT ${path}/:${idName}/terminate`, 'money', {
    tag: 'Subscriptions',
    summary: `End ${WHAT[kind]}`,
    description:
      'Nothing is charged from then on (402, 1030); a charge that is under way is finished and told. It is what the ' +
      'consumer does on their own page. One that was ended before stays as it is, and that is 204 as well; one that has expired is ' +
      'ended, so that no other card brings it back.',
    success: answers(204, 'It is over.'),
    refused: [BAD_ID(idName)],
    handler: async (request, { payments }) => {
      const target = dashedIdIn(request, idName);
      const found = target && (await findSubscription(payments.store.pool, request.merchant.id, kind, target));
      if (!found) return NOT_FOUND;
      // A repeated or late request finds it ended, as wanted.
      await endSubscription(payments, found, 'merchant');
      return NO_CONTENT;
    },
  });
