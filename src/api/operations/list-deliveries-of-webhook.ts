// GET /v1/webhooks/{webhookId}/deliveries: what was sent to a webhook, page by page.
import { Id } from '../../events/body-parts.ts';
import * as Type from '../../schema/type.ts';
import { NOT_FOUND } from '../../server/answer.ts';
import { listInTurn } from '../../server/costly-work.ts';
import { LIMIT_SCHEMA, LIMIT_TEXT, readLimit, requireKnownFilters } from '../../server/query.ts';
import { listDeliveriesOfWebhook as findDeliveries } from '../../store/events/deliveries.ts';
import type { Delivery as Delivered } from '../../store/events/deliveries.ts';
import { findEventUpTo } from '../../store/events/events.ts';
import { pageText, textsOf } from '../list-page.ts';
import { delivered } from '../openapi/event-examples.ts';
import { IDS } from '../openapi/story.ts';
import { answers, operation, problem } from '../operation.ts';
import { readPosition } from '../parts/event-input.ts';
import { webhookIn } from '../parts/webhook-input.ts';
import { Delivery, DELIVERY_STATES } from '../schemas/delivery.ts';
import { presentDelivery } from '../webhook-presenter.ts';

const Query = (description: string) => Type.Optional(Type.String({ description }));

const DeliveryListQuery = Type.Object({
  state: Type.Optional(
    Type.String({ enum: [...DELIVERY_STATES], description: 'Only deliveries that have come to this.' }),
  ),
  before: Query('Only events that came before this one: its id, or the cursor of the page before.'),
  limit: Query(LIMIT_TEXT),
});

/** Of one webhook: a page. */
const DeliveryList = Type.Object(
  {
    deliveries: Type.Array(Delivery),
    cursor: Type.Optional(Id('Gives the next page, as before; missing on the last one.')),
  },
  { title: 'DeliveryList' },
);

export const listDeliveriesOfWebhook = operation(
  'listDeliveriesOfWebhook',
  'GET /v1/webhooks/:webhookId/deliveries',
  'read',
  {
    query: DeliveryListQuery,
    tag: 'Webhooks',
    summary: 'List deliveries to a webhook',
    description: 'What was sent to a webhook, or is still to be sent, newest event first, with every try.',
    parameters: {
      state: { example: 'failed' },
      before: { example: IDS.eventId },
      limit: { schema: LIMIT_SCHEMA, example: 50 },
    },
    success: answers(200, 'A page of deliveries.', DeliveryList, {
      'A page that is followed by another': { deliveries: [delivered], cursor: IDS.eventId },
    }),
    refused: [
      problem('A state that there is not', 'state', 'must be one of pending, delivered, failed, dropped; found "lost"'),
    ],
    handler: async (request, { store, costly }, reply) => {
      const { query } = request;
      requireKnownFilters(query, DeliveryListQuery);
      const limit = readLimit(query.limit);
      const merchantId = request.merchant.id;
      const before = await readPosition(store, merchantId, 'before', query.before);
      const webhook = await webhookIn(request, store);
      if (webhook === undefined) return NOT_FOUND;
      await store.publisher.catchUp(request.merchant);
      const body = await listInTurn(costly, request, reply, async () => {
        const { deliveries, next } = await findDeliveries(store.pool, webhook.id, {
          merchantId,
          limit,
          ...(before !== undefined && { before }),
          ...(query.state !== undefined && { state: query.state as Delivered['state'] }),
        });
        const texts = await textsOf(deliveries, (delivery) => JSON.stringify(presentDelivery(delivery)));
        const cursor = next === undefined ? undefined : (await findEventUpTo(store.pool, merchantId, next))?.id;
        return pageText('deliveries', texts, cursor);
      });
      return { status: 200, body };
    },
  },
);
