// A subscription in responses: the specification's fields, which both dialects have, and ours, which `spec` adds.
import { hasExpired } from '../../domain/subscription.ts';
import type { Subscription } from '../../domain/subscription.ts';
import { isoTime } from '../../domain/time.ts';
import { showConsent } from '../../events/subscription-events.ts';
import { nowOf } from '../../payments/clock.ts';
import { subscriptionPageUrl } from './dialect.ts';
import type { SubscriptionPresentation } from './dialect.ts';

export function presentSubscription(idName: string, subscription: Subscription): object {
  const { id, kind, intervalDays = 0, endsAt, method } = subscription;
  return {
    [idName]: id,
    ...(kind === 'scheduled' && { interval: intervalDays, endDate: isoTime(endsAt ?? 0) }),
    paymentDetails: {
      paymentType: method.paymentType,
      paymentMethod: method.paymentMethod,
      cardDetails: { expiryDate: method.expiryDate, maskedPan: method.maskedPan },
    },
  };
}

/** Its state, the agreed terms, and the consumer's own page, whose URL is all it takes to end it. */
export function ownFieldsOf(subscription: Subscription, presentation: SubscriptionPresentation): object {
  const { publicUrl, merchant, mayEnd } = presentation;
  const { kind, state, ended, consent } = subscription;
  return {
    state: state !== 'ended' && hasExpired(subscription, nowOf(merchant)) ? 'expired' : state,
    ...(ended && { endedAt: isoTime(ended.at), endedBy: ended.by }),
    consent: showConsent(kind, consent),
    ...(mayEnd && { consumerPageUrl: subscriptionPageUrl(subscription, publicUrl) }),
  };
}
