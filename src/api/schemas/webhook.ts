// A webhook as it is answered, and what requests that make and change one have in common.
import { Id, Timestamp } from '../../events/body-parts.ts';
import { definitions } from '../../events/definitions.ts';
import * as Type from '../../schema/type.ts';
import { WebUrl } from './values.ts';

const LONGEST_NAME = 64;

const MOST_NAMES = 64;
export const Names = (description: string) =>
  Type.Optional(Type.Array(Type.String({ maxLength: LONGEST_NAME }), { maxItems: MOST_NAMES, description }));

export const Secret = Type.Optional(
  Type.String({
    format: 'webhook-secret',
    description: 'A secret of your own: `whsec_` and the base64 of 24 to 64 random bytes. Left out, Kassa makes one.',
  }),
);

export const Url = WebUrl('Where events are sent.');

export const WebhookFields = {
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

export const ShownSecret = Type.String({ pattern: '^whsec_', description: 'Signs what is sent. Shown this once.' });
