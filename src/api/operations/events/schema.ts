// Events and their deliveries: what is asked for, and what is answered.
import * as Type from '../../../schema/type.ts';
import { EnvelopeSchema } from '../../../events/body.ts';
import { definitions } from '../../../events/definitions.ts';
import { Id, Timestamp } from '../../../events/body-parts.ts';
import { LIMIT_TEXT } from '../../../server/query.ts';

const Query = (description: string) => Type.Optional(Type.String({ description }));

const TYPE = 'Only events of this name, or of these: several with commas between them.';

export const EventListQuery = Type.Object({
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

export const EventStreamQuery = Type.Object({
  type: Query(TYPE),
  after: Query('Begins after this event instead of now; the header Last-Event-ID goes before it.'),
});

const DELIVERY_STATES = ['pending', 'delivered', 'failed', 'dropped'] as const;

export const DeliveryListQuery = Type.Object({
  state: Type.Optional(
    Type.String({ enum: [...DELIVERY_STATES], description: 'Only deliveries that have come to this.' }),
  ),
  before: Query('Only events that came before this one: its id, or the cursor of the page before.'),
  limit: Query(LIMIT_TEXT),
});

export const RedeliverEventSchema = Type.Object(
  { webhookId: Type.Optional(Type.String({ maxLength: 128, description: 'Only to this webhook.' })) },
  {
    title: 'RedeliverEventRequest',
    description: 'Everything may be left out, the body itself too.',
    additionalProperties: false,
  },
);

export const Event = Type.Union(definitions.map(EnvelopeSchema), {
  title: 'Event',
  description: 'As it is sent to webhooks: one of the events that are listed there, by its name in `event`.',
});

export const EventList = Type.Object(
  {
    events: Type.Array(Event),
    cursor: Type.Optional(Id('Gives the next page; missing on the last one.')),
  },
  { title: 'EventList' },
);

export const Attempt = Type.Object(
  {
    at: Timestamp('When it began.'),
    ms: Type.Integer({ minimum: 0, description: 'How long it took.' }),
    status: Type.Optional(Type.Integer({ description: 'What was answered; missing when nothing was.' })),
    error: Type.Optional(
      Type.String({ description: 'Why no answer came, or not all of it, or why it did not count.' }),
    ),
    answer: Type.Optional(Type.String({ description: 'The first bytes of what was answered.' })),
  },
  { title: 'DeliveryAttempt' },
);

const Delivery = Type.Object(
  {
    eventId: Id('The event.'),
    event: Type.String({ description: 'Its name.' }),
    webhookId: Type.Optional(Id("The webhook; missing for one of the payment's own.")),
    hook: Type.Optional(
      Type.Integer({ minimum: 0, description: "Of the payment's own: its place in notifications.webHooks." }),
    ),
    url: Type.Optional(Type.String({ description: "Of the payment's own: where it is sent." })),
    state: Type.String({
      enum: [...DELIVERY_STATES],
      description:
        'pending: on its way, or held while its webhook is off. delivered: it was taken. failed: every try was in vain. ' +
        'dropped: nobody is there any more to be sent it.',
    }),
    redeliveries: Type.Optional(
      Type.Integer({ minimum: 1, description: 'How often it was asked for again; missing when it never was.' }),
    ),
    tries: Type.Integer({ minimum: 0, description: 'How often it was tried since it was asked for last.' }),
    nextTry: Type.Optional(Timestamp('When it is tried next, while it is pending and its webhook is on.')),
    attemptCount: Type.Optional(
      Type.Integer({ minimum: 0, description: 'All tries there ever were; missing when `attempts` has them all.' }),
    ),
    attempts: Type.Array(Attempt, {
      description: 'The tries, oldest first, across redeliveries: all, or of very many the first 20 and the last 20.',
    }),
  },
  { title: 'Delivery', description: 'One event on its way to one endpoint.' },
);

/** Of one event: all of them. */
export const DeliveriesOfEvent = Type.Object({ deliveries: Type.Array(Delivery) }, { title: 'DeliveriesOfEvent' });

/** Of one webhook: a page. */
export const DeliveryList = Type.Object(
  {
    deliveries: Type.Array(Delivery),
    cursor: Type.Optional(Id('Gives the next page, as before; missing on the last one.')),
  },
  { title: 'DeliveryList' },
);

export const Redelivered = Type.Object(
  { deliveries: Type.Integer({ minimum: 0, description: 'How many are on their way again.' }) },
  { title: 'Redelivered' },
);
