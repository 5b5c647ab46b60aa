// A merchant's webhooks: POST and GET /v1/webhooks; GET, PUT and DELETE /v1/webhooks/{webhookId}; …/rotate. A secret is
// in the answer that makes it, and in no other but the same one, given again to its Idempotency-Key.
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { EventName } from '../../../domain/decision.ts';
import { NO_ID } from '../../../domain/id.ts';
import { changeWebhook, checkUrl, createWebhook, deleteWebhook, rotateSecret } from '../../../merchants/webhooks.ts';
import { findWebhook, listWebhooks, MOST_WEBHOOKS } from '../../../store/events/webhooks.ts';
import type { WebhookChange } from '../../../store/events/webhooks.ts';
import { answerWith, NO_CONTENT } from '../../../server/answer.ts';
import { NOT_FOUND, sendAnswer } from '../../../server/errors.ts';
import { ALL_EVENTS, presentCreated, presentWebhook, recordCreated, timeOrNone } from '../../webhook-presenter.ts';
import { isName, NO_SUCH_EVENT } from '../events/event-input.ts';
import { sendOutcome } from '../../outcome.ts';
import { badField, BadRequest, problemsOf } from '../../../server/problem.ts';
import type { Problem } from '../../../server/problem.ts';
import { idempotencyOf, idIn } from '../../request.ts';
import { actorOf, merchantOf } from '../../../server/asker.ts';
import type { RouteContext } from '../../request.ts';
import { NewWebhookSchema, RotateSchema, WebhookChangeSchema } from './schema.ts';
import type { NewWebhookBody, RotateBody, WebhookChangeBody } from './schema.ts';

/** Null: all. The names are known. */
function readEvents(names: readonly string[]): readonly EventName[] | null {
  return names[0] === ALL_EVENTS ? null : [...new Set(names.filter(isName))];
}

function readChange({ url, events, state }: WebhookChangeBody): WebhookChange {
  return {
    ...(url !== undefined && { url }),
    ...(events !== undefined && { events: readEvents(events) }),
    ...(state !== undefined && { enabled: state === 'enabled' }),
  };
}

/** What is wrong with the names that are texts; of others the schema tells. */
function findEventProblems(names: readonly unknown[]): Problem[] {
  if (names.length === 0)
    return [{ field: 'events', text: 'must name at least one event; leave it out, or give ["*"], for all' }];
  if (names.length === 1 && names[0] === ALL_EVENTS) return [];
  return names.flatMap((name, index) => {
    if (typeof name !== 'string' || isName(name)) return [];
    const text = name === ALL_EVENTS ? 'must stand alone: it means all events' : NO_SUCH_EVENT;
    return [{ field: `events[${index}]`, text }];
  });
}

/** Refuses a webhook with all that is wrong with it: by its schema, its address, and the names of events. */
function requireGood(request: FastifyRequest, reach: { readonly privateHooks: boolean }): void {
  const { validation } = request.validationError ?? {};
  const problems = problemsOf(validation ?? []);
  const told = new Set(problems.map(({ field }) => field));
  const { url, events } = request.body as { readonly url?: unknown; readonly events?: unknown };
  const badUrl = typeof url === 'string' && !told.has('url') && checkUrl(url, merchantOf(request), reach);
  const named = Array.isArray(events) && !told.has('events') ? findEventProblems(events) : [];
  const all = [
    ...problems,
    ...(badUrl ? [{ field: 'url', text: badUrl.why }] : []),
    ...named.filter(({ field }) => !told.has(field)),
  ];
  if (all.length > 0) throw new BadRequest(all);
}

export function routeWebhooks(app: FastifyInstance, { payments: { store }, privateHooks }: RouteContext): void {
  app.post(
    '/v1/webhooks',
    {
      schema: { operationId: 'createWebhook', body: NewWebhookSchema },
      attachValidation: true,
      config: { keyed: true },
    },
    async (request, reply) => {
      requireGood(request, { privateHooks });
      const { events, ...body } = request.body as NewWebhookBody;
      const wanted = { ...body, events: readEvents(events ?? [ALL_EVENTS]) ?? undefined };
      const [actor, merchant, key] = [actorOf(request), merchantOf(request), idempotencyOf(request)];
      const keyed = key && { ...key, answerOf: recordCreated };
      const made = await createWebhook(store.pool, actor, merchant, wanted, { privateHooks }, keyed);
      switch (made.kind) {
        case 'bad_url':
          throw badField('url', made.why);
        case 'too_many':
          throw badField('url', `there are ${MOST_WEBHOOKS} webhooks already, the most that there can be`);
        case 'created':
          return sendAnswer(reply, answerWith(201, presentCreated(made.webhook)));
        case 'replayed':
        case 'other_request_had_key':
          return sendOutcome(request, reply, made, () => NO_CONTENT);
      }
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
    { schema: { operationId: 'updateWebhook', body: WebhookChangeSchema }, attachValidation: true },
    async (request, reply) => {
      requireGood(request, { privateHooks });
      const change = readChange(request.body as WebhookChangeBody);
      if (Object.keys(change).length === 0) throw badField('url', 'is required, or events, or state');
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
