// The requests to the API, for developers: the list, one of them, and both in the console's own API.
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { readId, timeOf } from '../../domain/id.ts';
import type { Merchant } from '../../domain/merchant.ts';
import { listKeys } from '../../store/merchants/keys.ts';
import { countOmitted, findRequest, listRequests } from '../../store/request-log/read.ts';
import type { RequestFilter, RequestPage } from '../../store/request-log/read.ts';
import { apiFor, notHere, sendJson } from '../api-reply.ts';
import type { ConsoleContext } from '../context.ts';
import { pageFor, showPage } from '../page-reply.ts';
import { renderNotHere } from '../page/not-here.ts';
import { viewInTurn } from '../../server/costly-work.ts';
import { RequestSchema, RequestsSchema, rowOf, wholeOf } from './api-schema.ts';
import { renderRequests } from './page.ts';
import { filterOf, readAddress } from './query.ts';
import { renderRequest } from './request-page.ts';

const PAGE_ROWS = 50;

/** The time that a page shows: from its last request to where it began. */
function spanOf({ requests, next }: RequestPage, filter: RequestFilter, before: string | undefined) {
  const end = Math.min(filter.toMs ?? Infinity, before === undefined ? Date.now() : timeOf(before));
  const last = requests.at(-1);
  // On the last page it is all that is left of what is kept.
  const from = next === undefined ? (filter.fromMs ?? 0) : timeOf(last?.id ?? next);
  return { fromMs: from, toMs: end };
}

export function routeRequests(app: FastifyInstance, context: ConsoleContext): void {
  const { pool } = context.payments.store;

  const listFor = async (merchant: Merchant, request: FastifyRequest) => {
    const { address, faults } = readAddress(request.query);
    return viewInTurn(context.costly, request, merchant.id, async () => {
      const filter = await filterOf(pool, merchant, address);
      const { before } = address;
      const page = await listRequests(pool, merchant, {
        ...filter,
        limit: PAGE_ROWS,
        ...(before !== undefined && { before }),
      });
      const omitted = await countOmitted(pool, merchant, spanOf(page, filter, before));
      return { address, faults, page, omitted };
    });
  };
  const findFor = async (merchant: Merchant, params: unknown) => {
    const id = readId((params as { id: string }).id);
    return id === undefined ? undefined : findRequest(pool, merchant, id);
  };

  app.get(
    '/console/:merchantId/requests',
    pageFor(context, 'develop', async (place, request) => {
      const { merchant } = place.member;
      const [shown, keys] = await Promise.all([listFor(merchant, request), listKeys(pool, merchant.id)]);
      return renderRequests(place, { ...shown, keys, days: context.requestLogDays });
    }),
  );

  app.get(
    '/console/:merchantId/requests/:id',
    pageFor(context, 'develop', async (place, request, reply) => {
      const { merchant } = place.member;
      const found = await findFor(merchant, request.params);
      if (found === undefined) return showPage(request, reply, renderNotHere(place), 404);
      return renderRequest(place, found, await listKeys(pool, merchant.id));
    }),
  );

  app.get(
    '/console/api/:merchantId/requests',
    { schema: { response: { 200: RequestsSchema } } },
    apiFor(context, 'develop', async ({ merchant }, request) => {
      const { page, omitted } = await listFor(merchant, request);
      return { requests: page.requests.map(rowOf), omitted, ...(page.next !== undefined && { next: page.next }) };
    }),
  );

  app.get(
    '/console/api/:merchantId/requests/:id',
    { schema: { response: { 200: RequestSchema } } },
    apiFor(context, 'develop', async (member, request, reply) => {
      const found = await findFor(member.merchant, request.params);
      return found ? wholeOf(found) : sendJson(reply, 404, notHere(member));
    }),
  );
}
