// POST /v1/subscriptions/verifications, and the same for unscheduled ones.
import { IDS } from '../openapi/story.ts';
import { OTHER_CONTENT, unknownIn } from '../openapi/subscription-examples.ts';
import { answers, BODY_MISSING, operation } from '../operation.ts';
import { createBulkOf } from '../parts/create-bulk.ts';
import type { OfKind } from '../parts/subscription-spelling.ts';
import { BulkAccepted, BulkSchemas } from '../schemas/subscription.ts';

export const createBulkVerification: OfKind = (spelling) => {
  const { kind, path, idName, listName, operation: nameOf } = spelling;
  return operation(nameOf('createBulkVerification'), `POST ${path}/verifications`, 'money', {
    body: BulkSchemas[kind].verification,
    config: { operation: 'charge', keyed: true },
    tag: 'Subscriptions',
    summary: 'Ask whether many cards still work',
    description:
      'Asks the issuers of 1 to 1,000 stored cards, without moving money and without making payments. One subscription ' +
      'may be there ten times.',
    requests: { One: { [listName]: [{ [idName]: IDS.subscriptionId }] } },
    success: answers(202, 'They are written down.', BulkAccepted, { Taken: { bulkId: IDS.bulkId } }),
    refused: [BODY_MISSING, unknownIn(spelling), OTHER_CONTENT],
    handler: createBulkOf(spelling, 'verification'),
  });
};
