// Webhooks: what is asked for, and what is answered.
import * as Type from '../../../schema/type.ts';
import { definitions } from '../../../events/definitions.ts';
import { Id, Timestamp } from '../../../events/body-parts.ts';
import { OLD_SECRET_SECONDS } from '../../../store/events/webhooks.ts';
import { WebUrl } from '../../schemas/values.ts';

const LONGEST_NAME = 64;
const MOST_NAMES = 64;

const Names = (description: string) =>
  Type.Optional(Type.Array(Type.String({ maxLength: LONGEST_NAME }), { maxItems: MOST_NAMES, description }));

const Secret = Type.Optional(
  Type.String({
    format: 'webhook-secret',
    description: 'A secret of your own: `whsec_` and the base64 of 24 to 64 random bytes. Left out, Kassa makes one.',
  }),
);

const Url = WebUrl('Where events are sent.');

export const NewWebhookSchema = Type.Object(
  {
    url: Url,
    events: Names('The names of the events that are sent. Left out or ["*"]: all, those to come too.'),
    secret: Secret,
  },
  { title: 'WebhookRequest', additionalProperties: false },
);

export const WebhookChangeSchema = Type.Object(
  {
    url: Type.Optional(Url),
    events: Names('All of them anew, as in the request that made it.'),
    state: Type.Optional(
      Type.String({
        enum: ['enabled', 'disabled'],
        description: 'Switches it on, sends what was held and forgets its failures; or off.',
      }),
    ),
  },
  {
    title: 'WebhookChangeRequest',
    description: 'What is left out stays as it is; not everything can be left out.',
    additionalProperties: false,
  },
);

export const RotateSchema = Type.Object(
  {
    secret: Secret,
    oldSecretFor: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: OLD_SECRET_SECONDS,
        default: OLD_SECRET_SECONDS,
        description: 'For how many seconds the secret before signs as well. 0 ends it at once, when it has leaked.',
      }),
    ),
  },
  {
    title: 'RotateRequest',
    description: 'Everything may be left out, the body itself too.',
    additionalProperties: false,
  },
);

export const RedeliverSinceSchema = Type.Object(
  {
    since: Type.String({ format: 'moment', description: 'What happened at this date or time, or later.' }),
    until: Type.Optional(Type.String({ format: 'moment', description: 'And at this date or time, or earlier.' })),
    types: Names('Only events of these names.'),
    onlyFailed: Type.Optional(
      Type.Boolean({
        description: 'Only what the webhook has not taken: what failed, is still on its way or was never sent.',
      }),
    ),
  },
  { title: 'RedeliverSinceRequest', additionalProperties: false },
);

const WebhookFields = {
  webhookId: Id('Identifies the webhook.'),
  url: Type.String({ description: 'Where events are sent.' }),
  events: Type.Array(Type.String({ enum: ['*', ...definitions.map(({ name }) => name)] }), {
    description: 'The names of the events that are sent; `["*"]`: all.',
  }),
  state: Type.String({
    enum: ['enabled', 'disabled'],
    description: 'A disabled one is sent nothing: what is on its way is held, and nothing new is queued.',
  }),
  created: Timestamp('When it was made.'),
  disabledReason: Type.Optional(
    Type.String({
      enum: ['asked', 'gone', 'failing'],
      description: 'asked: you did it. gone: it answered 410. failing: no success for three days.',
    }),
  ),
  disabledAt: Type.Optional(Timestamp('When it was switched off.')),
  failingSince: Type.Optional(Timestamp('The first failure since the last success.')),
  oldSecretUntil: Type.Optional(Timestamp('Until then the secret before signs as well.')),
};

export const WebhookAnswer = Type.Object(WebhookFields, {
  title: 'Webhook',
  description: 'An endpoint of yours. Its secret is not shown again.',
});

const ShownSecret = Type.String({ pattern: '^whsec_', description: 'Signs what is sent. Shown this once.' });

export const WebhookCreated = Type.Object({ ...WebhookFields, secret: ShownSecret }, { title: 'WebhookCreated' });

export const WebhookList = Type.Object({ webhooks: Type.Array(WebhookAnswer) }, { title: 'WebhookList' });

export const WebhookRotated = Type.Object(
  {
    secret: ShownSecret,
    oldSecretUntil: Type.Optional(Timestamp('Until then the secret before signs as well; missing when it does not.')),
  },
  { title: 'WebhookRotated' },
);

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

export const RedeliveryList = Type.Object({ redeliveries: Type.Array(RedeliveryAnswer) }, { title: 'RedeliveryList' });

export type NewWebhookBody = Type.Static<typeof NewWebhookSchema>;
export type WebhookChangeBody = Type.Static<typeof WebhookChangeSchema>;
export type RotateBody = Type.Static<typeof RotateSchema>;
