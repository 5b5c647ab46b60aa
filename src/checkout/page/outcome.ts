// The pages of a payment that cannot be paid: paid, pending, expired, terminated, unavailable. Each states the situation,
// what it means for the consumer's money, and what to do.
import { html } from '../../pages/html.ts';
import type { Language } from '../../pages/language.ts';
import type { Html } from '../../pages/html.ts';
import { fillIn } from '../../../web/shared/fill-in.ts';
import { formatAmount } from '../formats.ts';
import type { Notice } from '../texts.ts';
import { appTexts, checkoutTexts } from '../texts.ts';
import type { CheckoutState, CheckoutView } from '../view.ts';
import { isInApp } from '../../domain/offered-methods.ts';
import { leftOfReservation } from '../../domain/payment.ts';
import type { PaymentMethod } from '../../domain/payment.ts';
import { CLOSED_ICON, DONE_ICON, RETURN_ICON, WAIT_ICON, WARNING_ICON } from './icons.ts';

/** `calm`: over, and as it should be. */
export type Mood = 'good' | 'calm' | 'wait' | 'bad';

/** One message that fills the page. */
export function messagePage(mood: Mood, icon: Html, { title, text }: Notice, more?: Html): Html {
  return html`<section class="message ${mood}">
    <div class="sign">${icon}</div>
    <h1 tabindex="-1">${title}</h1>
    <p>${text}</p>
    ${more}
  </section>`;
}

/** The link back to the shop; an embedded checkout needs none. */
function wayBack(view: CheckoutView): Html | undefined {
  const { cancelUrl } = view.payment.checkout;
  if (view.mode !== 'hosted' || cancelUrl === undefined) return undefined;
  return html`<a id="cancel" class="button" href="${cancelUrl}">${checkoutTexts(view.language).states.back}</a>`;
}

export function methodWords(method: PaymentMethod | undefined, language: Language): string | undefined {
  const { paid } = checkoutTexts(language);
  if (method === undefined) return undefined;
  if (method.paymentType === 'INVOICE') return paid.invoiceMethod;
  const digits = method.maskedPan?.slice(-4);
  return digits === undefined
    ? method.paymentMethod
    : `${method.paymentMethod} ${fillIn(paid.cardEndingIn, { digits })}`;
}

/** The state of the money: reserved, charged, or both, and partly refunded. */
function nextWords(view: CheckoutView, kept: number, show: (minor: number) => string): string {
  const { paid } = checkoutTexts(view.language);
  const { method, totals } = view.payment;
  const charged = totals.charged + totals.charging;
  const isWhole = leftOfReservation(view.payment) === 0;
  const words = method && isInApp(method) ? appTexts(view.language, method.paymentMethod) : paid;
  const taken = isWhole ? words.charged : fillIn(words.partlyCharged, { amount: show(charged) });
  const isInvoice = method?.paymentType === 'INVOICE';
  const coming = isInvoice ? paid.invoice : charged === 0 ? words.reserved : taken;
  // What was charged and given back in part needs no second word on it, unless more is to come.
  const isComing = kept > 0 && (totals.refunded === 0 || !isWhole);
  return [isComing && coming, totals.refunded > 0 && paid.refund].filter(Boolean).join(' ');
}

/** A page of its own, which outlives this one: a window of its own, also out of a shop's frame. */
function subscriptionLink({ subscriptionUrl, language }: CheckoutView): Html | false {
  if (subscriptionUrl === undefined) return false;
  const { page } = checkoutTexts(language);
  return html`<p class="aside">
    <a id="subscription" href="${subscriptionUrl}" target="_blank" rel="noopener"
      >${checkoutTexts(language).subscriptionPage.see}<span class="visually-hidden">
        (${page.opensInNewWindow})</span
      ></a
    >
  </p>`;
}

export const row = (term: string, value: string | undefined): Html | false =>
  value !== undefined &&
  html`<div>
    <dt>${term}</dt>
    <dd>${value}</dd>
  </div>`;

/** An order of 0: nothing was paid, a card was registered. */
function savedPage({ payment, shopName: shop, language }: CheckoutView, ways: Html): Html {
  const { paid } = checkoutTexts(language);
  const { title, text } = checkoutTexts(language).subscription.saved;
  const more = html`<dl class="receipt">
      ${row(paid.method, methodWords(payment.method, language))} ${row(paid.orderReference, payment.order.reference)}
    </dl>
    ${ways}`;
  return messagePage('good', DONE_ICON, { title, text: fillIn(text, { shop }) }, more);
}

function paidPage(view: CheckoutView): Html {
  const { paid } = checkoutTexts(view.language);
  const { payment, shopName, language, returnUrl } = view;
  const show = (minor: number): string => formatAmount(minor, payment.order.currency, language);
  const { cancelled, refunded } = payment.totals;
  const kept = payment.order.amount - cancelled - refunded;
  const isInvoice = payment.method?.paymentType === 'INVOICE';
  const ways = html`${
    returnUrl !== undefined && html`<a id="return" class="button" href="${returnUrl}">${paid.returnToShop}</a>`
  }
  ${subscriptionLink(view)}`;
  if (payment.order.amount === 0) return savedPage(view, ways);
  const more = html`<dl class="receipt">
      ${row(paid.amount, show(payment.order.amount))}
      ${row(paid.cancelled, cancelled > 0 ? show(-cancelled) : undefined)}
      ${row(paid.refunded, refunded > 0 ? show(-refunded) : undefined)}
      ${row(paid.kept, kept < payment.order.amount ? show(kept) : undefined)}
      ${row(paid.method, methodWords(payment.method, language))} ${row(paid.orderReference, payment.order.reference)}
    </dl>
    <h2>${paid.whatNext}</h2>
    <p>${nextWords(view, kept, show)}</p>
    ${ways}`;
  if (kept === 0) {
    const text = fillIn(paid.refundedText, { amount: show(refunded), shop: shopName });
    return messagePage('wait', RETURN_ICON, { title: paid.refundedTitle, text }, more);
  }
  const text = fillIn(isInvoice ? paid.invoiceText : paid.text, { amount: show(kept), shop: shopName });
  return messagePage('good', DONE_ICON, { title: isInvoice ? paid.invoiceTitle : paid.title, text }, more);
}

function pendingPage(view: CheckoutView): Html {
  const { pending } = checkoutTexts(view.language).states;
  const address = `${view.self}&language=${view.language}`;
  const again = html`<a id="check-again" class="button quiet-button" href="${address}">${pending.again}</a>`;
  return messagePage('wait', WAIT_ICON, pending, again);
}

export function outcomePage(view: CheckoutView, state: Exclude<CheckoutState, 'open'>): Html {
  const { states } = checkoutTexts(view.language);
  switch (state) {
    case 'paid':
      return paidPage(view);
    case 'pending':
      return pendingPage(view);
    case 'expired':
      return messagePage('bad', WAIT_ICON, states.expired, wayBack(view));
    case 'terminated':
      return messagePage('bad', CLOSED_ICON, states.terminated, wayBack(view));
    case 'unavailable':
      return messagePage('bad', WARNING_ICON, states.unavailable, wayBack(view));
  }
}
