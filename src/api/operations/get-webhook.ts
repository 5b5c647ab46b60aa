// GET /v1/webhooks/{webhookId}: a webhook without its secret.
import { answerWith, NOT_FOUND } from '../../server/answer.ts';
import { CREATED_AT, DAY_MS, webhook } from '../openapi/webhook-examples.ts';
import { answers, BAD_ID, operation } from '../operation.ts';
import { webhookIn } from '../parts/webhook-input.ts';
import { WebhookAnswer } from '../schemas/webhook.ts';
import { presentWebhook } from '../webhook-presenter.ts';

const failing = {
  ...webhook,
  disabled: { reason: 'failing' as const, at: CREATED_AT + 9 * DAY_MS },
  failingSince: CREATED_AT + 6 * DAY_MS,
};

export const getWebhook = operation('getWebhook', 'GET /v1/webhooks/:webhookId', 'read', {
  tag: 'Webhooks',
  summary: 'Get a webhook',
  description: 'A webhook without its secret: whether it is on, and since when it fails if it does.',
  success: answers(200, 'The webhook.', WebhookAnswer, {
    'For all events': presentWebhook(webhook),
    'Switched off, since it failed for three days': presentWebhook(failing),
  }),
  refused: [BAD_ID('webhookId')],
  handler: async (request, { store }) => {
    const found = await webhookIn(request, store);
    return found ? answerWith(200, presentWebhook(found)) : NOT_FOUND;
  },
});
