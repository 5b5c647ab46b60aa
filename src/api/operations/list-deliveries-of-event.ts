// GET /v1/events/{eventId}/deliveries: where an event was sent, and with what result.
import * as Type from '../../schema/type.ts';
import { answerWith, NOT_FOUND } from '../../server/answer.ts';
import { spendWhenLarge } from '../../server/rate-limit.ts';
import { listDeliveriesOfEvent as findDeliveries } from '../../store/events/deliveries.ts';
import { delivered } from '../openapi/event-examples.ts';
import { IDS } from '../openapi/story.ts';
import { answers, BAD_ID, operation } from '../operation.ts';
import { eventIn } from '../parts/event-input.ts';
import { Delivery } from '../schemas/delivery.ts';
import { presentDelivery } from '../webhook-presenter.ts';

/** Of one event: all of them. */
const DeliveriesOfEvent = Type.Object({ deliveries: Type.Array(Delivery) }, { title: 'DeliveriesOfEvent' });

const { eventId } = IDS;
const refusedOnce = {
  ...presentDelivery({
    eventId,
    name: 'payment.charge.created',
    hook: 0,
    state: 'pending',
    redeliveries: 0,
    tries: 1,
    attemptCount: 1,
    nextTryAt: Date.UTC(2026, 4, 17, 9, 30, 5, 203),
    attempts: [{ at: '2026-05-17T09:30:04.119Z', ms: 35, status: 500, answer: 'no such order' }],
  }),
  url: 'https://shop.example/events',
};

export const listDeliveriesOfEvent = operation('listDeliveriesOfEvent', 'GET /v1/events/:eventId/deliveries', 'read', {
  tag: 'Events',
  summary: 'List deliveries of an event',
  description:
    'To whom an event was sent, or is still to be sent, with every try: when, how long, what was answered. Also to ' +
    'the hooks that the payment was created with. Each redelivery counts `tries` anew, while `attempts` keeps all: ' +
    'what was taken once is still seen there.',
  success: answers(200, 'The deliveries.', DeliveriesOfEvent, {
    'Taken by a webhook, not yet by a hook of the payment': { deliveries: [delivered, refusedOnce] },
  }),
  refused: [BAD_ID('eventId')],
  handler: async (request, { store }) => {
    const sent = await eventIn(request, store);
    if (sent === undefined) return NOT_FOUND;
    const found = await findDeliveries(store.pool, sent);
    const hasHooks = found.some(({ hook }) => hook !== undefined);
    const asked = { merchantId: null, target: sent.subjectId, onLarge: spendWhenLarge(request) };
    const { payment } = hasHooks ? await store.load(asked) : {};
    return answerWith(200, { deliveries: found.map((delivery) => presentDelivery(delivery, payment)) });
  },
});
