// GET /v1/events/{eventId}: one event, with its payment as it is now.
import { NOT_FOUND } from '../../server/answer.ts';
import { spendWhenLarge } from '../../server/rate-limit.ts';
import { findEvent } from '../../store/events/events.ts';
import { event } from '../openapi/story.ts';
import { answers, BAD_ID, operation } from '../operation.ts';
import { presentEvents } from '../parts/event-presenter.ts';
import { idIn } from '../request.ts';
import { Event } from '../schemas/event.ts';

export const getEvent = operation('getEvent', 'GET /v1/events/:eventId', 'read', {
  tag: 'Events',
  summary: 'Get an event',
  description: 'One event, with its payment as it is now.',
  success: answers(200, 'The event.', Event, { 'A charge': event }),
  refused: [BAD_ID('eventId')],
  handler: async (request, { store, publicUrl }) => {
    const id = idIn(request, 'eventId');
    const found = id && (await store.kept(() => findEvent(store.pool, request.merchant.id, id)));
    if (!found) return NOT_FOUND;
    const presenting = { publicUrl: publicUrl(), onLarge: spendWhenLarge(request) };
    const { value: body = '' } = await presentEvents(store, [found], presenting).next();
    return { status: 200, body };
  },
});
