// Examples of events and deliveries: refusals that several operations share, and one delivery.
import { problem } from '../operation.ts';
import { presentDelivery } from '../webhook-presenter.ts';
import { IDS } from './story.ts';

export const TYPES = { example: 'payment.checkout.completed,payment.charge.created' };

export const UNKNOWN_TYPE = problem(
  'An event that there is not',
  'type',
  'there is no such event; there are payment.created, payment.reservation.created, …',
);

export const NOT_AN_EVENT = (field: string) =>
  problem('An id that is of no event', field, 'must be the id of an event of yours');

export const FORGOTTEN = (field: string) =>
  problem(
    'So long ago that events after it are forgotten',
    field,
    'is too long ago: events before 2026-02-16T00:00:00.000Z are no longer kept; read the payments that matter, and go on with since=2026-02-16T00:00:00.000Z',
  );

const { eventId, webhookId } = IDS;

/** Delivered at the second attempt. */
export const delivered = presentDelivery({
  eventId,
  name: 'payment.charge.created',
  webhookId,
  state: 'delivered',
  redeliveries: 0,
  tries: 2,
  attemptCount: 2,
  attempts: [
    { at: '2026-05-17T09:30:04.118Z', ms: 10_001, error: 'timed out after 10 s' },
    { at: '2026-05-17T09:30:15.162Z', ms: 41, status: 204 },
  ],
});
