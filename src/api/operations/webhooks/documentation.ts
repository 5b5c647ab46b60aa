// The documentation of the operations on webhooks.
import { isoTime } from '../../../domain/time.ts';
import { MOST_WEBHOOKS } from '../../../store/events/webhooks.ts';
import { failure } from '../../../server/answer.ts';
import { presentRedelivery, presentWebhook } from '../../webhook-presenter.ts';
import { LIMIT_SCHEMA } from '../../../server/query.ts';
import { STILL_PINGED } from './ping-webhook.ts';
import { STILL_REDELIVERED } from './redeliveries.ts';
import { Attempt, DeliveryList } from '../events/schema.ts';
import {
  RedeliveryAnswer,
  RedeliveryList,
  WebhookAnswer,
  WebhookCreated,
  WebhookList,
  WebhookRotated,
} from './schema.ts';
import { delivered } from '../events/documentation.ts';
import { BAD_ID, BODY_MISSING, bodyOf, problem } from '../../openapi/operation.ts';
import type { OperationDoc } from '../../openapi/operation.ts';
import { IDS } from '../story.ts';

const [eventId, webhookId, redeliveryId] = ['eventId', 'webhookId', 'redeliveryId'].map((name) => IDS[name]) as [
  string,
  string,
  string,
];
const CREATED_AT = Date.UTC(2026, 2, 17, 8, 0);
const DAY_MS = 86_400_000;
const url = 'https://shop.example/hooks/kassa';
const secret = 'whsec_cw0gbx2JRH8x1TKl0rXnFO9QqJm4Dk1eT7uB5sYpVaE=';

const webhook = { id: webhookId, url, events: undefined, createdAt: CREATED_AT };
const chosen = { ...webhook, events: ['payment.checkout.completed', 'payment.charge.created'] as const };
const failing = {
  ...webhook,
  disabled: { reason: 'failing' as const, at: CREATED_AT + 9 * DAY_MS },
  failingSince: CREATED_AT + 6 * DAY_MS,
};

const redelivery = {
  id: redeliveryId,
  webhookId,
  sinceMs: CREATED_AT - DAY_MS,
  onlyFailed: false,
  state: 'running' as const,
  events: 2_000,
  ofEvents: 48_210,
  deliveries: 1_204,
  createdAt: CREATED_AT,
};
const completed = {
  ...redelivery,
  state: 'completed' as const,
  events: 48_210,
  deliveries: 29_033,
  endedAt: CREATED_AT + 61_000,
};

const FORBIDDEN_ADDRESS = problem('An address that events are not sent to', {
  field: 'url',
  text: 'must not lead to a link-local address',
});
const UNKNOWN_EVENT = problem('An event that there is not', {
  field: 'events[0]',
  text: 'there is no such event; there are payment.created, payment.reservation.created, …',
});

const EMPTY_LIST = problem('A list of no events', {
  field: 'events',
  text: 'must name at least one event; leave it out, or give ["*"], for all',
});
const UNKNOWN_FIELD = (known: string) =>
  problem('A field that there is not', { field: 'event', text: `there is no such field; there are ${known}` });

