// Decides a charge of a subscription: whether it may be now, and the payment that it is. The payment has an order of its
// own, is reserved with the stored card and charged at once; whose it is, it copies from the payment that brought the card.
import { create } from './create.ts';
import { joinChanges } from './decision.ts';
import type { Change } from './decision.ts';
import type { Checkout, Lifetimes, Order, Payment, WebHook } from './payment.ts';
import { reserve } from './reserve.ts';
import { dayAfter, dayOf } from './subscription.ts';
import type { EndedBy, Subscription } from './subscription.ts';

/** Why a subscription cannot be charged now. */
export type SubscriptionRefusal =
  | { readonly name: 'subscription_has_expired'; readonly at: number }
  | { readonly name: 'subscription_was_ended'; readonly by: EndedBy }
  | { readonly name: 'subscription_needs_a_new_card' }
  | { readonly name: 'subscription_is_charged_too_early'; readonly firstDay: string };

export type RenewalCommand = {
  readonly paymentId: string;
  readonly movementId: string;
  readonly order: Order;
  readonly myReference?: string;
  readonly webHooks?: readonly WebHook[];
  /** Of an entry of a bulk. */
  readonly bulkId?: string;
};

/** The codes with which an issuer says that the same card will never be good again. */
export const HARD_DECLINES: readonly string[] = ['04', '14', '15', '41', '43', '46', '54', '57'];

export const isHardDecline = (issuerCode: string | undefined): boolean =>
  issuerCode !== undefined && HARD_DECLINES.includes(issuerCode);

/** The first UTC day on which it may be charged again. */
export function firstDayOf({ intervalDays = 0, beganOn, chargedOn = beganOn }: Subscription): string {
  return dayAfter(chargedOn > beganOn ? chargedOn : beganOn, intervalDays);
}

export function refuseUnlessDue(subscription: Subscription, at: number): SubscriptionRefusal | undefined {
  const { state, ended, endsAt } = subscription;
  if (state === 'ended') return { name: 'subscription_was_ended', by: ended?.by ?? 'consumer' };
  if (endsAt !== undefined && at > endsAt) return { name: 'subscription_has_expired', at: endsAt };
  if (state === 'needs_card') return { name: 'subscription_needs_a_new_card' };
  // Without an interval there is no first day, also by a clock that is behind.
  if ((subscription.intervalDays ?? 0) === 0) return undefined;
  const firstDay = firstDayOf(subscription);
  return dayOf(at) < firstDay ? { name: 'subscription_is_charged_too_early', firstDay } : undefined;
}

/** The payment with its reservation pending; the charge follows when that is approved. */
export function renew(
  subscription: Subscription,
  first: Pick<Payment, 'consumer' | 'checkoutUrl' | 'checkout'>,
  command: RenewalCommand,
  at: number,
  lifetimes: Lifetimes,
): Change {
  const { kind, id, acquirer, source, method } = subscription;
  const { integrationType, returnUrl, termsUrl } = first.checkout;
  const checkout: Checkout = {
    integrationType,
    ...(returnUrl !== undefined && { returnUrl }),
    ...(termsUrl !== undefined && { termsUrl }),
    charge: true,
    ...(command.webHooks && { webHooks: command.webHooks }),
    subscription: { kind, id, role: 'renewal', ...(command.bulkId !== undefined && { bulkId: command.bulkId }) },
  };
  const created = create(command.paymentId, subscription.merchantId, {
    order: command.order,
    ...(first.checkoutUrl !== undefined && { checkoutUrl: first.checkoutUrl }),
    checkout,
    consumer: first.consumer,
    ...(command.myReference !== undefined && { myReference: command.myReference }),
  });
  const reserving = { movementId: command.movementId, acquirer, source, method, consumer: first.consumer };
  // Its id may have been drawn days before, when its bulk was asked for: nobody has to pay it in time.
  const reserved = reserve(created.payment, reserving, at, { ...lifetimes, paymentMs: Number.POSITIVE_INFINITY });
  if (reserved.change === undefined) throw new Error(`the new payment ${command.paymentId} could not be reserved`);
  return joinChanges(created, reserved.change);
}
