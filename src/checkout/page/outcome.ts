// The pages of a payment that cannot be paid (any more): paid, pending, expired, terminated, unavailable. Each says in
// a heading what is the case, then what it means for the consumer's money, and what to do now.
import { html } from '../../pages/html.ts';
import type { Html } from '../../pages/html.ts';
import type { Notice } from '../languages/catalogue.ts';
import { fillIn } from '../languages/fill-in.ts';
import { catalogueOf, formatAmount } from '../languages/language.ts';
import type { CheckoutState, CheckoutView } from '../view.ts';
import { CLOSED_ICON, DONE_ICON, WAIT_ICON, WARNING_ICON } from './icons.ts';

export type Mood = 'good' | 'wait' | 'bad';

/** One message that fills the page. */
export function messagePage(mood: Mood, icon: Html, { title, text }: Notice, more?: Html): Html {
  return html`<section class="message ${mood}">
    <div class="sign">${icon}</div>
    <h1 tabindex="-1">${title}</h1>
    <p>${text}</p>
    ${more}
  </section>`;
}

/** Where a consumer can go on who cannot pay here; the shop's page is around an embedded checkout already. */
function wayBack(view: CheckoutView): Html | undefined {
  const { cancelUrl } = view.payment.checkout;
  if (view.mode !== 'hosted' || cancelUrl === undefined) return undefined;
  return html`<a id="cancel" class="button" href="${cancelUrl}">${catalogueOf(view.language).states.back}</a>`;
}

function methodWords(view: CheckoutView): string | undefined {
  const { paid } = catalogueOf(view.language);
  const { method } = view.payment;
  if (method === undefined) return undefined;
  if (method.paymentType === 'INVOICE') return paid.invoiceMethod;
  const digits = method.maskedPan?.slice(-4);
  return digits === undefined
    ? method.paymentMethod
    : `${method.paymentMethod} ${fillIn(paid.cardEndingIn, { digits })}`;
}

function paidPage(view: CheckoutView): Html {
  const { paid } = catalogueOf(view.language);
  const { payment, shopName, language, returnUrl } = view;
  const amount = formatAmount(payment.order.amount, payment.order.currency, language);
  const isInvoice = payment.method?.paymentType === 'INVOICE';
  const isCharged = payment.totals.charged + payment.totals.charging > 0;
  const next = isInvoice ? paid.invoice : isCharged ? paid.charged : paid.reserved;
  const row = (term: string, value: string | undefined): Html | false =>
    value !== undefined &&
    html`<div>
      <dt>${term}</dt>
      <dd>${value}</dd>
    </div>`;
  const more = html`<dl class="receipt">
      ${row(paid.amount, amount)} ${row(paid.method, methodWords(view))}
      ${row(paid.orderReference, payment.order.reference)}
    </dl>
    <h2>${paid.whatNext}</h2>
    <p>${next}</p>
    ${returnUrl !== undefined && html`<a id="return" class="button" href="${returnUrl}">${paid.returnToShop}</a>`}`;
  const text = fillIn(isInvoice ? paid.invoiceText : paid.text, { amount, shop: shopName });
  return messagePage('good', DONE_ICON, { title: isInvoice ? paid.invoiceTitle : paid.title, text }, more);
}

function pendingPage(view: CheckoutView): Html {
  const { pending } = catalogueOf(view.language).states;
  const address = `${view.self}&language=${view.language}`;
  const again = html`<a id="check-again" class="button quiet-button" href="${address}">${pending.again}</a>`;
  return messagePage('wait', WAIT_ICON, pending, again);
}

export function outcomePage(view: CheckoutView, state: Exclude<CheckoutState, 'open'>): Html {
  const { states } = catalogueOf(view.language);
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
