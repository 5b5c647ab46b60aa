// POST /v1/subscriptions/charges, and the same for unscheduled ones.
import { IDS } from '../openapi/story.ts';
import { order, OTHER_CONTENT, unknownIn } from '../openapi/subscription-examples.ts';
import { answers, BODY_MISSING, operation } from '../operation.ts';
import { createBulkOf } from '../parts/create-bulk.ts';
import type { OfKind } from '../parts/subscription-spelling.ts';
import { BulkAccepted, BulkSchemas } from '../schemas/subscription.ts';

export const createBulkCharge: OfKind = (spelling) => {
  const { kind, path, idName, listName, operation: nameOf } = spelling;
  return operation(nameOf('createBulkCharge'), `POST ${path}/charges`, 'money', {
    body: BulkSchemas[kind].charge,
    config: { operation: 'charge', keyed: true },
    tag: 'Subscriptions',
    summary: `Charge many ${kind === 'scheduled' ? 'subscriptions' : 'unscheduled subscriptions'} at once`,
    description:
      'Writes down 1 to 1,000 charges, each with the id of its payment, and works them off in the background. The ' +
      'same externalBulkChargeId with the same content is the same bulk again, for 30 days; with other content it is ' +
      '422. One subscription that there is not, or that is there more than ten times, is 400, and nothing is charged.',
    requests: { One: { externalBulkChargeId: 'march', [listName]: [{ [idName]: IDS.subscriptionId, order }] } },
    success: answers(202, 'They are written down.', BulkAccepted, { Taken: { bulkId: IDS.bulkId } }),
    refused: [BODY_MISSING, unknownIn(spelling), OTHER_CONTENT],
    handler: createBulkOf(spelling, 'charge'),
  });
};
