// A delivery of an event, with its attempts.
import { Id, Timestamp } from '../../events/body-parts.ts';
import * as Type from '../../schema/type.ts';

export const DELIVERY_STATES = ['pending', 'delivered', 'failed', 'dropped'] as const;

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

export const Delivery = Type.Object(
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
