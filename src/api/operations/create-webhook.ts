// POST /v1/webhooks: subscribes an endpoint to events. Only this response contains the secret, and its repetition for
// the same Idempotency-Key.
import { createWebhook as create } from '../../merchants/webhooks.ts';
import * as Type from '../../schema/type.ts';
import { answerWith, NO_CONTENT } from '../../server/answer.ts';
import { actorOf } from '../../server/asker.ts';
import { badField } from '../../server/problem.ts';
import { MOST_WEBHOOKS } from '../../store/events/webhooks.ts';
import {
  chosen,
  EMPTY_LIST,
  FORBIDDEN_ADDRESS,
  secret,
  UNKNOWN_EVENT,
  UNKNOWN_FIELD,
  url,
} from '../openapi/webhook-examples.ts';
import { answers, BODY_MISSING, operation, problem } from '../operation.ts';
import { answerOutcome } from '../outcome.ts';
import { readEvents, requireGood } from '../parts/webhook-input.ts';
import { idempotencyOf } from '../request.ts';
import { Names, Secret, ShownSecret, Url, WebhookFields } from '../schemas/webhook.ts';
import { ALL_EVENTS, presentCreated, presentWebhook, recordCreated } from '../webhook-presenter.ts';

export const createWebhook = operation('createWebhook', 'POST /v1/webhooks', 'webhooks', {
  body: Type.Object(
    {
      url: Url,
      events: Names('The names of the events that are sent. Left out or ["*"]: all, those to come too.'),
      secret: Secret,
    },
    { title: 'WebhookRequest', additionalProperties: false },
  ),
  config: { keyed: true },
  options: { attachValidation: true },
  tag: 'Webhooks',
  summary: 'Create a webhook',
  description:
    'Has the events of all your payments sent to an address of yours, from now on: those that you list, or all. The ' +
    '`secret` that signs them is in this answer and in no other. After a lost answer, repeat the request with the same ' +
    `\`Idempotency-Key\`: it gives the first answer again, with the secret. There can be ${MOST_WEBHOOKS}.`,
  requests: { 'Two events': { url, events: chosen.events }, 'All events, and a secret of your own': { url, secret } },
  success: answers(
    201,
    'The webhook is there.',
    Type.Object({ ...WebhookFields, secret: ShownSecret }, { title: 'WebhookCreated' }),
    {
      'Two events': { ...presentWebhook(chosen), secret },
    },
  ),
  refused: [
    FORBIDDEN_ADDRESS,
    problem('A live merchant, and no TLS', 'url', 'must be https for a live merchant'),
    UNKNOWN_EVENT,
    EMPTY_LIST,
    UNKNOWN_FIELD('url, events, secret'),
    problem('One too many', 'url', `there are ${MOST_WEBHOOKS} webhooks already, the most that there can be`),
    BODY_MISSING,
  ],
  handler: async (request, { store, privateHooks }, reply) => {
    requireGood(request, { privateHooks });
    const { events, ...body } = request.body;
    const wanted = { ...body, events: readEvents(events ?? [ALL_EVENTS]) ?? undefined };
    const [actor, merchant, key] = [actorOf(request), request.merchant, idempotencyOf(request)];
    const keyed = key && { ...key, answerOf: recordCreated };
    const made = await create(store.pool, actor, merchant, wanted, { privateHooks }, keyed);
    switch (made.kind) {
      case 'bad_url':
        throw badField('url', made.why);
      case 'too_many':
        throw badField('url', `there are ${MOST_WEBHOOKS} webhooks already, the most that there can be`);
      case 'created':
        return answerWith(201, presentCreated(made.webhook));
      case 'replayed':
      case 'other_request_had_key':
        return answerOutcome(request, reply, made, () => NO_CONTENT);
    }
  },
});
