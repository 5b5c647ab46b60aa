// GET /v1/webhooks/{webhookId}/redeliveries: the latest redeliveries to a webhook.
import * as Type from '../../schema/type.ts';
import { answerWith, NOT_FOUND } from '../../server/answer.ts';
import { listRedeliveries as findRedeliveries } from '../../store/events/redeliveries.ts';
import { completed } from '../openapi/webhook-examples.ts';
import { answers, BAD_ID, operation } from '../operation.ts';
import { webhookIn } from '../parts/webhook-input.ts';
import { RedeliveryAnswer } from '../schemas/redelivery.ts';
import { presentRedelivery } from '../webhook-presenter.ts';

// Nobody needs older ones.
const MOST_LISTED = 100;

export const listRedeliveries = operation('listRedeliveries', 'GET /v1/webhooks/:webhookId/redeliveries', 'read', {
  tag: 'Webhooks',
  summary: 'List redeliveries',
  description: 'The latest redeliveries to a webhook, newest first, with how far each is.',
  success: answers(
    200,
    'The redeliveries.',
    Type.Object({ redeliveries: Type.Array(RedeliveryAnswer) }, { title: 'RedeliveryList' }),
    { One: { redeliveries: [presentRedelivery(completed)] } },
  ),
  refused: [BAD_ID('webhookId')],
  handler: async (request, { store }) => {
    const to = await webhookIn(request, store);
    if (to === undefined) return NOT_FOUND;
    const found = await findRedeliveries(store.pool, to.id, MOST_LISTED);
    return answerWith(200, { redeliveries: found.map(presentRedelivery) });
  },
});
