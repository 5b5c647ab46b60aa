// A merchant's webhooks: POST and GET /v1/webhooks; GET, PUT and DELETE /v1/webhooks/{webhookId}; …/rotate. A secret is
// in the answer that makes it, and in no other.
import type { FastifyInstance } from 'fastify';
import type { EventName } from '../../../domain/decision.ts';
import { NO_ID } from '../../../domain/id.ts';
import { changeWebhook, createWebhook, deleteWebhook, rotateSecret } from '../../../merchants/webhooks.ts';
import { findWebhook, listWebhooks, MOST_WEBHOOKS } from '../../../store/webhooks.ts';
import type { WebhookChange } from '../../../store/webhooks.ts';
import { answerWith, NO_CONTENT } from '../../dialects/dialect.ts';
import { NOT_FOUND, sendAnswer } from '../../errors.ts';
import { ALL_EVENTS, presentWebhook, timeOrNone } from '../../webhook-presenter.ts';
import { readName } from '../events/event-input.ts';
import { badField } from '../../problem.ts';
import { actorOf, idIn, merchantOf } from '../../request.ts';
import type { RouteContext } from '../../request.ts';
import { NewWebhookSchema, RotateSchema, WebhookChangeSchema } from './schema.ts';
import type { NewWebhookBody, RotateBody, WebhookChangeBody } from './schema.ts';

/** Null: all. */
function readEvents(names: readonly string[]): readonly EventName[] | null {
  if (names.length === 0)
    throw badField('events', 'must name at least one event; leave it out, or give ["*"], for all');
  if (names.length === 1 && names[0] === ALL_EVENTS) return null;
  const star = names.indexOf(ALL_EVENTS);
  if (star !== -1) throw badField(`events[${star}]`, 'must stand alone: it means all events');
  return [...new Set(names.map((name, index) => readName(`events[${index}]`, name)))];
}

function readChange({ url, events, state }: WebhookChangeBody): WebhookChange {
  if (url === undefined && events === undefined && state === undefined)
    throw badField('url', 'is required, or events, or state');
  return {
    ...(url !== undefined && { url }),
    ...(events !== undefined && { events: readEvents(events) }),
    ...(state !== undefined && { enabled: state === 'enabled' }),
  };
}

export function routeWebhooks(app: FastifyInstance, { payments: { store }, privateHooks }: RouteContext): void {
  app.post(
    '/v1/webhooks',
    { schema: { operationId: 'createWebhook', body: NewWebhookSchema } },
    async (request, reply) => {
      const { events, ...body } = request.body as NewWebhookBody;
      const wanted = { ...body, events: readEvents(events ?? [ALL_EVENTS]) ?? undefined };
      const made = await createWebhook(store.pool, actorOf(request), merchantOf(request), wanted, { privateHooks });
      if (made.kind === 'bad_url') throw badField('url', made.why);
      if (made.kind === 'too_many')
        throw badField('url', `there are ${MOST_WEBHOOKS} webhooks already, the most that there can be`);
      const { secret } = made.webhook;
      return sendAnswer(reply, answerWith(201, { ...presentWebhook(made.webhook), secret }));
    },
  );

  app.get('/v1/webhooks', { schema: { operationId: 'listWebhooks' } }, async (request, reply) => {
    const found = await listWebhooks(store.pool, merchantOf(request).id);
    const webhooks = found.map((webhook) => presentWebhook(webhook));
    return sendAnswer(reply, answerWith(200, { webhooks }));
  });

  app.get('/v1/webhooks/:webhookId', { schema: { operationId: 'getWebhook' } }, async (request, reply) => {
    const id = idIn(request, 'webhookId');
    const webhook = id && (await findWebhook(store.pool, id, merchantOf(request).id));
    return sendAnswer(reply, webhook ? answerWith(200, presentWebhook(webhook)) : NOT_FOUND);
  });

  app.put(
    '/v1/webhooks/:webhookId',
    { schema: { operationId: 'updateWebhook', body: WebhookChangeSchema } },
    async (request, reply) => {
      const change = readChange(request.body as WebhookChangeBody);
      // What is nobody's id is looked for all the same: the address is checked first.
      const id = idIn(request, 'webhookId') ?? NO_ID;
      const merchant = merchantOf(request);
      const changed = await changeWebhook(store.pool, actorOf(request), merchant, id, change, { privateHooks });
      if (changed.kind === 'bad_url') throw badField('url', changed.why);
      return sendAnswer(reply, changed.kind === 'changed' ? NO_CONTENT : NOT_FOUND);
    },
  );

  app.delete('/v1/webhooks/:webhookId', { schema: { operationId: 'deleteWebhook' } }, async (request, reply) => {
    const id = idIn(request, 'webhookId');
    const deleted = id && (await deleteWebhook(store.pool, actorOf(request), merchantOf(request), id));
    return sendAnswer(reply, deleted && deleted.kind === 'deleted' ? NO_CONTENT : NOT_FOUND);
  });

  app.post(
    '/v1/webhooks/:webhookId/rotate',
    { schema: { operationId: 'rotateWebhook', body: RotateSchema }, config: { bodyOptional: true } },
    async (request, reply) => {
      const { secret: given, oldSecretFor } = request.body as RotateBody;
      const asked = {
        ...(given !== undefined && { secret: given }),
        ...(oldSecretFor !== undefined && { oldSecretSeconds: oldSecretFor }),
      };
      const id = idIn(request, 'webhookId') ?? NO_ID;
      const rotated = await rotateSecret(store.pool, actorOf(request), merchantOf(request), id, asked);
      if (rotated.kind === 'not_found') return sendAnswer(reply, NOT_FOUND);
      const { secret, oldSecretUntil } = rotated.webhook;
      return sendAnswer(reply, answerWith(200, { secret, oldSecretUntil: timeOrNone(oldSecretUntil) }));
    },
  );
}
