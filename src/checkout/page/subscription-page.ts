// The consumer's page of a subscription: their consent, the charges, and how to end it. It works without its script,
// which only switches the language.
import { firstDayOf } from '../../domain/subscription-charge.ts';
import type { Language } from '../../pages/language.ts';
import { dayOf } from '../../domain/subscription.ts';
import { html } from '../../pages/html.ts';
import type { Html } from '../../pages/html.ts';
import type { PastCharge } from '../../store/payments/renewals.ts';
import { fillIn } from '../../../web/shared/fill-in.ts';
import { formatAmount, formatDate } from '../formats.ts';
import type { Purchase } from '../subscription-purchases.ts';
import type { CheckoutTexts, Notice } from '../texts.ts';
import { checkoutTexts } from '../texts.ts';
import type { SubscriptionView } from '../view.ts';
import { howMuch, howOften } from './consent.ts';
import { renderDocument, shopHeader } from './document.ts';
import { DONE_ICON, WARNING_ICON } from './icons.ts';
import { messagePage, methodWords, row } from './outcome.ts';

type Texts = CheckoutTexts['subscriptionPage'];

const dateOf = (day: string, language: Language): string => formatDate(Date.parse(`${day}T00:00:00Z`), language);

/** Without the full stop of the sentence that it is in the consent. */
const asValue = (sentence: string): string => sentence.replace(/\.$/, '');

const oftenOf = ({ subscription, language }: SubscriptionView): string =>
  asValue(howOften(subscription.kind, subscription, language));

function amountOf({ subscription, language }: SubscriptionView): string {
  const { kind, consent, allowVariableAmount = false } = subscription;
  return asValue(howMuch(kind, { ...consent, allowVariableAmount }, language));
}

/** Said only where there is a day to wait for. */
function nextCharge({ at, subscription, standing, language }: SubscriptionView): string | undefined {
  if (standing !== 'active' || (subscription.intervalDays ?? 0) === 0) return undefined;
  const first = firstDayOf(subscription);
  return first > dayOf(at) ? dateOf(first, language) : undefined;
}

/** When it ended. */
function overAt({ at, standing, subscription: { ended, endsAt } }: SubscriptionView): number | undefined {
  if (standing === 'ended') return ended?.at ?? at;
  return standing === 'expired' ? endsAt : undefined;
}

function agreement(view: SubscriptionView, texts: Texts): Html {
  const { subscription, language } = view;
  const { consent, endsAt, method } = subscription;
  const { order, paid } = checkoutTexts(language);
  const over = overAt(view);
  const end = over ?? endsAt;
  return html`<section class="part" aria-labelledby="agreed-heading">
    <h2 id="agreed-heading">${texts.agreedHeading}</h2>
    <dl class="receipt">
      ${row(order.heading, view.product)} ${row(paid.orderReference, view.orderReference)}
      ${row(texts.howOften, oftenOf(view))} ${row(texts.amount, amountOf(view))}
      ${row(over === undefined ? texts.until : texts.endedOn, end === undefined ? undefined : formatDate(end, language))}
      ${row(texts.card, methodWords(method, language))} ${row(texts.agreedOn, formatDate(consent.agreedAt, language))}
      ${row(texts.nextCharge, nextCharge(view))}
    </dl>
  </section>`;
}

function chargeRow(charge: PastCharge | Purchase, language: Language, texts: Texts): Html {
  const { day, amount, currency, refunded, state } = charge;
  const back = refunded > 0 && fillIn(texts.refunded, { amount: formatAmount(refunded, currency, language) });
  return html`<li class="past ${state}">
    <span>${dateOf(day, language)}<span class="quiet">${back || texts[state]}</span></span>
    <strong>${formatAmount(amount, currency, language)}</strong>
  </li>`;
}

