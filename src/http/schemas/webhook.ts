// Webhooks: what is asked for, and what is answered.
import { Type } from 'typebox';
import { definitions } from '../../events/definitions.ts';
import { Id, Timestamp } from '../../events/parts.ts';
import { WebUrl } from './values.ts';

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
    events: Names('The names of the events that are sent. Left out, empty or ["*"]: all, those to come too.'),
    secret: Secret,
  },
  { title: 'WebhookRequest' },
);

export const WebhookChangeSchema = Type.Object(
  {
    url: Type.Optional(Url),
    events: Names('All of them anew, as in the request that made it.'),
    state: Type.Optional(
      Type.String({ enum: ['enabled', 'disabled'], description: 'Switches it on, and forgets its failures; or off.' }),
    ),
  },
  { title: 'WebhookChangeRequest', description: 'What is left out stays as it is; not everything can be left out.' },
);

export const RotateSchema = Type.Object(
  { secret: Secret },
  { title: 'RotateRequest', description: 'Everything may be left out, the body itself too.' },
);

export const RedeliverSinceSchema = Type.Object(
  { since: Type.String({ format: 'moment', description: 'What happened at this date or time, or later.' }) },
  { title: 'RedeliverSinceRequest' },
);

const WebhookFields = {
  webhookId: Id('Identifies the webhook.'),
  url: Type.String({ description: 'Where events are sent.' }),
  events: Type.Array(Type.String({ enum: ['*', ...definitions.map(({ name }) => name)] }), {
    description: 'The names of the events that are sent; `["*"]`: all.',
  }),
  state: Type.String({ enum: ['enabled', 'disabled'], description: 'A disabled one is sent nothing.' }),
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
  { secret: ShownSecret, oldSecretUntil: Timestamp('Until then the secret before signs as well.') },
  { title: 'WebhookRotated' },
);

export type NewWebhookBody = Type.Static<typeof NewWebhookSchema>;
export type WebhookChangeBody = Type.Static<typeof WebhookChangeSchema>;
export type RotateBody = Type.Static<typeof RotateSchema>;
