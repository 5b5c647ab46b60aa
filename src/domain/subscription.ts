// A subscription: a consumer's card that the merchant may charge again, and what the consumer agreed to. It is made, or
// gets another card, when the reservation of the payment that asks for it is approved; it knows the card only by the
// acquirer's token. Scheduled ones have an interval and an end, unscheduled ones have neither.
import type { Agreement, SubscriptionKind } from './agreement.ts';
import type { Movement } from './movement.ts';
import type { Payment, PaymentMethod } from './payment.ts';
import { timeOf } from './id.ts';

/** What the consumer was shown and agreed to. */
export type Consent = {
  readonly agreedAt: number;
  readonly amount: number;
  readonly currency: string;
  readonly intervalDays?: number;
  readonly endsAt?: number;
  readonly allowVariableAmount?: boolean;
  readonly language?: string;
};

export type StoredCard = {
  readonly acquirer: string;
  /** The acquirer's token; never a card number. */
  readonly source: string;
  readonly method: PaymentMethod;
  /** The payment that brought it; its consumer is copied to each charge. */
  readonly paymentId: string;
  readonly consent: Consent;
};

/** What a change of a payment does to its subscription. */
export type SubscriptionChange = StoredCard &
  Pick<Agreement, 'kind' | 'id' | 'intervalDays' | 'endsAt' | 'allowVariableAmount'> & {
    readonly type: 'made' | 'card_replaced';
    readonly merchantId: number;
    readonly beganOn: string;
    readonly secret?: string;
  };

export type Subscription = StoredCard &
  Pick<Agreement, 'kind' | 'id' | 'intervalDays' | 'endsAt' | 'allowVariableAmount'> & {
    readonly merchantId: number;
    readonly version: number;
    readonly beganOn: string;
    readonly secret: string;
    /** The day of the latest charge that came to something, or whose outcome is not known yet. */
    readonly chargedOn?: string;
    readonly state: 'active' | 'needs_card' | 'ended';
    /** Of one that was ended before its time was over. When, by the database's clock. */
    readonly ended?: { readonly at: number; readonly by: EndedBy };
  };

/** The consumer on their page, or the merchant. */
export type EndedBy = 'consumer' | 'merchant';

const DAY_MS = 86_400_000;
// What the merchant leaves out.
const DEFAULT_LIFETIME_YEARS = 5;
export const LONGEST_INTERVAL_DAYS = 36_500;

/** The UTC day of a moment: 2026-11-16. */
export const dayOf = (at: number): string => new Date(at).toISOString().slice(0, 10);

export const dayAfter = (day: string, days: number): string => dayOf(Date.parse(`${day}T00:00:00Z`) + days * DAY_MS);

export function defaultEndOf(at: number): number {
  const end = new Date(at);
  return end.setUTCFullYear(end.getUTCFullYear() + DEFAULT_LIFETIME_YEARS);
}

export const agreementOf = ({ checkout }: Payment): Agreement | undefined => checkout.subscription;

/** Whether its time is over. */
export const hasExpired = ({ endsAt }: Pick<Subscription, 'endsAt'>, at: number): boolean =>
  endsAt !== undefined && at > endsAt;

export const isRenewal = (payment: Payment): boolean => agreementOf(payment)?.role === 'renewal';

/** What the consumer of the payment is shown of the subscription that it begins, or gives another card. */
export type Terms = Omit<Consent, 'agreedAt' | 'language'>;

export function termsOf({ order }: Payment, { holding, intervalDays, endsAt, allowVariableAmount }: Agreement): Terms {
  // An order of 0 registers a card, and says nothing of what is charged later.
  const { amount, currency } = (order.amount === 0 && holding) || order;
  return {
    amount,
    currency,
    ...(intervalDays !== undefined && { intervalDays }),
    ...(endsAt !== undefined && { endsAt }),
    ...(allowVariableAmount !== undefined && { allowVariableAmount }),
  };
}

/** The amount that the shop has stated for each charge; undefined where it can differ from one to the next. */
export const statedAmount = (
  kind: SubscriptionKind,
  { amount, allowVariableAmount }: Pick<Consent, 'amount' | 'allowVariableAmount'>,
): number | undefined => (kind === 'unscheduled' || amount === 0 || allowVariableAmount === true ? undefined : amount);

/** What the approved reservation of a checkout does to the subscription that its payment asks for. */
export function subscriptionChangeOf(payment: Payment, reservation: Movement): SubscriptionChange | undefined {
  const agreement = agreementOf(payment);
  if (agreement === undefined || agreement.role === 'renewal') return undefined;
  const { source } = reservation;
  const { method, merchantId } = payment;
  if (method === undefined || source === undefined) throw new Error(`payment ${payment.id} was reserved with nothing`);
  const { kind, id, language, secret } = agreement;
  const agreedAt = agreement.agreedAt ?? timeOf(reservation.id);
  const shown = termsOf(payment, agreement);
  const { amount: _amount, currency: _currency, ...terms } = shown;
  const consent: Consent = { agreedAt, ...shown, ...(language !== undefined && { language }) };
  return {
    type: agreement.role === 'new' ? 'made' : 'card_replaced',
    merchantId,
    kind,
    id,
    beganOn: dayOf(agreedAt),
    ...(secret !== undefined && { secret }),
    ...terms,
    acquirer: reservation.acquirer,
    source,
    method,
    paymentId: payment.id,
    consent,
  };
}