function charges(view: SubscriptionView, texts: Texts): Html {
  const list = html`<ul class="past-charges">
    ${view.charges.map((charge) => chargeRow(charge, view.language, texts))}
  </ul>`;
  return html`<section class="part" aria-labelledby="charges-heading">
    <h2 id="charges-heading">${texts.chargesHeading}</h2>
    ${!view.hasRenewals && html`<p class="quiet">${texts.noCharges}</p>`} ${view.charges.length > 0 && list}
    ${view.hasOlder && html`<p class="quiet">${texts.older}</p>`}
  </section>`;
}

const inLanguage = (address: string, { language }: SubscriptionView): string => `${address}?language=${language}`;

/** What is over, in place of the word that it is active. */
function overNotice(view: SubscriptionView, texts: Texts): Notice | undefined {
  const { standing, subscription, shopName: shop, language } = view;
  const at = overAt(view);
  if (at === undefined) return undefined;
  const endedBy = subscription.ended?.by === 'merchant' ? texts.endedByShop : texts.ended;
  const { title, text } = standing === 'ended' ? endedBy : texts.expired;
  return { title, text: fillIn(text, { shop, date: formatDate(at, language) }) };
}

function wayToShop({ shopUrl, language }: SubscriptionView): Html | false {
  if (shopUrl === undefined) return false;
  return html`<p class="to-shop"><a id="shop" href="${shopUrl}">${checkoutTexts(language).states.back}</a></p>`;
}

function shown(view: SubscriptionView, texts: Texts): Html {
  const { standing, shopName: shop } = view;
  const over = overNotice(view, texts);
  const needsCard = standing === 'needs_card';
  const title = html`<section class="message subscription-head ${needsCard ? 'wait' : 'good'}">
    <div class="sign">${needsCard ? WARNING_ICON : DONE_ICON}</div>
    <h1 tabindex="-1">${fillIn(texts.title, { shop })}</h1>
    ${!needsCard && html`<p class="standing">${texts.active}</p>`}
  </section>`;
  return html`<div class="subscription">
    ${over === undefined ? title : messagePage('calm', DONE_ICON, over)}
    ${needsCard && html`<p class="notice wait" role="status">${texts.needsCard}</p>`} ${agreement(view, texts)}
    ${charges(view, texts)}
    ${
      over === undefined &&
      html`<a id="end" class="button quiet-button" href="${inLanguage(view.endUrl, view)}">${texts.end}</a>`
    }
    ${wayToShop(view)}
  </div>`;
}

function asked(view: SubscriptionView, texts: Texts): Html {
  const { shopName: shop, subscription, language } = view;
  const title = fillIn(texts.confirm.title, { shop });
  const text = fillIn(texts.confirm.text, { shop });
  const more = html`<dl class="receipt">
      ${row(texts.howOften, oftenOf(view))} ${row(texts.amount, amountOf(view))}
      ${row(texts.card, methodWords(subscription.method, language))}
    </dl>
    <form class="end-form" method="post" action="${inLanguage(view.endUrl, view)}">
      <button id="end-now" class="button danger">${texts.end}</button>
      <a id="keep" class="button quiet-button" href="${inLanguage(view.self, view)}">${texts.keep}</a>
    </form>`;
  return messagePage('wait', WARNING_ICON, { title, text }, more);
}

export function renderSubscription(view: SubscriptionView): string {
  const { live, standing, isAsked, shopName: shop } = view;
  const { sandbox, script } = checkoutTexts(view.language);
  const texts = checkoutTexts(view.language).subscriptionPage;
  const self = isAsked ? view.endUrl : view.self;
  return renderDocument(
    { ...view, self },
    {
      title: fillIn(isAsked ? texts.confirm.title : texts.title, { shop }),
      data: { state: isAsked ? 'subscription-end' : `subscription-${standing}` },
      header: shopHeader(view),
      ...(!live && { ribbon: sandbox.ribbon }),
      main: html`<main id="main">${isAsked ? asked(view, texts) : shown(view, texts)}</main>`,
      json: { texts: script },
      script: view.assets.js,
      hasLanguages: true,
    },
  );
}
