// The documentation of the operations on events and on what became of them.
import * as Type from '../../../schema/type.ts';
import { failure } from '../../../server/answer.ts';
import { presentDelivery } from '../../webhook-presenter.ts';
import { LIMIT_SCHEMA } from '../../../server/query.ts';
import { MOST_STREAMS } from './event-stream.ts';
import { DeliveriesOfEvent, Event, EventList, Redelivered } from './schema.ts';
import { BAD_ID, bodyOf, problem } from '../../openapi/operation.ts';
import type { OperationDoc } from '../../openapi/operation.ts';
import { event, IDS } from '../story.ts';

const [paymentId, eventId, webhookId] = [IDS['paymentId'], IDS['eventId'], IDS['webhookId']] as [
  string,
  string,
  string,
];

const TYPES = { example: 'payment.checkout.completed,payment.charge.created' };

const UNKNOWN_TYPE = problem('An event that there is not', {
  field: 'type',
  text: 'there is no such event; there are payment.created, payment.reservation.created, …',
});

const NOT_AN_EVENT = (field: string) =>
  problem('An id that is of no event', { field, text: 'must be the id of an event of yours' });

const FORGOTTEN = (field: string) =>
  problem('So long ago that events after it are forgotten', {
    field,
    text: 'is too long ago: events before 2026-02-16T00:00:00.000Z are no longer kept; read the payments that matter, and go on with since=2026-02-16T00:00:00.000Z',
  });

const STREAM = [
  'retry: 1000',
  '',
  `id: ${eventId}`,
  'event: payment.charge.created',
  `data: ${JSON.stringify(event)}`,
  '',
  ': still here',
  '',
  '',
].join('\n');

/** Delivered at the second try. */
export const delivered = presentDelivery({
  eventId,
  name: 'payment.charge.created',
  webhookId,
  state: 'delivered',
  redeliveries: 0,
  tries: 2,
  attemptCount: 2,
  attempts: [
    { at: '2026-05-17T09:30:04.118Z', ms: 10_001, error: 'timed out after 10 s' },
    { at: '2026-05-17T09:30:15.162Z', ms: 41, status: 204 },
  ],
});

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

export const EVENT_OPERATIONS = {
  listEvents: {
    tag: 'Events',
    summary: 'List events',
    description:
      'Your events, oldest first, page by page. To follow them, keep the `id` of the last one that you have seen, ask ' +
      'for what comes `after` it, and ask again later: nothing is ever put in before what was shown already. Each ' +
      'event is shown with its payment as it is now. The events of a payment that is not yours are none. To begin at a ' +
      'time instead of at the first event, give `since`.',
    query: {
      paymentId: { example: paymentId },
      type: TYPES,
      after: { example: eventId },
      since: { example: '2026-05-17T08:00:00Z' },
      limit: { schema: LIMIT_SCHEMA, example: 50 },
    },
    success: {
      status: 200,
      description: 'A page of events.',
      schema: EventList,
      examples: [
        { summary: 'The last page', value: { events: [event] } },
        { summary: 'A page that is followed by another', value: { events: [event], cursor: eventId } },
      ],
    },
    refused: [
      UNKNOWN_TYPE,
      NOT_AN_EVENT('after'),
      FORGOTTEN('after'),
      problem('A limit out of range', { field: 'limit', text: 'must be a whole number from 1 to 100' }),
    ],
  },
  streamEvents: {
    tag: 'Events',
    summary: 'Stream events',
    description:
      'Your events as they happen, as server-sent events: from now on, or from the event after `Last-Event-ID` or ' +
      '`after`. Each has its `id`, its name as `event` and the event itself as `data`. A comment every 15 seconds says ' +
      'that the stream is alive. It ends when the service stops: come back with the `id` that you read last, and ' +
      `nothing is missed. At most ${MOST_STREAMS} at once; one that is not read for a minute is cut off.`,
    header: 'LastEventId',
    query: { type: TYPES, after: { example: eventId } },
    success: {
      status: 200,
      description: 'The stream.',
      schema: Type.String(),
      mediaType: 'text/event-stream',
      examples: [{ summary: 'An event, and a sign of life', value: STREAM }],
    },
    refused: [
      UNKNOWN_TYPE,
      NOT_AN_EVENT('Last-Event-ID'),
      FORGOTTEN('Last-Event-ID'),
      {
        status: 429,
        summary: 'Too many streams',
        value: bodyOf(
          failure(429, '1000', `There are ${MOST_STREAMS} streams of your events already; close one of them first.`),
        ),
      },
    ],
  },
  getEvent: {
    tag: 'Events',
    summary: 'Get an event',
    description: 'One event, with its payment as it is now.',
    success: {
      status: 200,
      description: 'The event.',
      schema: Event,
      examples: [{ summary: 'A charge', value: event }],
    },
    refused: [BAD_ID('eventId')],
  },
  listDeliveriesOfEvent: {
    tag: 'Events',
    summary: 'List deliveries of an event',
    description:
      'To whom an event was sent, or is still to be sent, with every try: when, how long, what was answered. Also to ' +
      'the hooks that the payment was created with. Each redelivery counts `tries` anew, while `attempts` keeps all: ' +
      'what was taken once is still seen there.',
    success: {
      status: 200,
      description: 'The deliveries.',
      schema: DeliveriesOfEvent,
      examples: [
        {
          summary: 'Taken by a webhook, not yet by a hook of the payment',
          value: { deliveries: [delivered, refusedOnce] },
        },
      ],
    },
    refused: [BAD_ID('eventId')],
  },
  redeliverEvent: {
    tag: 'Events',
    summary: 'Redeliver an event',
    description:
      'Sends an event again, under the same `id`, whether it was taken or not: to the one webhook that is named, even if ' +
      'it never heard of it, or to everybody whom it was sent to.',
    requests: [{ summary: 'To one webhook', value: { webhookId } }],
    success: {
      status: 202,
      description: 'It is on its way.',
      schema: Redelivered,
      examples: [{ summary: 'To one', value: { deliveries: 1 } }],
    },
    refused: [
      problem('A webhook that there is not', { field: 'webhookId', text: 'there is no such webhook' }),
      problem('A webhook that is off', { field: 'webhookId', text: 'is switched off; switch it on first' }),
      problem('Nobody to send it to', {
        field: 'webhookId',
        text: 'is required: nobody whom this event was sent to can still be sent it',
      }),
      problem('A field that there is not', { field: 'webhook', text: 'there is no such field; there are webhookId' }),
    ],
  },
} as const satisfies Record<string, OperationDoc>;
