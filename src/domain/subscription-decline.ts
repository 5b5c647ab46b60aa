// What a subscription that cannot be charged is called: codes and texts, the same in the answer to a charge and in the
// entry of a bulk.
import type { SubscriptionRefusal } from './subscription-charge.ts';
import { isoTime } from './time.ts';

/** The words that clients of this API look for. */
export const REFUSED_BY_ISSUER = 'Refused by issuer';

export const directChargeFailed = (paymentId: string): string =>
  `Direct charge failed for payment id: ${paymentId}. ErrorMessage: ${REFUSED_BY_ISSUER}`;

const ENDED = {
  consumer: 'The consumer has ended the subscription.',
  merchant: 'You have ended the subscription.',
} as const;

export function describeSubscriptionRefusal(refusal: SubscriptionRefusal): { code: string; message: string } {
  switch (refusal.name) {
    case 'subscription_has_expired':
      return { code: '1030', message: `The subscription expired at ${isoTime(refusal.at)}.` };
    case 'subscription_was_ended':
      return { code: '1030', message: ENDED[refusal.by] };
    case 'subscription_needs_a_new_card':
      return { code: '1029', message: 'The issuer refuses this card for good; the subscription needs a new card.' };
    case 'subscription_is_charged_too_early':
      return { code: '1031', message: `The subscription can be charged again from ${refusal.firstDay} on.` };
  }
}
