// Sending a webhook again what happened since a time, looking how far that is, and ending it: POST
// /v1/webhooks/{webhookId}/redeliver and what is under /v1/webhooks/{webhookId}/redeliveries.
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Static } from 'typebox';
import { partOf } from '../../domain/id.ts';
import { newId } from '../../payments/ids.ts';
import { readKeptEvents } from '../../store/events.ts';
import {
  cancelRedelivery,
  createRedelivery,
  findRedelivery,
  listRedeliveries,
  stepRedelivery,
} from '../../store/redeliveries.ts';
import type { NewRedelivery, Redelivery } from '../../store/redeliveries.ts';
import { findWebhook } from '../../store/webhooks.ts';
import type { Webhook } from '../../store/webhooks.ts';
import { answerWith, failure, NO_CONTENT } from '../dialects/dialect.ts';
import { NO_CODE, NOT_FOUND, sendAnswer } from '../errors.ts';
import { presentRedelivery } from '../event-presenter.ts';
import { readName, requireKept, requireKeptDeliveries } from '../event-input.ts';
import { readMoment } from '../formats.ts';
import { badField } from '../problem.ts';
import { idIn, merchantOf } from '../request.ts';
import type { RouteContext } from '../request.ts';
import { RedeliverSinceSchema } from '../schemas/webhook.ts';
import { requireEnabled } from './deliveries.ts';

export const STILL_REDELIVERED =
  'A redelivery to this webhook is under way, or several of this merchant are; wait for its end, or end it.';

// A small one is whole when it is answered; the rest of a large one is for whoever delivers.
const STEPS_AT_ONCE = 4;
// It reads and writes hundreds of rows, before it is answered and after.
const COST = 50;
// The latest; older ones are of no use to anybody.
const MOST_LISTED = 100;

type Asked = Omit<NewRedelivery, 'id' | 'webhook'>;

function readAsked(body: Static<typeof RedeliverSinceSchema>): Asked {
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
  const redeliveryOf = async (request: FastifyRequest): Promise<Redelivery | undefined> => {
    const id = idIn(request, 'redeliveryId');
    const webhook = await webhookOf(request);
    return id === undefined || webhook === undefined ? undefined : findRedelivery(store.pool, webhook.id, id);
  };

  async function begin(redelivery: Redelivery): Promise<Redelivery> {
    let reached = redelivery;
    for (let steps = 0; steps < STEPS_AT_ONCE && reached.state === 'running'; steps += 1) {
      // It is written down: whatever fails now is done by whoever goes on.
      const step = await stepRedelivery(store.pool, redelivery.id).catch(() => undefined);
      if (step === undefined) break;
      reached = step.redelivery;
    }
    return reached;
  }

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
      requireEnabled(webhook);
      const kept = await readKeptEvents(store.pool, webhook.merchantId);
      requireKept(kept, asked.sinceMs);
      if (asked.onlyFailed === true) requireKeptDeliveries(kept, asked.sinceMs);
      await store.publisher.catchUp(merchantOf(request));
      const id = newId(Date.now(), partOf(webhook.id));
      const created = await createRedelivery(store.pool, { id, webhook, ...asked });
      if (created === undefined) return sendAnswer(reply, failure(409, NO_CODE, STILL_REDELIVERED));
      return sendAnswer(reply, answerWith(202, presentRedelivery(await begin(created))));
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
      const found = await redeliveryOf(request);
      return sendAnswer(reply, found ? answerWith(200, presentRedelivery(found)) : NOT_FOUND);
    },
  );

  app.delete(
    '/v1/webhooks/:webhookId/redeliveries/:redeliveryId',
    { schema: { operationId: 'cancelRedelivery' } },
    async (request, reply) => {
      const found = await redeliveryOf(request);
      if (found === undefined) return sendAnswer(reply, NOT_FOUND);
      await cancelRedelivery(store.pool, found.webhookId, found.id);
      return sendAnswer(reply, NO_CONTENT);
    },
  );
}
