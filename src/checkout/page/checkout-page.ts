// The checkout page, for every state of the payment. It is readable without its script; the script relies on the ids,
// names and data attributes set here.
import { html } from '../../pages/html.ts';
import type { Html } from '../../pages/html.ts';
import { fillIn } from '../../../web/shared/fill-in.ts';
import { billedCountryOf } from '../../domain/consumer.ts';
import type { Payment } from '../../domain/payment.ts';
import { appNamed, offeredTypes } from '../offered-types.ts';
import { appTexts, checkoutTexts } from '../texts.ts';
import type { CheckoutView } from '../view.ts';
import { displayOption } from './appearance.ts';
import { consumerFields } from './consumer-fields.ts';
import { renderDocument, shopHeader } from './document.ts';
import { orderWithFee } from './fee.ts';
import { orderSummary } from './order-summary.ts';
import { outcomePage } from './outcome.ts';
import { listTestCards, paymentFields } from './payment-fields.ts';

/** The result of the last attempt. The element always exists, so that screen readers announce changes. */
function noticeOf(view: CheckoutView): Html {
  const { lastTry: texts, challenge } = checkoutTexts(view.language);
  const { lastTry, challengeUrl } = view;
  const app = view.app === undefined ? undefined : appTexts(view.language, view.app);
  if (challengeUrl !== undefined) {
    const { waiting, goOn } = app ?? challenge;
    return html`<div id="notice" class="notice wait" role="status">
      <strong>${waiting.title}</strong>
      <p>${waiting.text}</p>
      <a href="${challengeUrl}">${goOn}</a>
    </div>`;
  }
  if (lastTry === undefined) return html`<div id="notice" class="notice" role="alert" hidden></div>`;
  const inBank = lastTry === 'declined' ? texts.declined : texts.challengeFailed;
  const { title, text } = lastTry === 'declined_in_app' && app ? app.declined : inBank;
  return html`<div id="notice" class="notice" role="alert">
    <strong>${title}</strong>
    <p>${text}</p>
  </div>`;
}

function knownCountry({ checkout, consumer }: Payment): string | undefined {
  if (checkout.merchantHandlesConsumerData !== true) return undefined;
  return billedCountryOf(consumer);
}

/** What an invoice is for, where it has a fee. */
function invoiceAmountOf(view: CheckoutView): string | undefined {
  const order = orderWithFee(view);
  return order && String(order.amount);
}

function challengeDialog(view: CheckoutView): Html {
  const { challenge } = checkoutTexts(view.language);
  return html`<dialog id="challenge" aria-labelledby="challenge-heading">
    <form method="dialog" class="dialog-top">
      <h2 id="challenge-heading" tabindex="-1">${challenge.heading}</h2>
      <button id="challenge-close" class="close">${challenge.close}</button>
    </form>
    <p>
      <span id="challenge-text">${challenge.text}</span>
      <a id="challenge-link" href="${view.challengeUrl ?? view.self}">${challenge.ownPage}</a>
    </p>
    <iframe id="challenge-frame" title="${challenge.heading}"></iframe>
  </dialog>`;
}

/** Texts for the script about the available apps. */
function appWords(view: CheckoutView): { readonly apps?: object } {
  const words = offeredTypes(view.payment).flatMap(({ type, methods: [app = ''] }) => {
    if (appNamed(type) === undefined) return [];
    const { title: heading, question: text, ownPage } = appTexts(view.language, app);
    return [[type, { heading, text, ownPage }]];
  });
  return words.length > 0 ? { apps: Object.fromEntries(words) as object } : {};
}

/** A known consumer only has to pay, so payment comes first; others start with their details. */
function formParts(view: CheckoutView): Html {
  const isKnown = view.payment.checkout.merchantHandlesConsumerData === true;
  const consumer = consumerFields(view);
  return html`${!isKnown && consumer}${paymentFields(view, isKnown ? consumer : undefined)}`;
}

function openPage(view: CheckoutView): Html {
  const { page } = checkoutTexts(view.language);
  const hasSummary = displayOption(view, 'showOrderSummary') ?? true;
  return html`<h1 class="visually-hidden">${page.heading}</h1>
    ${noticeOf(view)}
    <div class="columns${!hasSummary && ' single'}">
      ${hasSummary && orderSummary(view)}
      <form id="pay-form" method="post" novalidate>
        <noscript><p class="notice">${page.noScript}</p></noscript>
        ${formParts(view)}
      </form>
    </div>
    ${challengeDialog(view)}`;
}

export function renderCheckout(view: CheckoutView): string {
  const { payment, state, mode, live } = view;
  const { page, sandbox, script } = checkoutTexts(view.language);
  const showsName = displayOption(view, 'showMerchantName') ?? mode === 'hosted';
  const header = showsName ? shopHeader(view) : undefined;
  const main = html`<main id="main">${state === 'open' ? openPage(view) : outcomePage(view, state)}</main>`;
  return renderDocument(view, {
    title: fillIn(page.title, { shop: view.shopName }),
    data: {
      state,
      'payment-id': payment.id,
      'checkout-key': view.checkoutKey,
      amount: String(payment.order.amount),
      'invoice-amount': state === 'open' ? invoiceAmountOf(view) : undefined,
      currency: payment.order.currency,
      'shop-origin': mode === 'embedded' ? view.shopOrigin : undefined,
      'public-device': String(payment.checkout.publicDevice === true),
      'shipping-cost-missing': String(view.shippingCostMissing),
      'challenge-url': view.challengeUrl,
      app: view.app,
      live: String(live),
      // Where the shop's own consumer lives: there is no field that says it.
      country: knownCountry(payment),
    },
    ...(header !== undefined && { header }),
    ...(!live && { ribbon: sandbox.ribbon }),
    main,
    json: {
      texts: script,
      ...(state === 'open' && appWords(view)),
      ...(!live && state === 'open' && { 'test-cards': listTestCards(view).map(({ number }) => ({ number })) }),
    },
    script: view.assets.js,
    hasLanguages: true,
  });
}
