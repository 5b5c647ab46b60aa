// The payment fields: the choice of payment type with its fields, then the terms and the button. Card fields are always
// rendered empty; the service never returns card data.
import { BRAND_NAMES } from '../../../web/shared/card.ts';
import { brandOfTestCard, testCards } from '../../acquirers/test-cards.ts';
import { localeOf } from '../../pages/language.ts';
import type { Language } from '../../pages/language.ts';
import type { CardSource, TestCard } from '../../acquirers/test-cards.ts';
import { offeredMethods } from '../../domain/offered-methods.ts';
import { html } from '../../pages/html.ts';
import type { Html } from '../../pages/html.ts';
import { fillIn } from '../../../web/shared/fill-in.ts';
import { formatAmount } from '../formats.ts';
import type { CheckoutTexts } from '../texts.ts';
import { appTexts, checkoutTexts } from '../texts.ts';
import type { CheckoutView } from '../view.ts';
import { textOption } from './appearance.ts';
import { offeredTypes } from '../offered-types.ts';
import { likelyCountry } from './consumer-fields.ts';
import { byFee, orderWithFee } from './fee.ts';
import { consentNotice } from './consent.ts';
import { textField } from './field.ts';
import { BRAND_MARKS, takenMarks, TYPED_MARK } from './brand-marks.ts';
import { APP_ICON, CHEVRON_ICON, INVOICE_ICON, LOCK_ICON } from './icons.ts';

type Outcomes = CheckoutTexts['sandbox']['outcomes'];

const OUTCOME_OF_SOURCE: Readonly<Partial<Record<CardSource, keyof Outcomes>>> = {
  sim_approved: 'approved',
  sim_reservation_declined: 'declined',
  sim_charge_declined: 'chargeDeclined',
  sim_refund_declined: 'refundDeclined',
  sim_refund_pending: 'refundPending',
  sim_cancel_declined: 'cancelDeclined',
  sim_insufficient_funds: 'insufficientFunds',
  sim_expired_card: 'expiredCard',
  sim_wrong_cvc: 'wrongCvc',
  sim_processing_error: 'processingError',
  sim_renewal_declined: 'approved',
  sim_renewal_expired: 'approved',
  sim_renewal_needs_consumer: 'approved',
};

function outcomeOf({ source, challenge }: TestCard, outcomes: Outcomes): string {
  if (challenge) return source === 'sim_approved' ? outcomes.challengeApproved : outcomes.challengeDeclined;
  return outcomes[OUTCOME_OF_SOURCE[source] ?? 'approved'];
}

/** The published test cards with what each does, in the page's language. */
export function listTestCards({
  language,
  payment,
}: CheckoutView): readonly { readonly number: string; readonly what: string }[] {
  const { outcomes } = checkoutTexts(language).sandbox;
  const offered = offeredMethods(payment);
  const isOffered = ({ number }: TestCard): boolean => offered.includes(brandOfTestCard(number));
  return testCards.filter(isOffered).map((card) => ({ number: card.number, what: outcomeOf(card, outcomes) }));
}

function testCardChoice(view: CheckoutView): Html {
  const { sandbox } = checkoutTexts(view.language);
  const buttons = listTestCards(view).map(
    ({ number, what }) =>
      html`<li>
        <button type="button" class="test-card" data-number="${number}">
          <span class="digits">${number.replaceAll(/\d{4}(?=\d)/g, '$& ')}</span> <span>${what}</span>
        </button>
      </li>`,
  );
  return html`<details class="test-cards">
    <summary>${sandbox.cards}${CHEVRON_ICON}</summary>
    <p class="hint">${sandbox.cardsHint}</p>
    <ul>
      ${buttons}
    </ul>
  </details>`;
}

function cardFields(view: CheckoutView): Html {
  const { payment: texts } = checkoutTexts(view.language);
  const path = 'paymentType.card';
  const isKept = view.payment.checkout.subscription !== undefined;
  const digits = { inputmode: 'numeric', noSpellcheck: true } as const;
  return html`${!view.live && testCardChoice(view)}
    ${textField({
      name: `${path}.cardNumber`,
      label: texts.cardNumber,
      autocomplete: 'cc-number',
      ...digits,
      aside: TYPED_MARK,
    })}
    <div class="pair even">
      ${textField({
        name: `${path}.expiry`,
        label: texts.expiry,
        autocomplete: 'cc-exp',
        ...digits,
        placeholder: texts.expiryHint,
      })}
      ${textField({
        name: `${path}.cardVerificationCode`,
        label: texts.cvc,
        autocomplete: 'cc-csc',
        ...digits,
        hint: texts.cvcHint,
        isHintUnseen: true,
      })}
    </div>
    <p class="hint lock">${LOCK_ICON}${isKept ? checkoutTexts(view.language).subscription.secure : texts.secure}</p>`;
}

