// A redelivery as it is answered: events that are sent to a webhook once more.
import { Id, Timestamp } from '../../events/body-parts.ts';
import * as Type from '../../schema/type.ts';

export const RedeliveryAnswer = Type.Object(
  {
    redeliveryId: Id('Identifies the redelivery.'),
    webhookId: Id('Where it is sent.'),
    state: Type.String({
      enum: ['running', 'completed', 'cancelled', 'webhook_disabled', 'webhook_deleted'],
      description:
        'running: it goes on by itself. completed: all are on their way. The others ended it before: you did, or its ' +
        'webhook was switched off or deleted.',
    }),
    deliveries: Type.Integer({ minimum: 0, description: 'How many events are on their way again, so far.' }),
    events: Type.Integer({ minimum: 0, description: 'How many events were looked at, so far.' }),
    ofEvents: Type.Integer({ minimum: 0, description: 'About how many there are to look at.' }),
    since: Timestamp('What happened then or later.'),
    until: Type.Optional(Timestamp('And then or earlier.')),
    types: Type.Optional(Type.Array(Type.String(), { description: 'Only events of these names.' })),
    onlyFailed: Type.Boolean({ description: 'Whether only what was not taken is sent.' }),
    created: Timestamp('When it was asked for.'),
    ended: Type.Optional(Timestamp('When it came to its end.')),
  },
  { title: 'Redelivery', description: 'Events that are sent to a webhook once more.' },
);
