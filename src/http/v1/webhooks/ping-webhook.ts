// POST /v1/webhooks/{webhookId}/ping: sends a test message to a webhook and answers what came of it.
import type { FastifyInstance } from 'fastify';
import { partOf } from '../../../domain/id.ts';
import { sendPing } from '../../../events/ping.ts';
import { openSender } from '../../../events/sender.ts';
import { newId } from '../../../payments/ids.ts';
import { findWebhook, findWebhookSecrets } from '../../../store/webhooks.ts';
import { answerWith, failure } from '../../dialects/dialect.ts';
import { NO_CODE, NOT_FOUND, sendAnswer } from '../../errors.ts';
import { idIn, merchantOf } from '../../request.ts';
import type { RouteContext } from '../../request.ts';

export const STILL_PINGED = 'The ping before is still under way; wait for its answer.';
const RETRY_AFTER_S = 1;

export function routePingWebhook(app: FastifyInstance, { payments: { store }, privateHooks }: RouteContext): void {
  const sender = openSender({ privateHooks });
  app.addHook('preClose', async () => sender.close());
  // One at a time for each webhook: nobody sends a flood to an address through Kassa.
  const underWay = new Set<string>();

  app.post('/v1/webhooks/:webhookId/ping', { schema: { operationId: 'pingWebhook' } }, async (request, reply) => {
    const { id: merchantId, live } = merchantOf(request);
    const id = idIn(request, 'webhookId');
    const webhook = id && (await findWebhook(store.pool, id, merchantId));
    if (!webhook) return sendAnswer(reply, NOT_FOUND);
    if (underWay.has(webhook.id))
      return sendAnswer(reply.header('retry-after', RETRY_AFTER_S), failure(429, NO_CODE, STILL_PINGED));
    underWay.add(webhook.id);
    try {
      const secrets = await findWebhookSecrets(store.pool, webhook.id);
      const ping = { id: newId(Date.now(), partOf(webhook.id)), webhook, secrets, live };
      return await sendAnswer(reply, answerWith(200, await sendPing(sender, ping)));
    } finally {
      underWay.delete(webhook.id);
    }
  });
}