function invoiceFields(view: CheckoutView): Html {
  const { payment: texts, script } = checkoutTexts(view.language);
  const billedIn = view.payment.consumer.billingAddress?.country ?? likelyCountry(view);
  const [, label] = Object.entries(script.nationalNumber).find(([country]) => country === billedIn) ?? [];
  const field = textField({
    name: 'paymentType.invoice.nationalNumber',
    label: label ?? texts.nationalNumber,
    autocomplete: 'off',
    hint: texts.nationalNumberHint,
    noSpellcheck: true,
    longest: 20,
  });
  return html`<p>${texts.invoiceText}</p>
    <div data-part="national-number" ${label === undefined && html`hidden`}>${field}</div>`;
}

function method(
  value: string,
  icon: Html,
  words: readonly [string, Html | string],
  fields: Html,
  isFirst: boolean,
): Html {
  const [label, hint] = words;
  return html`<div class="method">
    <label>
      <input type="radio" name="type" value="${value}" ${isFirst && html`checked`} />
      <span class="method-name">${label}<span class="quiet">${hint}</span></span
      >${icon}
    </label>
    <div class="panel" data-panel="${value}">${fields}</div>
  </div>`;
}

/** What the button says: the shop's choice of words, and always the amount, where there is one. */
function payButton(view: CheckoutView): Html {
  const { payment: texts } = checkoutTexts(view.language);
  const { currency, amount: total } = view.payment.order;
  const wanted = textOption(view, 'completePaymentButtonText');
  const words = Object.keys(texts.button) as (keyof typeof texts.button)[];
  const word =
    words.find((known) => known === wanted?.toLowerCase()) ??
    (view.payment.checkout.subscription ? 'subscribe' : 'pay');
  const label =
    total === 0
      ? checkoutTexts(view.language).subscription.saveCard
      : byFee(view, ({ amount }) =>
          fillIn(texts.button[word], { amount: formatAmount(amount, currency, view.language) }),
        );
  // Enabled by the script: until then, pressing it would submit the form with the card data.
  return html`<button id="pay" type="submit" disabled><span class="pay-label">${label}</span></button>`;
}

function termsLine(view: CheckoutView): Html | false {
  const { payment: texts, page } = checkoutTexts(view.language);
  const { termsUrl } = view.payment.checkout;
  if (termsUrl === undefined) return false;
  const [before = '', after = ''] = texts.terms.split('{terms}');
  const link = html`<a href="${termsUrl}" target="_blank" rel="noopener"
    >${texts.termsLink}<span class="visually-hidden"> (${page.opensInNewWindow})</span></a
  >`;
  return html`<p class="terms">${before}${link}${after}</p>`;
}

/** The brands of cards that the shop takes, in words: the marks say nothing to those who listen. */
function brandWords(methods: readonly string[], language: Language): string {
  const names = methods.map((brand) => BRAND_NAMES[brand.toLowerCase()] ?? brand);
  return new Intl.ListFormat(localeOf(language), { type: 'conjunction' }).format(names);
}

/** The invoice fee is shown with the choice, since the order is folded on a phone. */
function invoiceHint(view: CheckoutView): Html | string {
  const { invoiceHint: hint } = checkoutTexts(view.language).payment;
  const fee = orderWithFee(view)?.items.at(-1);
  if (fee === undefined) return hint;
  const amount = formatAmount(fee.grossTotalAmount, view.payment.order.currency, view.language);
  return html`${hint}<span class="method-fee">${fee.name}: ${amount}</span>`;
}

/** `after`: content between the payment types and the button. */
export function paymentFields(view: CheckoutView, after?: Html): Html {
  const { payment: texts } = checkoutTexts(view.language);
  const { checkout } = view.payment;
  const isHosted = view.mode === 'hosted';
  const offered = offeredTypes(view.payment);
  const types = new Set(offered.map(({ type }) => type));
  const methods = offered.find(({ type }) => type === 'card')?.methods ?? [];
  const hasCard = types.has('card');
  const card =
    hasCard &&
    method('card', takenMarks(methods), [texts.card, brandWords(methods, view.language)], cardFields(view), true);
  const [first] = offered;
  const apps = offered.flatMap(({ type, methods: [app] }) => {
    if (app === undefined || type === 'card' || type === 'invoice') return [];
    const { hint, text } = appTexts(view.language, app);
    return [method(type, APP_ICON, [app, hint], html`<p>${text}</p>`, type === first?.type)];
  });
  const hints = [texts.invoice, invoiceHint(view)] as const;
  const invoice =
    types.has('invoice') && method('invoice', INVOICE_ICON, hints, invoiceFields(view), first?.type === 'invoice');
  const cancel =
    isHosted && checkout.cancelUrl !== undefined
      ? html`<a id="cancel" href="${checkout.cancelUrl}">${texts.cancel}</a>`
      : undefined;
  return html`<section class="part" aria-labelledby="payment-heading">
      ${BRAND_MARKS}
      <h2 id="payment-heading">${texts.heading}</h2>
      <fieldset class="methods" aria-labelledby="payment-heading">${card}${apps}${invoice}</fieldset>
    </section>
    ${after}
    <div class="finish">
      <div id="form-error" role="alert"></div>
      ${consentNotice(view)} ${payButton(view)}${termsLine(view)}${cancel}
    </div>`;
}
