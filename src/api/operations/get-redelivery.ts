// GET /v1/webhooks/{webhookId}/redeliveries/{redeliveryId}: the progress of a redelivery.
import { answerWith, NOT_FOUND } from '../../server/answer.ts';
import { findRedelivery } from '../../store/events/redeliveries.ts';
import { completed, redelivery } from '../openapi/webhook-examples.ts';
import { answers, BAD_ID, operation } from '../operation.ts';
import { webhookIn } from '../parts/webhook-input.ts';
import { idIn } from '../request.ts';
import { RedeliveryAnswer } from '../schemas/redelivery.ts';
import { presentRedelivery } from '../webhook-presenter.ts';

export const getRedelivery = operation(
  'getRedelivery',
  'GET /v1/webhooks/:webhookId/redeliveries/:redeliveryId',
  'read',
  {
    tag: 'Webhooks',
    summary: 'Retrieve a redelivery',
    description: 'How far a redelivery is.',
    success: answers(200, 'The redelivery.', RedeliveryAnswer, {
      'Under way': presentRedelivery(redelivery),
      'At its end': presentRedelivery(completed),
    }),
    refused: [BAD_ID('redeliveryId')],
    handler: async (request, { store }) => {
      const id = idIn(request, 'redeliveryId');
      const to = await webhookIn(request, store);
      const found = id && to && (await findRedelivery(store.pool, to.id, id));
      return found ? answerWith(200, presentRedelivery(found)) : NOT_FOUND;
    },
  },
);
