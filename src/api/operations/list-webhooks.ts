// GET /v1/webhooks: all webhooks of a merchant.
import * as Type from '../../schema/type.ts';
import { answerWith } from '../../server/answer.ts';
import { listWebhooks as findWebhooks } from '../../store/events/webhooks.ts';
import { webhook } from '../openapi/webhook-examples.ts';
import { answers, operation } from '../operation.ts';
import { WebhookAnswer } from '../schemas/webhook.ts';
import { presentWebhook } from '../webhook-presenter.ts';

export const listWebhooks = operation('listWebhooks', 'GET /v1/webhooks', 'read', {
  tag: 'Webhooks',
  summary: 'List webhooks',
  description: 'All your webhooks, oldest first, without their secrets.',
  success: answers(
    200,
    'The webhooks.',
    Type.Object({ webhooks: Type.Array(WebhookAnswer) }, { title: 'WebhookList' }),
    { One: { webhooks: [presentWebhook(webhook)] } },
  ),
  handler: async (request, { store }) => {
    const found = await findWebhooks(store.pool, request.merchant.id);
    return answerWith(200, { webhooks: found.map((one) => presentWebhook(one)) });
  },
});
