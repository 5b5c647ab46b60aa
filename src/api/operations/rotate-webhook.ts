// POST /v1/webhooks/{webhookId}/rotate: a new secret, which only this response contains.
import { NO_ID } from '../../domain/id.ts';
import { isoTime } from '../../domain/time.ts';
import { Timestamp } from '../../events/body-parts.ts';
import { rotateSecret } from '../../merchants/webhooks.ts';
import * as Type from '../../schema/type.ts';
import { answerWith, NOT_FOUND } from '../../server/answer.ts';
import { actorOf } from '../../server/asker.ts';
import { OLD_SECRET_SECONDS } from '../../store/events/webhooks.ts';
import { CREATED_AT, DAY_MS, secret } from '../openapi/webhook-examples.ts';
import { answers, BAD_ID, operation, problem } from '../operation.ts';
import { idIn } from '../request.ts';
import { Secret, ShownSecret } from '../schemas/webhook.ts';
import { timeOrNone } from '../webhook-presenter.ts';

const WebhookRotated = Type.Object(
  {
    secret: ShownSecret,
    oldSecretUntil: Type.Optional(Timestamp('Until then the secret before signs as well; missing when it does not.')),
  },
  { title: 'WebhookRotated' },
);

export const rotateWebhook = operation('rotateWebhook', 'POST /v1/webhooks/:webhookId/rotate', 'webhooks', {
  body: Type.Object(
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
  ),
  config: { bodyOptional: true },
  tag: 'Webhooks',
  summary: 'Rotate the secret',
  description:
    'Gives the webhook a new secret, which is in this answer and in no other. For 24 hours, or for as long as ' +
    '`oldSecretFor` says, the secret before signs as well, so that your shop can change over without a gap; one that ' +
    'was still valid beside it is not any more.',
  requests: { 'A secret of your own': { secret }, 'The secret before has leaked': { oldSecretFor: 0 } },
  success: answers(200, 'The new secret.', WebhookRotated, {
    Rotated: { secret, oldSecretUntil: isoTime(CREATED_AT + 3 * DAY_MS) },
    'The secret before is ended': { secret },
  }),
  refused: [
    problem(
      'A malformed secret',
      'secret',
      'must be whsec_ and the base64 of 24 to 64 bytes, found a text of 12 characters',
    ),
    BAD_ID('webhookId'),
  ],
  handler: async (request, { store }) => {
    const { secret: given, oldSecretFor } = request.body;
    const asked = {
      ...(given !== undefined && { secret: given }),
      ...(oldSecretFor !== undefined && { oldSecretSeconds: oldSecretFor }),
    };
    const id = idIn(request, 'webhookId') ?? NO_ID;
    const rotated = await rotateSecret(store.pool, actorOf(request), request.merchant, id, asked);
    if (rotated.kind === 'not_found') return NOT_FOUND;
    const { secret: made, oldSecretUntil } = rotated.webhook;
    return answerWith(200, { secret: made, oldSecretUntil: timeOrNone(oldSecretUntil) });
  },
});
