// What was sent, and sending one event again: GET /v1/events/{eventId}/deliveries and POST …/redeliver, and GET
// /v1/webhooks/{webhookId}/deliveries.
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Static } from '../../../schema/type.ts';
import { NO_ID, readId } from '../../../domain/id.ts';
import { redeliverOne } from '../../../merchants/redeliveries.ts';
import { listDeliveriesOfEvent, listDeliveriesOfWebhook } from '../../../store/events/deliveries.ts';
import type { Delivery } from '../../../store/events/deliveries.ts';
import { findEvent, findEventUpTo } from '../../../store/events/events.ts';
import type { StoredEvent } from '../../../store/events/events.ts';
import { findWebhook } from '../../../store/events/webhooks.ts';
import type { Webhook } from '../../../store/events/webhooks.ts';
import { answerWith } from '../../../server/answer.ts';
import { NOT_FOUND, sendAnswer } from '../../../server/errors.ts';
import { presentDelivery } from '../../webhook-presenter.ts';
import { readPosition } from './event-input.ts';
import { pageText, textsOf } from '../../list-page.ts';
import { badField } from '../../../server/problem.ts';
import { readLimit, requireKnownFilters } from '../../../server/query.ts';
import { listInTurn } from '../../../server/costly-work.ts';
import type { ReadingContext } from '../../request.ts';
import { spendWhenLarge } from '../../../server/rate-limit.ts';
import { idIn } from '../../request.ts';
import { actorOf, merchantOf } from '../../../server/asker.ts';
import { DeliveryListQuery, RedeliverEventSchema } from './schema.ts';

export const WEBHOOK_OFF = 'is switched off; switch it on first';

export function routeDeliveries(app: FastifyInstance, { payments: { store }, costly }: ReadingContext): void {
  const eventOf = async (request: FastifyRequest): Promise<StoredEvent | undefined> => {
    const id = idIn(request, 'eventId');
    return id === undefined ? undefined : findEvent(store.pool, merchantOf(request).id, id);
  };
  const webhookOf = async (request: FastifyRequest): Promise<Webhook | undefined> => {
    const id = idIn(request, 'webhookId');
    return id === undefined ? undefined : findWebhook(store.pool, id, merchantOf(request).id);
  };

  app.get(
    '/v1/events/:eventId/deliveries',
    { schema: { operationId: 'listDeliveriesOfEvent' } },
    async (request, reply) => {
      const event = await eventOf(request);
      if (event === undefined) return sendAnswer(reply, NOT_FOUND);
      const found = await listDeliveriesOfEvent(store.pool, event);
      const hasHooks = found.some(({ hook }) => hook !== undefined);
      const asked = { merchantId: null, target: event.subjectId, onLarge: spendWhenLarge(request) };
      const { payment } = hasHooks ? await store.load(asked) : {};
      const deliveries = found.map((delivery) => presentDelivery(delivery, payment));
      return sendAnswer(reply, answerWith(200, { deliveries }));
    },
  );

  app.post(
    '/v1/events/:eventId/redeliver',
    { schema: { operationId: 'redeliverEvent', body: RedeliverEventSchema }, config: { bodyOptional: true } },
    async (request, reply) => {
      const { webhookId } = request.body as Static<typeof RedeliverEventSchema>;
      const event = await eventOf(request);
      if (event === undefined) return sendAnswer(reply, NOT_FOUND);
      const only = webhookId === undefined ? {} : { webhookId: readId(webhookId) ?? NO_ID };
      const outcome = await redeliverOne(store.pool, actorOf(request), merchantOf(request), event, only);
      switch (outcome.kind) {
        case 'no_webhook':
          throw badField('webhookId', 'there is no such webhook');
        case 'disabled':
          throw badField('webhookId', WEBHOOK_OFF);
        case 'nobody':
          throw badField('webhookId', 'is required: nobody whom this event was sent to can still be sent it');
        case 'sent':
          return sendAnswer(reply, answerWith(202, { deliveries: outcome.deliveries }));
      }
    },
  );

  app.get(
    '/v1/webhooks/:webhookId/deliveries',
    { schema: { operationId: 'listDeliveriesOfWebhook', querystring: DeliveryListQuery } },
    async (request, reply) => {
      const query = request.query as Static<typeof DeliveryListQuery>;
      requireKnownFilters(query, DeliveryListQuery);
      const limit = readLimit(query.limit);
      const merchantId = merchantOf(request).id;
      const before = await readPosition(store, merchantId, 'before', query.before);
      const webhook = await webhookOf(request);
      if (webhook === undefined) return sendAnswer(reply, NOT_FOUND);
      await store.publisher.catchUp(merchantOf(request));
      const body = await listInTurn(costly, request, reply, async () => {
        const { deliveries, next } = await listDeliveriesOfWebhook(store.pool, webhook.id, {
          merchantId,
          limit,
          ...(before !== undefined && { before }),
          ...(query.state !== undefined && { state: query.state as Delivery['state'] }),
        });
        const texts = await textsOf(deliveries, (delivery) => JSON.stringify(presentDelivery(delivery)));
        const cursor = next === undefined ? undefined : (await findEventUpTo(store.pool, merchantId, next))?.id;
        return pageText('deliveries', texts, cursor);
      });
      return sendAnswer(reply, { status: 200, body });
    },
  );
}