export const WEBHOOK_OPERATIONS = {
  createWebhook: {
    tag: 'Webhooks',
    summary: 'Create a webhook',
    description:
      'Has the events of all your payments sent to an address of yours, from now on: those that you list, or all. The ' +
      '`secret` that signs them is in this answer and in no other. After a lost answer, repeat the request with the same ' +
      `\`Idempotency-Key\`: it gives the first answer again, with the secret. There can be ${MOST_WEBHOOKS}.`,
    requests: [
      { summary: 'Two events', value: { url, events: chosen.events } },
      { summary: 'All events, and a secret of your own', value: { url, secret } },
    ],
    success: {
      status: 201,
      description: 'The webhook is there.',
      schema: WebhookCreated,
      examples: [{ summary: 'Two events', value: { ...presentWebhook(chosen), secret } }],
    },
    refused: [
      FORBIDDEN_ADDRESS,
      problem('A live merchant, and no TLS', { field: 'url', text: 'must be https for a live merchant' }),
      UNKNOWN_EVENT,
      EMPTY_LIST,
      UNKNOWN_FIELD('url, events, secret'),
      problem('One too many', {
        field: 'url',
        text: `there are ${MOST_WEBHOOKS} webhooks already, the most that there can be`,
      }),
      BODY_MISSING,
    ],
  },
  listWebhooks: {
    tag: 'Webhooks',
    summary: 'List webhooks',
    description: 'All your webhooks, oldest first, without their secrets.',
    success: {
      status: 200,
      description: 'The webhooks.',
      schema: WebhookList,
      examples: [{ summary: 'One', value: { webhooks: [presentWebhook(webhook)] } }],
    },
  },
  getWebhook: {
    tag: 'Webhooks',
    summary: 'Get a webhook',
    description: 'A webhook without its secret: whether it is on, and since when it fails if it does.',
    success: {
      status: 200,
      description: 'The webhook.',
      schema: WebhookAnswer,
      examples: [
        { summary: 'For all events', value: presentWebhook(webhook) },
        { summary: 'Switched off, since it failed for three days', value: presentWebhook(failing) },
      ],
    },
    refused: [BAD_ID('webhookId')],
  },
  updateWebhook: {
    tag: 'Webhooks',
    summary: 'Update a webhook',
    description:
      'Changes the address or the events, or switches it off or on. What is on its way when it is switched off is held, ' +
      'and sent at once when it is switched on again, whoever switched it off. What happens while it is off is not ' +
      'queued for it: redeliver it afterwards.',
    requests: [
      { summary: 'Switch it on again', value: { state: 'enabled' } },
      { summary: 'Another address, all events', value: { url: `${url}/2`, events: ['*'] } },
    ],
    success: { status: 204, description: 'The webhook is updated.' },
    refused: [
      FORBIDDEN_ADDRESS,
      UNKNOWN_EVENT,
      EMPTY_LIST,
      UNKNOWN_FIELD('url, events, state'),
      problem('Nothing to change', { field: 'url', text: 'is required, or events, or state' }),
      BODY_MISSING,
    ],
  },
  deleteWebhook: {
    tag: 'Webhooks',
    summary: 'Delete a webhook',
    description: 'Deletes a webhook for good. What was on its way to it is dropped.',
    success: { status: 204, description: 'The webhook is gone.' },
    refused: [BAD_ID('webhookId')],
  },
  rotateWebhook: {
    tag: 'Webhooks',
    summary: 'Rotate the secret',
    description:
      'Gives the webhook a new secret, which is in this answer and in no other. For 24 hours, or for as long as ' +
      '`oldSecretFor` says, the secret before signs as well, so that your shop can change over without a gap; one that ' +
      'was still valid beside it is not any more.',
    requests: [
      { summary: 'A secret of your own', value: { secret } },
      { summary: 'The secret before has leaked', value: { oldSecretFor: 0 } },
    ],
    success: {
      status: 200,
      description: 'The new secret.',
      schema: WebhookRotated,
      examples: [
        { summary: 'Rotated', value: { secret, oldSecretUntil: isoTime(CREATED_AT + 3 * DAY_MS) } },
        { summary: 'The secret before is ended', value: { secret } },
      ],
    },
    refused: [
      problem('A malformed secret', {
        field: 'secret',
        text: 'must be whsec_ and the base64 of 24 to 64 bytes, found a text of 12 characters',
      }),
      BAD_ID('webhookId'),
    ],
  },
  pingWebhook: {
    tag: 'Webhooks',
    summary: 'Ping a webhook',
    description:
      'Sends a test message to a webhook at once, signed as events are, and answers what came of it: the status, or why ' +
      'there is none. Its body is that of an event, with the name `webhook.ping` and `data: {"webhookId"}`. It is not ' +
      'listed, not tried again, and says nothing about whether the webhook fails; one that is off can be pinged, too. ' +
      'One at a time.',
    success: {
      status: 200,
      description: 'What came of it.',
      schema: Attempt,
      examples: [
        { summary: 'It was taken', value: { at: isoTime(CREATED_AT), ms: 41, status: 204 } },
        { summary: 'Nobody is there', value: { at: isoTime(CREATED_AT), ms: 3, error: 'connection refused' } },
      ],
    },
    refused: [
      BAD_ID('webhookId'),
      {
        status: 429,
        summary: 'The one before is still under way',
        value: bodyOf(failure(429, '1000', STILL_PINGED)),
      },
    ],
  },
  redeliverToWebhook: {
    tag: 'Webhooks',
    summary: 'Redeliver all since a time',
    description:
      'Sends to a webhook what it wants of all that happened since a time, under the same ids, whether it was taken ' +
      'before or not: after it was away, or switched off. `until`, `types` and `onlyFailed` narrow it. A few are on ' +
      'their way when this is answered (`completed`); of many the answer is `running`, and Kassa goes on by itself, as ' +
      'fast as the webhook takes them. One at a time for each webhook.',
    requests: [
      { summary: 'All of a day and later', value: { since: '2026-05-17' } },
      {
        summary: 'What was not taken of the charges of an hour',
        value: {
          since: '2026-05-17T08:00:00Z',
          until: '2026-05-17T09:00:00Z',
          types: ['payment.charge.created'],
          onlyFailed: true,
        },
      },
    ],
    success: {
      status: 202,
      description: 'They are on their way, or will be.',
      schema: RedeliveryAnswer,
      examples: [
        { summary: 'Many', value: presentRedelivery(redelivery) },
        {
          summary: 'A few',
          value: presentRedelivery({ ...completed, events: 310, ofEvents: 310, deliveries: 12, endedAt: CREATED_AT }),
        },
      ],
    },
    refused: [
      {
        status: 409,
        summary: 'One is under way',
        value: bodyOf(failure(409, '1000', STILL_REDELIVERED)),
      },
      problem('No time', { field: 'since', text: 'is required' }),
      problem('A time before which events are forgotten', {
        field: 'since',
        text: 'is too long ago: events before 2026-02-16T00:00:00.000Z are no longer kept; read the payments that matter, and go on with since=2026-02-16T00:00:00.000Z',
      }),
      problem('An end before the beginning', { field: 'until', text: 'must not be before since' }),
      problem('A webhook that is off', { field: 'webhookId', text: 'is switched off; switch it on first' }),
    ],
  },
  listRedeliveries: {
    tag: 'Webhooks',
    summary: 'List redeliveries',
    description: 'The latest redeliveries to a webhook, newest first, with how far each is.',
    success: {
      status: 200,
      description: 'The redeliveries.',
      schema: RedeliveryList,
      examples: [{ summary: 'One', value: { redeliveries: [presentRedelivery(completed)] } }],
    },
    refused: [BAD_ID('webhookId')],
  },
  getRedelivery: {
    tag: 'Webhooks',
    summary: 'Retrieve a redelivery',
    description: 'How far a redelivery is.',
    success: {
      status: 200,
      description: 'The redelivery.',
      schema: RedeliveryAnswer,
      examples: [
        { summary: 'Under way', value: presentRedelivery(redelivery) },
        { summary: 'At its end', value: presentRedelivery(completed) },
      ],
    },
    refused: [BAD_ID('redeliveryId')],
  },
  cancelRedelivery: {
    tag: 'Webhooks',
    summary: 'End a redelivery',
    description: 'Ends a redelivery. What it has put on the way stays there; one that is over stays as it is.',
    success: { status: 204, description: 'It is over.' },
    refused: [BAD_ID('redeliveryId')],
  },
  listDeliveriesOfWebhook: {
    tag: 'Webhooks',
    summary: 'List deliveries to a webhook',
    description: 'What was sent to a webhook, or is still to be sent, newest event first, with every try.',
    query: {
      state: { example: 'failed' },
      before: { example: eventId },
      limit: { schema: LIMIT_SCHEMA, example: 50 },
    },
    success: {
      status: 200,
      description: 'A page of deliveries.',
      schema: DeliveryList,
      examples: [
        { summary: 'A page that is followed by another', value: { deliveries: [delivered], cursor: eventId } },
      ],
    },
    refused: [
      problem('A state that there is not', {
        field: 'state',
        text: 'must be one of pending, delivered, failed, dropped; found "lost"',
      }),
    ],
  },
} as const satisfies Record<string, OperationDoc>;
