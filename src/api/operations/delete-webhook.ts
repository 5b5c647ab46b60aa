// DELETE /v1/webhooks/{webhookId}: deletes a webhook.
import { deleteWebhook as remove } from '../../merchants/webhooks.ts';
import { NO_CONTENT, NOT_FOUND } from '../../server/answer.ts';
import { actorOf } from '../../server/asker.ts';
import { answers, BAD_ID, operation } from '../operation.ts';
import { idIn } from '../request.ts';

export const deleteWebhook = operation('deleteWebhook', 'DELETE /v1/webhooks/:webhookId', 'webhooks', {
  tag: 'Webhooks',
  summary: 'Delete a webhook',
  description: 'Deletes a webhook for good. What was on its way to it is dropped.',
  success: answers(204, 'The webhook is gone.'),
  refused: [BAD_ID('webhookId')],
  handler: async (request, { store }) => {
    const id = idIn(request, 'webhookId');
    const deleted = id && (await remove(store.pool, actorOf(request), request.merchant, id));
    return deleted && deleted.kind === 'deleted' ? NO_CONTENT : NOT_FOUND;
  },
});
