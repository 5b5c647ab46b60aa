// The way from a payment's page to the page of the subscription that it began. Whoever has the payment's link sees that
// page, and the subscription's can end something: so it is shown for a day, in which the consumer is there, and no longer.
import { timeOf } from '../domain/id.ts';
import type { Merchant } from '../domain/merchant.ts';
import { reservationOf } from '../domain/payment.ts';
import type { Payment } from '../domain/payment.ts';
import { agreementOf } from '../domain/subscription.ts';
import { subscriptionPageUrl } from '../api/dialects/dialect.ts';
import type { Language } from '../pages/language.ts';
import { nowOf } from '../payments/clock.ts';
import { findAnySubscription } from '../store/payments/subscriptions.ts';
import type { CheckoutContext } from './context.ts';

const SHOWN_FOR_MS = 86_400_000;

export async function findSubscriptionUrl(
  { payments, publicUrl }: CheckoutContext,
  language: Language,
  merchant: Merchant,
  payment: Payment,
): Promise<string | undefined> {
  const agreement = agreementOf(payment);
  const reservation = reservationOf(payment);
  if (agreement === undefined || agreement.role === 'renewal' || reservation?.state !== 'approved') return undefined;
  if (nowOf(merchant) - timeOf(reservation.id) > SHOWN_FOR_MS) return undefined;
  const subscription = await findAnySubscription(payments.store.pool, agreement.id);
  if (subscription === undefined || subscription.merchantId !== payment.merchantId) return undefined;
  return `${subscriptionPageUrl(subscription, publicUrl())}?language=${language}`;
}
