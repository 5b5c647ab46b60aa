// POST /v1/events/{eventId}/redeliver: sends one event again.
import { NO_ID, readId } from '../../domain/id.ts';
import { redeliverOne } from '../../merchants/redeliveries.ts';
import * as Type from '../../schema/type.ts';
import { answerWith, NOT_FOUND } from '../../server/answer.ts';
import { actorOf } from '../../server/asker.ts';
import { badField } from '../../server/problem.ts';
import { IDS } from '../openapi/story.ts';
import { answers, operation, problem } from '../operation.ts';
import { eventIn } from '../parts/event-input.ts';
import { WEBHOOK_OFF } from '../parts/webhook-input.ts';

export const redeliverEvent = operation('redeliverEvent', 'POST /v1/events/:eventId/redeliver', 'webhooks', {
  body: Type.Object(
    { webhookId: Type.Optional(Type.String({ maxLength: 128, description: 'Only to this webhook.' })) },
    {
      title: 'RedeliverEventRequest',
      description: 'Everything may be left out, the body itself too.',
      additionalProperties: false,
    },
  ),
  config: { bodyOptional: true },
  tag: 'Events',
  summary: 'Redeliver an event',
  description:
    'Sends an event again, under the same `id`, whether it was taken or not: to the one webhook that is named, even if ' +
    'it never heard of it, or to everybody whom it was sent to.',
  requests: { 'To one webhook': { webhookId: IDS.webhookId } },
  success: answers(
    202,
    'It is on its way.',
    Type.Object(
      { deliveries: Type.Integer({ minimum: 0, description: 'How many are on their way again.' }) },
      { title: 'Redelivered' },
    ),
    { 'To one': { deliveries: 1 } },
  ),
  refused: [
    problem('A webhook that there is not', 'webhookId', 'there is no such webhook'),
    problem('A webhook that is off', 'webhookId', 'is switched off; switch it on first'),
    problem(
      'Nobody to send it to',
      'webhookId',
      'is required: nobody whom this event was sent to can still be sent it',
    ),
    problem('A field that there is not', 'webhook', 'there is no such field; there are webhookId'),
  ],
  handler: async (request, { store }) => {
    const { webhookId } = request.body;
    const sent = await eventIn(request, store);
    if (sent === undefined) return NOT_FOUND;
    const only = webhookId === undefined ? {} : { webhookId: readId(webhookId) ?? NO_ID };
    const outcome = await redeliverOne(store.pool, actorOf(request), request.merchant, sent, only);
    switch (outcome.kind) {
      case 'no_webhook':
        throw badField('webhookId', 'there is no such webhook');
      case 'disabled':
        throw badField('webhookId', WEBHOOK_OFF);
      case 'nobody':
        throw badField('webhookId', 'is required: nobody whom this event was sent to can still be sent it');
      case 'sent':
        return answerWith(202, { deliveries: outcome.deliveries });
    }
  },
});
