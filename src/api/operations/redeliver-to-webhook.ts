// POST /v1/webhooks/{webhookId}/redeliver: sends a webhook everything since a given time again.
import { redeliverSince } from '../../merchants/redeliveries.ts';
import type { AskedRedelivery } from '../../merchants/redeliveries.ts';
import * as Type from '../../schema/type.ts';
import type { Static } from '../../schema/type.ts';
import { answerWith, failure, NO_CODE, NOT_FOUND } from '../../server/answer.ts';
import { actorOf } from '../../server/asker.ts';
import { readMoment } from '../../server/formats.ts';
import { badField } from '../../server/problem.ts';
import { completed, CREATED_AT, redelivery } from '../openapi/webhook-examples.ts';
import { answers, operation, problem, refusal } from '../operation.ts';
import { readName, showForgotten, showForgottenDeliveries } from '../parts/event-input.ts';
import { WEBHOOK_OFF, webhookIn } from '../parts/webhook-input.ts';
import { RedeliveryAnswer } from '../schemas/redelivery.ts';
import { Names } from '../schemas/webhook.ts';
import { presentRedelivery } from '../webhook-presenter.ts';

const RedeliverSinceSchema = Type.Object(
  {
    since: Type.String({ format: 'moment', description: 'What happened at this date or time, or later.' }),
    until: Type.Optional(Type.String({ format: 'moment', description: 'And at this date or time, or earlier.' })),
    types: Names('Only events of these names.'),
    onlyFailed: Type.Optional(
      Type.Boolean({
        description: 'Only what the webhook has not taken: what failed, is still on its way or was never sent.',
      }),
    ),
  },
  { title: 'RedeliverSinceRequest', additionalProperties: false },
);

const STILL_REDELIVERED = failure(
  409,
  NO_CODE,
  'A redelivery to this webhook is under way, or several of this merchant are; wait for its end, or end it.',
);

// It reads and writes hundreds of rows, before the response and after it.
const COST = 50;

function readAsked(body: Static<typeof RedeliverSinceSchema>): AskedRedelivery {
  const { since, until, types, onlyFailed = false } = body;
  const sinceMs = readMoment(since) as number;
  const untilMs = until === undefined ? undefined : readMoment(until);
  if (untilMs !== undefined && untilMs < sinceMs) throw badField('until', 'must not be before since');
  if (types?.length === 0) throw badField('types', 'must name at least one event; leave it out for all');
  const names = types?.map((name, index) => readName(`types[${index}]`, name));
  return { sinceMs, onlyFailed, ...(untilMs !== undefined && { untilMs }), ...(names && { names }) };
}

export const redeliverToWebhook = operation(
  'redeliverToWebhook',
  'POST /v1/webhooks/:webhookId/redeliver',
  'webhooks',
  {
    body: RedeliverSinceSchema,
    // Without a body, the response names the missing field.
    config: { bodyOptional: true, cost: COST },
    tag: 'Webhooks',
    summary: 'Redeliver all since a time',
    description:
      'Sends to a webhook what it wants of all that happened since a time, under the same ids, whether it was taken ' +
      'before or not: after it was away, or switched off. `until`, `types` and `onlyFailed` narrow it. A few are on ' +
      'their way when this is answered (`completed`); of many the answer is `running`, and Kassa goes on by itself, as ' +
      'fast as the webhook takes them. One at a time for each webhook.',
    requests: {
      'All of a day and later': { since: '2026-05-17' },
      'What was not taken of the charges of an hour': {
        since: '2026-05-17T08:00:00Z',
        until: '2026-05-17T09:00:00Z',
        types: ['payment.charge.created'],
        onlyFailed: true,
      },
    },
    success: answers(202, 'They are on their way, or will be.', RedeliveryAnswer, {
      Many: presentRedelivery(redelivery),
      'A few': presentRedelivery({ ...completed, events: 310, ofEvents: 310, deliveries: 12, endedAt: CREATED_AT }),
    }),
    refused: [
      refusal('One is under way', STILL_REDELIVERED),
      problem('No time', 'since', 'is required'),
      problem(
        'A time before which events are forgotten',
        'since',
        'is too long ago: events before 2026-02-16T00:00:00.000Z are no longer kept; read the payments that matter, and go on with since=2026-02-16T00:00:00.000Z',
      ),
      problem('An end before the beginning', 'until', 'must not be before since'),
      problem('A webhook that is off', 'webhookId', 'is switched off; switch it on first'),
    ],
    handler: async (request, { store }) => {
      const asked = readAsked(request.body);
      const found = await webhookIn(request, store);
      if (found === undefined) return NOT_FOUND;
      const merchant = request.merchant;
      const catchUp = (): Promise<void> => store.publisher.catchUp(merchant);
      const outcome = await redeliverSince(store.pool, actorOf(request), merchant, found, asked, catchUp);
      switch (outcome.kind) {
        case 'disabled':
          throw badField('webhookId', WEBHOOK_OFF);
        case 'events_forgotten':
          throw badField('since', showForgotten(outcome.before));
        case 'deliveries_forgotten':
          throw badField('onlyFailed', showForgottenDeliveries(outcome.before));
        case 'under_way':
          return STILL_REDELIVERED;
        case 'begun':
          return answerWith(202, presentRedelivery(outcome.redelivery));
      }
    },
  },
);
