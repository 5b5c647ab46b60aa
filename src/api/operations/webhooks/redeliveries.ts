// Sending a webhook again what happened since a time, looking how far that is, and ending it: POST
// /v1/webhooks/{webhookId}/redeliver and what is under /v1/webhooks/{webhookId}/redeliveries.
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Static } from '../../../schema/type.ts';
import { endRedelivery, redeliverSince } from '../../../merchants/redeliveries.ts';
import type { AskedRedelivery } from '../../../merchants/redeliveries.ts';
import { findRedelivery, listRedeliveries } from '../../../store/events/redeliveries.ts';
import { findWebhook } from '../../../store/events/webhooks.ts';
import type { Webhook } from '../../../store/events/webhooks.ts';
import { answerWith, failure, NO_CONTENT } from '../../../server/answer.ts';
import { NO_CODE, NOT_FOUND, sendAnswer } from '../../../server/errors.ts';
import { presentRedelivery } from '../../webhook-presenter.ts';
import { readName, showForgotten, showForgottenDeliveries } from '../events/event-input.ts';
import { readMoment } from '../../../server/formats.ts';
import { badField } from '../../../server/problem.ts';
import { idIn } from '../../request.ts';
import { actorOf, merchantOf } from '../../../server/asker.ts';
import type { RouteContext } from '../../request.ts';
import { RedeliverSinceSchema } from './schema.ts';
import { WEBHOOK_OFF } from '../events/deliveries.ts';

export const STILL_REDELIVERED =
  'A redelivery to this webhook is under way, or several of this merchant are; wait for its end, or end it.';

// It reads and writes hundreds of rows, before it is answered and after.
const COST = 50;
// The latest; older ones are of no use to anybody.
const MOST_LISTED = 100;

function readAsked(body: Static<typeof RedeliverSinceSchema>): AskedRedelivery {
  const { since, until, types, onlyFailed = false } = body;
  const sinceMs = readMoment(since) as number;
  const untilMs = until === undefined ? undefined : readMoment(until);
  if (untilMs !== undefined && untilMs < sinceMs) throw badField('until', 'must not be before since');
  if (types?.length === 0) throw badField('types', 'must name at least one event; leave it out for all');
  const names = types?.map((name, index) => readName(`types[${index}]`, name));
  return { sinceMs, onlyFailed, ...(untilMs !== undefined && { untilMs }), ...(names && { names }) };
}

export function routeRedeliveries(app: FastifyInstance, { payments: { store } }: RouteContext): void {
  const webhookOf = async (request: FastifyRequest): Promise<Webhook | undefined> => {
    const id = idIn(request, 'webhookId');
    return id === undefined ? undefined : findWebhook(store.pool, id, merchantOf(request).id);
  };

  app.post(
    '/v1/webhooks/:webhookId/redeliver',
    // Without a body it is told which field is missing.
    {
      schema: { operationId: 'redeliverToWebhook', body: RedeliverSinceSchema },
      config: { bodyOptional: true, cost: COST },
    },
    async (request, reply) => {
      const asked = readAsked(request.body as Static<typeof RedeliverSinceSchema>);
      const webhook = await webhookOf(request);
      if (webhook === undefined) return sendAnswer(reply, NOT_FOUND);
      const merchant = merchantOf(request);
      const catchUp = (): Promise<void> => store.publisher.catchUp(merchant);
      const outcome = await redeliverSince(store.pool, actorOf(request), merchant, webhook, asked, catchUp);
      switch (outcome.kind) {
        case 'disabled':
          throw badField('webhookId', WEBHOOK_OFF);
        case 'events_forgotten':
          throw badField('since', showForgotten(outcome.before));
        case 'deliveries_forgotten':
          throw badField('onlyFailed', showForgottenDeliveries(outcome.before));
        case 'under_way':
          return sendAnswer(reply, failure(409, NO_CODE, STILL_REDELIVERED));
        case 'begun':
          return sendAnswer(reply, answerWith(202, presentRedelivery(outcome.redelivery)));
      }
    },
  );

  app.get(
    '/v1/webhooks/:webhookId/redeliveries',
    { schema: { operationId: 'listRedeliveries' } },
    async (request, reply) => {
      const webhook = await webhookOf(request);
      if (webhook === undefined) return sendAnswer(reply, NOT_FOUND);
      const found = await listRedeliveries(store.pool, webhook.id, MOST_LISTED);
      return sendAnswer(reply, answerWith(200, { redeliveries: found.map(presentRedelivery) }));
    },
  );

  app.get(
    '/v1/webhooks/:webhookId/redeliveries/:redeliveryId',
    { schema: { operationId: 'getRedelivery' } },
    async (request, reply) => {
      const id = idIn(request, 'redeliveryId');
      const webhook = await webhookOf(request);
      const found = id && webhook && (await findRedelivery(store.pool, webhook.id, id));
      return sendAnswer(reply, found ? answerWith(200, presentRedelivery(found)) : NOT_FOUND);
    },
  );

  app.delete(
    '/v1/webhooks/:webhookId/redeliveries/:redeliveryId',
    { schema: { operationId: 'cancelRedelivery' } },
    async (request, reply) => {
      const id = idIn(request, 'redeliveryId');
      const webhook = await webhookOf(request);
      const ended =
        id && webhook && (await endRedelivery(store.pool, actorOf(request), merchantOf(request), webhook.id, id));
      return sendAnswer(reply, ended === 'ended' ? NO_CONTENT : NOT_FOUND);
    },
  );
}
