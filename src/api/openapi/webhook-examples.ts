// The webhook of the documentation, a redelivery to it, and the refusals that several operations share.
import { problem } from '../operation.ts';
import { IDS } from './story.ts';

const { webhookId, redeliveryId } = IDS;
export const CREATED_AT = Date.UTC(2026, 2, 17, 8, 0);

export const DAY_MS = 86_400_000;

export const url = 'https://shop.example/hooks/kassa';

export const secret = 'whsec_cw0gbx2JRH8x1TKl0rXnFO9QqJm4Dk1eT7uB5sYpVaE=';

export const webhook = { id: webhookId, url, events: undefined, createdAt: CREATED_AT };

export const chosen = { ...webhook, events: ['payment.checkout.completed', 'payment.charge.created'] as const };

export const redelivery = {
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

export const completed = {
  ...redelivery,
  state: 'completed' as const,
  events: 48_210,
  deliveries: 29_033,
  endedAt: CREATED_AT + 61_000,
};

export const FORBIDDEN_ADDRESS = problem(
  'An address that events are not sent to',
  'url',
  'must not lead to a link-local address',
);

export const UNKNOWN_EVENT = problem(
  'An event that there is not',
  'events[0]',
  'there is no such event; there are payment.created, payment.reservation.created, …',
);

export const EMPTY_LIST = problem(
  'A list of no events',
  'events',
  'must name at least one event; leave it out, or give ["*"], for all',
);

export const UNKNOWN_FIELD = (known: string) =>
  problem('A field that there is not', 'event', `there is no such field; there are ${known}`);
