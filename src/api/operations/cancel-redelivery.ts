// DELETE /v1/webhooks/{webhookId}/redeliveries/{redeliveryId}: ends a redelivery.
import { endRedelivery } from '../../merchants/redeliveries.ts';
import { NO_CONTENT, NOT_FOUND } from '../../server/answer.ts';
import { actorOf } from '../../server/asker.ts';
import { answers, BAD_ID, operation } from '../operation.ts';
import { webhookIn } from '../parts/webhook-input.ts';
import { idIn } from '../request.ts';

export const cancelRedelivery = operation(
  'cancelRedelivery',
  'DELETE /v1/webhooks/:webhookId/redeliveries/:redeliveryId',
  'webhooks',
  {
    tag: 'Webhooks',
    summary: 'End a redelivery',
    description: 'Ends a redelivery. What it has put on the way stays there; one that is over stays as it is.',
    success: answers(204, 'It is over.'),
    refused: [BAD_ID('redeliveryId')],
    handler: async (request, { store }) => {
      const id = idIn(request, 'redeliveryId');
      const to = await webhookIn(request, store);
      const ended = id && to && (await endRedelivery(store.pool, actorOf(request), request.merchant, to.id, id));
      return ended === 'ended' ? NO_CONTENT : NOT_FOUND;
    },
  },
);
