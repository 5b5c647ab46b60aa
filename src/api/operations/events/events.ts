// GET /v1/events and GET /v1/events/{eventId}: a merchant's events, oldest first, as they are sent. What is new is
// published first, so that everybody reads their own writes.
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Static } from '../../../schema/type.ts';
import { readId } from '../../../domain/id.ts';
import { findEvent, findEventUpTo, listEvents, positionBefore, readKeptEvents } from '../../../store/events/events.ts';
import { NOT_FOUND, sendAnswer } from '../../../server/errors.ts';
import { presentEvents } from './event-presenter.ts';
import { readAfter, readTypes, requireKept } from './event-input.ts';
import { readMoment } from '../../../server/formats.ts';
import { fillPage, pageText } from '../../list-page.ts';
import { badField } from '../../../server/problem.ts';
import { readLimit, requireKnownFilters } from '../../../server/query.ts';
import { listInTurn } from '../../../server/costly-work.ts';
import type { ReadingContext } from '../../request.ts';
import { spendWhenLarge } from '../../../server/rate-limit.ts';
import { idIn } from '../../request.ts';
import { merchantOf } from '../../../server/asker.ts';
import { EventListQuery } from './schema.ts';

function readPaymentId(text: string | undefined): string | undefined {
  if (text === undefined) return undefined;
  const id = readId(text);
  if (id === undefined) throw badField('paymentId', 'must be the id of a payment: 32 hex digits');
  return id;
}

export function routeEvents(app: FastifyInstance, { payments: { store }, costly, publicUrl }: ReadingContext): void {
  const presenting = (request: FastifyRequest) => ({ publicUrl: publicUrl(), onLarge: spendWhenLarge(request) });
  app.get(
    '/v1/events',
    { schema: { operationId: 'listEvents', querystring: EventListQuery } },
    async (request, reply) => {
      const query = request.query as Static<typeof EventListQuery>;
      requireKnownFilters(query, EventListQuery);
      const merchantId = merchantOf(request).id;
      const limit = readLimit(query.limit);
      const names = readTypes(query.type);
      const paymentId = readPaymentId(query.paymentId);
      const sinceMs = query.since === undefined ? undefined : readMoment(query.since);
      // Who has not got anywhere yet may well say so with nothing.
      const given = await readAfter(store, merchantOf(request), 'after', query.after === '' ? undefined : query.after);
      await store.publisher.catchUp(merchantOf(request));
      const kept = await readKeptEvents(store.pool, merchantId);
      requireKept(kept, sinceMs);
      const findPage = async (): Promise<string> => {
        const first = sinceMs === undefined ? 0 : await positionBefore(store.pool, merchantId, sinceMs);
        const after = given ?? Math.max(kept.purgedTo, first);
        const { events, lookedTo } = await listEvents(store.pool, {
          merchantId,
          after,
          // One more than asked for tells whether there is a next page.
          limit: limit + 1,
          ...(names !== undefined && { names }),
          ...(paymentId !== undefined && { paymentId }),
          ...(sinceMs !== undefined && { sinceMs }),
        });
        const texts = await fillPage(presentEvents(store, events.slice(0, limit), presenting(request)));
        // What did not fit is on the next page, and so is what comes behind all that was looked at.
        const isCut = texts.length < events.length;
        const last =
          isCut || lookedTo === undefined
            ? events[texts.length - 1]
            : await findEventUpTo(store.pool, merchantId, lookedTo);
        return pageText('events', texts, isCut || lookedTo !== undefined ? last?.id : undefined);
      };
      const body = await listInTurn(costly, request, reply, () => store.kept(findPage));
      return sendAnswer(reply, { status: 200, body });
    },
  );

  app.get('/v1/events/:eventId', { schema: { operationId: 'getEvent' } }, async (request, reply) => {
    const id = idIn(request, 'eventId');
    const event = id && (await store.kept(() => findEvent(store.pool, merchantOf(request).id, id)));
    if (!event) return sendAnswer(reply, NOT_FOUND);
    const { value: body = '' } = await presentEvents(store, [event], presenting(request)).next();
    return sendAnswer(reply, { status: 200, body });
  });
}
