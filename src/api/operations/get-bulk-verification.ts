// GET /v1/subscriptions/verifications/{bulkId}, and the same for unscheduled ones.
import { BAD_PAGE, bulkPage, QUERY } from '../openapi/subscription-examples.ts';
import { answers, operation } from '../operation.ts';
import { readBulkOf } from '../parts/read-bulk.ts';
import type { OfKind } from '../parts/subscription-spelling.ts';
import { BulkPages, PageSchema } from '../schemas/subscription.ts';

export const getBulkVerification: OfKind = (spelling) => {
  const { kind, path, operation: nameOf } = spelling;
  return operation(nameOf('getBulkVerification'), `GET ${path}/verifications/:bulkId`, 'read', {
    query: PageSchema,
    tag: 'Subscriptions',
    summary: 'Read a bulk of verifications',
    description: 'All entries in their order, or a page of them.',
    parameters: QUERY,
    success: answers(200, 'The entries.', BulkPages[kind].verification, {
      'It works': bulkPage(spelling, { status: 'Succeeded' }),
    }),
    refused: [BAD_PAGE],
    handler: readBulkOf(spelling, 'verification'),
  });
};
