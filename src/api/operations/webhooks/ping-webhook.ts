// POST /v1/webhooks/{webhookId}/ping: sends a test message to a webhook and answers what came of it.
import type { FastifyInstance } from 'fastify';
import { openPings } from '../../../merchants/pings.ts';
import { findWebhook } from '../../../store/events/webhooks.ts';
import { answerWith, failure } from '../../../server/answer.ts';
import { NO_CODE, NOT_FOUND, sendAnswer } from '../../../server/errors.ts';
import { idIn } from '../../request.ts';
import { actorOf, merchantOf } from '../../../server/asker.ts';
import type { RouteContext } from '../../request.ts';

export const STILL_PINGED = 'The ping before is still under way; wait for its answer.';
const RETRY_AFTER_S = 1;

export function routePingWebhook(app: FastifyInstance, { payments: { store }, privateHooks }: RouteContext): void {
  const pings = openPings(store.pool, { privateHooks });
  app.addHook('preClose', async () => pings.close());

  app.post('/v1/webhooks/:webhookId/ping', { schema: { operationId: 'pingWebhook' } }, async (request, reply) => {
    const merchant = merchantOf(request);
    const id = idIn(request, 'webhookId');
    const webhook = id && (await findWebhook(store.pool, id, merchant.id));
    if (!webhook) return sendAnswer(reply, NOT_FOUND);
    const attempt = await pings.send(actorOf(request), merchant, webhook);
    if (attempt === 'under_way')
      return sendAnswer(reply.header('retry-after', RETRY_AFTER_S), failure(429, NO_CODE, STILL_PINGED));
    return sendAnswer(reply, answerWith(200, attempt));
  });
}
