// A subscription as it is shown: the specification's fields, which both dialects have, and ours, which `spec` adds.
import { hasExpired } from '../../domain/subscription.ts';
import type { Subscription } from '../../domain/subscription.ts';
import { isoTime } from '../../domain/time.ts';
import { showConsent } from '../../events/subscription-events.ts';
import { nowOf } from '../../payments/clock.ts';
import { subscriptionPageUrl } from './dialect.ts';
import type { PresentationContext } from './dialect.ts';

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

/** Where it stands, what was agreed to, and the consumer's own page. */
export function ownFieldsOf(subscription: Subscription, { publicUrl, merchant }: PresentationContext): object {
  const { kind, state, ended, consent } = subscription;
  return {
    state: state !== 'ended' && hasExpired(subscription, nowOf(merchant)) ? 'expired' : state,
    ...(ended && { endedAt: isoTime(ended.at), endedBy: ended.by }),
    consent: showConsent(kind, consent),
    consumerPageUrl: subscriptionPageUrl(subscription, publicUrl),
  };
}
