// Events, deliveries and webhooks as they are answered, in every dialect alike.
import type { Payment } from '../domain/payment.ts';
import { isoTime } from '../domain/time.ts';
import { bodyOf } from '../events/body.ts';
import type { Delivery } from '../store/deliveries.ts';
import type { StoredEvent } from '../store/events.ts';
import type { Redelivery } from '../store/redeliveries.ts';
import { LargePayment } from '../store/load.ts';
import type { Store } from '../store/store.ts';
import type { Webhook } from '../store/webhooks.ts';

/** Stands for every event, those to come too. */
export const ALL_EVENTS = '*';

export const timeOrNone = (ms: number | undefined): string | undefined => (ms === undefined ? undefined : isoTime(ms));

// So many events are looked ahead for the small payments that they need.
const AHEAD = 32;

/**
 * Events as they are sent, each with its payment as it is now. They are made as they are asked for, and a large payment
 * is loaded when its turn comes: nobody holds a page of them for somebody who does not read it.
 */
export async function* presentEvents(store: Store, events: readonly StoredEvent[]): AsyncGenerator<string> {
  for (let from = 0; from < events.length; from += AHEAD) {
    const some = events.slice(from, from + AHEAD);
    const payments = await loadSmallPayments(store, some);
    let large: Loading | undefined;
    for (const event of some) {
      const { subjectId } = event;
      if (payments.get(subjectId) !== 'large') large = undefined;
      else if (large?.id !== subjectId) large = { id: subjectId, payment: await loadPayment(store, subjectId) };
      const payment = payments.get(subjectId);
      yield JSON.stringify(bodyOf(event, payment === 'large' ? large?.payment : payment));
    }
  }
}

type Loading = { readonly id: string; readonly payment: Payment | undefined };

const loadPayment = async (store: Store, target: string): Promise<Payment | undefined> =>
  (await store.load({ merchantId: null, target })).payment;

async function loadSmallPayments(
  store: Store,
  events: readonly StoredEvent[],
): Promise<ReadonlyMap<string, Payment | 'large' | undefined>> {
  const ofPayments = events.filter(({ data }) => data === undefined);
  const ids = [...new Set(ofPayments.map(({ subjectId }) => subjectId))];
  const loaded = await Promise.all(ids.map((target) => store.loadIfSmall({ merchantId: null, target })));
  return new Map(
    ids.map((id, index) => {
      const found = loaded[index];
      return [id, found instanceof LargePayment ? 'large' : found?.payment];
    }),
  );
}

/** Where a payment's own hook leads is told; what it is authorized with is not. */
export function presentDelivery(delivery: Delivery, payment?: Payment): object {
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

/** Without its secret: whoever makes one adds it. */
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
