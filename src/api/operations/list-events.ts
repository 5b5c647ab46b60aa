// GET /v1/events: a merchant's events, oldest first, as they are sent. New events are published first, so that clients
// read their own writes.
import { readId } from '../../domain/id.ts';
import { Id } from '../../events/body-parts.ts';
import * as Type from '../../schema/type.ts';
import { readMoment } from '../../server/formats.ts';
import { listInTurn } from '../../server/costly-work.ts';
import { badField } from '../../server/problem.ts';
import { LIMIT_SCHEMA, LIMIT_TEXT, readLimit, requireKnownFilters } from '../../server/query.ts';
import { spendWhenLarge } from '../../server/rate-limit.ts';
import { findEventUpTo, listEvents as findEvents, positionBefore, readKeptEvents } from '../../store/events/events.ts';
import { fillPage, pageText } from '../list-page.ts';
import { FORGOTTEN, NOT_AN_EVENT, TYPES, UNKNOWN_TYPE } from '../openapi/event-examples.ts';
import { event, IDS } from '../openapi/story.ts';
import { answers, operation, problem } from '../operation.ts';
import { readAfter, readTypes, requireKept } from '../parts/event-input.ts';
import { presentEvents } from '../parts/event-presenter.ts';
import { Event, TYPE } from '../schemas/event.ts';

const Query = (description: string) => Type.Optional(Type.String({ description }));

const EventListQuery = Type.Object({
  paymentId: Query('Only events of this payment.'),
  type: Query(TYPE),
  after: Query(
    'Only what comes after this event: its id, or the cursor of the page before. Empty: from the beginning.',
  ),
  since: Type.Optional(
    Type.String({ format: 'moment', description: 'What was recorded at this date or time, or later.' }),
  ),
  limit: Query(LIMIT_TEXT),
});

const EventList = Type.Object(
  {
    events: Type.Array(Event),
    cursor: Type.Optional(Id('Gives the next page; missing on the last one.')),
  },
  { title: 'EventList' },
);

function readPaymentId(text: string | undefined): string | undefined {
  if (text === undefined) return undefined;
  const id = readId(text);
  if (id === undefined) throw badField('paymentId', 'must be the id of a payment: 32 hex digits');
  return id;
}

export const listEvents = operation('listEvents', 'GET /v1/events', 'read', {
  query: EventListQuery,
  tag: 'Events',
  summary: 'List events',
  description:
    'Your events, oldest first, page by page. To follow them, keep the `id` of the last one that you have seen, ask ' +
    'for what comes `after` it, and ask again later: nothing is ever put in before what was shown already. Each ' +
    'event is shown with its payment as it is now. The events of a payment that is not yours are none. To begin at a ' +
    'time instead of at the first event, give `since`.',
  parameters: {
    paymentId: { example: IDS.paymentId },
    type: TYPES,
    after: { example: IDS.eventId },
    since: { example: '2026-05-17T08:00:00Z' },
    limit: { schema: LIMIT_SCHEMA, example: 50 },
  },
  success: answers(200, 'A page of events.', EventList, {
    'The last page': { events: [event] },
    'A page that is followed by another': { events: [event], cursor: IDS.eventId },
  }),
  refused: [
    UNKNOWN_TYPE,
    NOT_AN_EVENT('after'),
    FORGOTTEN('after'),
    problem('A limit out of range', 'limit', 'must be a whole number from 1 to 100'),
  ],
  handler: async (request, { store, costly, publicUrl }, reply) => {
    const { query } = request;
    requireKnownFilters(query, EventListQuery);
    const merchantId = request.merchant.id;
    const limit = readLimit(query.limit);
    const names = readTypes(query.type);
    const paymentId = readPaymentId(query.paymentId);
    const sinceMs = query.since === undefined ? undefined : readMoment(query.since);
    // A client that has no position yet may send an empty one.
    const given = await readAfter(store, request.merchant, 'after', query.after === '' ? undefined : query.after);
    await store.publisher.catchUp(request.merchant);
    const kept = await readKeptEvents(store.pool, merchantId);
    requireKept(kept, sinceMs);
    const findPage = async (): Promise<string> => {
      const first = sinceMs === undefined ? 0 : await positionBefore(store.pool, merchantId, sinceMs);
      const after = given ?? Math.max(kept.purgedTo, first);
      const { events, lookedTo } = await findEvents(store.pool, {
        merchantId,
        after,
        // One more than requested shows whether there is a next page.
        limit: limit + 1,
        ...(names !== undefined && { names }),
        ...(paymentId !== undefined && { paymentId }),
        ...(sinceMs !== undefined && { sinceMs }),
      });
      const presenting = { publicUrl: publicUrl(), onLarge: spendWhenLarge(request) };
      const texts = await fillPage(presentEvents(store, events.slice(0, limit), presenting));
      // The next page has what did not fit, and what follows all that was read.
      const isCut = texts.length < events.length;
      const last =
        isCut || lookedTo === undefined
          ? events[texts.length - 1]
          : await findEventUpTo(store.pool, merchantId, lookedTo);
      return pageText('events', texts, isCut || lookedTo !== undefined ? last?.id : undefined);
    };
    return { status: 200, body: await listInTurn(costly, request, reply, () => store.kept(findPage)) };
  },
});
