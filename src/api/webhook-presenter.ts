// Webhooks, deliveries and redeliveries in responses, alike in every dialect; commands print the same as JSON.
import type { Payment } from '../domain/payment.ts';
import { isoTime } from '../domain/time.ts';
import type { Delivery } from '../store/events/deliveries.ts';
import type { RecordedAnswer } from '../store/statements/recorded-answer.ts';
import type { Redelivery } from '../store/events/redeliveries.ts';
import type { Webhook } from '../store/events/webhooks.ts';

/** Stands for every event, future ones included. */
export const ALL_EVENTS = '*';

export const timeOrNone = (ms: number | undefined): string | undefined => (ms === undefined ? undefined : isoTime(ms));

/** The URL of a payment's own hook is shown; its authorization is not. */
export function presentDelivery(delivery: Omit<Delivery, 'subjectId'>, payment?: Payment): object {
  const { eventId, name, webhookId, hook, state, redeliveries, tries, nextTryAt, attemptCount, attempts } = delivery;
  const url = hook === undefined ? undefined : payment?.checkout.webHooks?.[hook]?.url;
  return {
    eventId,
    event: name,
    webhookId,
    hook,
    url,
    state,
    // Most have none.
    redeliveries: redeliveries || undefined,
    tries,
    nextTry: timeOrNone(nextTryAt),
    attemptCount: attemptCount > attempts.length ? attemptCount : undefined,
    attempts,
  };
}

type ShownRedelivery = Omit<Redelivery, 'merchantId'>;

export function presentRedelivery(redelivery: ShownRedelivery): object {
  const { id, webhookId, sinceMs, untilMs, names, onlyFailed, state, events, ofEvents, deliveries } = redelivery;
  return {
    redeliveryId: id,
    webhookId,
    state,
    deliveries,
    events,
    ofEvents,
    since: isoTime(sinceMs),
    until: timeOrNone(untilMs),
    types: names,
    onlyFailed,
    created: isoTime(redelivery.createdAt),
    ended: timeOrNone(redelivery.endedAt),
  };
}

/** Without the secret, which only the response to its creation adds. */
export function presentWebhook(webhook: Omit<Webhook, 'secret' | 'merchantId'>): object {
  const { id, url, events = [ALL_EVENTS], disabled, failingSince, oldSecretUntil, createdAt } = webhook;
  return {
    webhookId: id,
    url,
    events,
    state: disabled === undefined ? 'enabled' : 'disabled',
    created: isoTime(createdAt),
    disabledReason: disabled?.reason,
    disabledAt: timeOrNone(disabled?.at),
    failingSince: timeOrNone(failingSince),
    oldSecretUntil: timeOrNone(oldSecretUntil),
  };
}

/** The response that creates one, which is repeated for its Idempotency-Key. */
export const presentCreated = (webhook: Omit<Webhook, 'merchantId'>): object => ({
  ...presentWebhook(webhook),
  secret: webhook.secret,
});

export const recordCreated = (webhook: Webhook): RecordedAnswer => ({
  status: 201,
  text: JSON.stringify(presentCreated(webhook)),
});
