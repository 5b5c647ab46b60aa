// Where a payment stands for its consumer, and the view that its page is drawn from.
import { givenOf } from '../domain/consumer.ts';
import type { Language } from '../pages/language.ts';
import type { Merchant } from '../domain/merchant.ts';
import { isInApp } from '../domain/offered-methods.ts';
import { reservationOf } from '../domain/payment.ts';
import type { Payment } from '../domain/payment.ts';
import { factsOf, stateOf } from '../domain/state.ts';
import type { PaymentState } from '../domain/state.ts';
import { nowOf } from '../payments/clock.ts';
import { CHALLENGE_FAILED, DECLINED_IN_APP, isShippingCostMissing, isStillAsked, sessionOf } from '../payments/pay.ts';
import { addressesOf } from './assets.ts';
import { rootOf } from './context.ts';
import { offeredTypes } from './offered-types.ts';
import type { CheckoutContext } from './context.ts';
import { brandingOf } from './branding-route.ts';
import { plainOrigin } from './origin.ts';
import { pictureOriginsOf } from './pictures.ts';
import type { CheckoutState, CheckoutView, Frame, LastTry, Mode } from './view.ts';

// What was cancelled the shop gave back before it took any of it: to the consumer it is over.
const SHOWN: Readonly<Record<PaymentState, CheckoutState>> = {
  created: 'open',
  pending: 'pending',
  reserved: 'paid',
  'partly charged': 'paid',
  charged: 'paid',
  'partly refunded': 'paid',
  refunded: 'paid',
  cancelled: 'terminated',
  terminated: 'terminated',
  expired: 'expired',
  'reservation expired': 'paid',
  'card saved': 'paid',
};

export function checkoutStateOf({ payments }: CheckoutContext, merchant: Merchant, payment: Payment): CheckoutState {
  const shown = SHOWN[stateOf(factsOf(payment), nowOf(merchant), payments.lifetimes)];
  if (shown === 'open') return merchant.live || offeredTypes(payment).length === 0 ? 'unavailable' : 'open';
  // What the shop asks for later keeps nobody waiting here.
  return shown === 'pending' && reservationOf(payment)?.state === 'approved' ? 'paid' : shown;
}

/** How the newest try ended, as long as nothing came of it. */
export function lastTryOf({ movements, challenge }: Payment): LastTry | undefined {
  const last = movements.at(-1);
  if (last?.kind !== 'reservation' || last.state !== 'declined') return undefined;
  // A challenge that was opened since is the newer try, and has not failed.
  if (challenge !== undefined && challenge.openedAt > last.updatedAt) return undefined;
  if (last.reason === DECLINED_IN_APP) return 'declined_in_app';
  return last.reason === CHALLENGE_FAILED ? 'challenge_failed' : 'declined';
}

/** The one origin that may frame the payment's checkout. */
const shopOriginOf = ({ checkoutUrl }: Payment): string | undefined => plainOrigin(checkoutUrl);

/** The one origin that may frame the payment's hosted page, for a shop that shows it over its own. */
const overlayOriginOf = ({ checkout }: Payment): string | undefined => plainOrigin(checkout.returnUrl);

/** Who may frame the page, as a policy says it. */
export const framersOf = (mode: Mode, payment: Payment): string =>
  (mode === 'embedded' ? shopOriginOf(payment) : overlayOriginOf(payment)) ?? "'none'";

/** Who may frame the bank's page: our own page, and the origins that may frame that. */
export function bankFramersOf(payment: Payment): string {
  const origins = [shopOriginOf(payment), overlayOriginOf(payment)].filter((origin) => origin !== undefined);
  return [...new Set(["'self'", ...origins])].join(' ');
}

/** Where the consumer goes after paying: the shop finds the payment's id in it. */
function returnUrlOf({ id, checkout, checkoutUrl }: Payment): string | undefined {
  const back = checkout.returnUrl ?? checkoutUrl;
  if (back === undefined || !URL.canParse(back)) return undefined;
  const url = new URL(back);
  url.searchParams.set('paymentid', id);
  return url.href;
}

/** Of the bank, whichever consumer it asks. */
export const bankUrlOf = (context: CheckoutContext): string => `${context.publicUrl()}/challenge`;

export const challengeUrlOf = (context: CheckoutContext, session: string): string => `${bankUrlOf(context)}/${session}`;

/** Whether the bank, or an app, still waits for the consumer. */
export const isConfirming = (merchant: Merchant, payment: Payment): boolean =>
  payment.challenge !== undefined && isStillAsked(payment, payment.challenge, nowOf(merchant));

function openChallengeUrl(context: CheckoutContext, merchant: Merchant, payment: Payment): string | undefined {
  const { challenge } = payment;
  if (challenge === undefined || !isConfirming(merchant, payment)) return undefined;
  return challengeUrlOf(context, sessionOf(payment, challenge.nonce));
}

/** The page's own address, without the language. */
export function selfOf(context: CheckoutContext, mode: Mode, checkoutKey: string, paymentId: string): string {
  const query = mode === 'hosted' ? { checkoutKey, pid: paymentId } : { checkoutKey, paymentId };
  const path = mode === 'hosted' ? '/hostedpaymentpage/' : '/checkout/';
  return `${rootOf(context)}${path}?${new URLSearchParams(query).toString()}`;
}

export function frameOf(context: CheckoutContext, mode: Mode, language: Language, self: string): Frame {
  const root = rootOf(context);
  return { mode, language, root, assets: addressesOf(root), self };
}

/**
 * Whoever has the link sees the page. Of the consumer it draws what the shop gave and never what somebody typed: not
 * before another try, either.
 */
function drawnOf(payment: Payment): Payment {
  if (payment.checkout.merchantHandlesConsumerData === true) return payment;
  return { ...payment, consumer: givenOf(payment.consumer) };
}

export function viewOf(
  context: CheckoutContext,
  frame: Frame,
  merchant: Merchant,
  payment: Payment,
  subscriptionUrl?: string,
): CheckoutView {
  const state = checkoutStateOf(context, merchant, payment);
  const lastTry = lastTryOf(payment);
  const challengeUrl = state === 'open' ? openChallengeUrl(context, merchant, payment) : undefined;
  const asked = payment.challenge?.method;
  const shopOrigin = shopOriginOf(payment);
  const returnUrl = returnUrlOf(payment);
  return {
    ...frame,
    state,
    payment: drawnOf(payment),
    pictureOrigins: pictureOriginsOf(payment, context.publicUrl().startsWith('https:')),
    shopName: merchant.name,
    ...brandingOf(context, merchant),
    live: merchant.live,
    checkoutKey: merchant.checkoutKey,
    shippingCostMissing: isShippingCostMissing(payment),
    ...(lastTry && { lastTry }),
    ...(challengeUrl !== undefined && { challengeUrl }),
    ...(asked && isInApp(asked) && { app: asked.paymentMethod }),
    ...(shopOrigin !== undefined && { shopOrigin }),
    ...(returnUrl !== undefined && { returnUrl }),
    ...(subscriptionUrl !== undefined && { subscriptionUrl }),
  };
}
