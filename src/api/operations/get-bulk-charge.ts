// GET /v1/subscriptions/charges/{bulkId}, and the same for unscheduled ones.
import { REFUSED_BY_ISSUER } from '../../domain/subscription-decline.ts';
import { IDS } from '../openapi/story.ts';
import { BAD_PAGE, bulkPage, CHARGED, QUERY } from '../openapi/subscription-examples.ts';
import { answers, operation } from '../operation.ts';
import { readBulkOf } from '../parts/read-bulk.ts';
import type { OfKind } from '../parts/subscription-spelling.ts';
import { BulkPages, PageSchema } from '../schemas/subscription.ts';

export const getBulkCharge: OfKind = (spelling) => {
  const { kind, path, operation: nameOf } = spelling;
  return operation(nameOf('getBulkCharge'), `GET ${path}/charges/:bulkId`, 'read', {
    query: PageSchema,
    tag: 'Subscriptions',
    summary: 'Read a bulk of charges',
    description:
      'All entries in their order, or a page of them. An entry has the id of its payment from the first read on; of a ' +
      'declined one, code is the two digits of the issuer.',
    parameters: QUERY,
    success: answers(200, 'The entries.', BulkPages[kind].charge, {
      Charged: bulkPage(spelling, { ...CHARGED, status: 'Succeeded' }),
      Declined: bulkPage(spelling, {
        paymentId: IDS.paymentId,
        status: 'Failed',
        message: REFUSED_BY_ISSUER,
        code: '51',
        source: 'Issuer',
      }),
    }),
    refused: [BAD_PAGE],
    handler: readBulkOf(spelling, 'charge'),
  });
};
