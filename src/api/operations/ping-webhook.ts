// POST /v1/webhooks/{webhookId}/ping: sends a test message to a webhook and returns the result.
import { isoTime } from '../../domain/time.ts';
import { openPings } from '../../merchants/pings.ts';
import { answerWith, failure, NO_CODE, NOT_FOUND } from '../../server/answer.ts';
import { actorOf } from '../../server/asker.ts';
import { CREATED_AT } from '../openapi/webhook-examples.ts';
import { answers, BAD_ID, operation, refusal } from '../operation.ts';
import { webhookIn } from '../parts/webhook-input.ts';
import { Attempt } from '../schemas/delivery.ts';

const STILL_PINGED = failure(429, NO_CODE, 'The ping before is still under way; wait for its answer.');
const RETRY_AFTER_S = 1;

export const pingWebhook = operation('pingWebhook', 'POST /v1/webhooks/:webhookId/ping', 'webhooks', {
  tag: 'Webhooks',
  summary: 'Ping a webhook',
  description:
    'Sends a test message to a webhook at once, signed as events are, and answers what came of it: the status, or why ' +
    'there is none. Its body is that of an event, with the name `webhook.ping` and `data: {"webhookId"}`. It is not ' +
    'listed, not tried again, and says nothing about whether the webhook fails; one that is off can be pinged, too. ' +
    'One at a time.',
  success: answers(200, 'What came of it.', Attempt, {
    'It was taken': { at: isoTime(CREATED_AT), ms: 41, status: 204 },
    'Nobody is there': { at: isoTime(CREATED_AT), ms: 3, error: 'connection refused' },
  }),
  refused: [BAD_ID('webhookId'), refusal('The one before is still under way', STILL_PINGED)],
  start: ({ store, privateHooks }, api) => {
    const pings = openPings(store.pool, { privateHooks });
    api.addHook('preClose', async () => pings.close());
    return async (request, _context, reply) => {
      const found = await webhookIn(request, store);
      if (!found) return NOT_FOUND;
      const attempt = await pings.send(actorOf(request), request.merchant, found);
      if (attempt !== 'under_way') return answerWith(200, attempt);
      reply.header('retry-after', RETRY_AFTER_S);
      return STILL_PINGED;
    };
  },
});
