// Beside a payment: who pays, with what, and the subscription that it has to do with.
import { isUnknownConsumer } from '../../domain/consumer.ts';
import type { Address, Consumer } from '../../domain/consumer.ts';
import { reservationOf } from '../../domain/payment.ts';
import type { Payment } from '../../domain/payment.ts';
import { agreementOf } from '../../domain/subscription.ts';
import type { Subscription } from '../../domain/subscription.ts';
import { twoLetters } from '../../domain/country.ts';
import { html } from '../../pages/html.ts';
import type { Html } from '../../pages/html.ts';
import type { Language } from '../../pages/language.ts';
import { regionName } from '../../pages/region-name.ts';
import { methodNameOf } from '../list/payment-text.ts';
import { homeOf } from '../page/frame.ts';
import type { Place } from '../page/frame.ts';
import type { ConsoleTexts } from '../texts.ts';
import { consoleTexts, fill } from '../texts.ts';
import { renderBadge } from './state-badges.ts';

type Texts = ConsoleTexts['payment'];

const fact = (name: string, value: string | Html | undefined): Html | false =>
  value !== undefined &&
  value !== '' &&
  html`<dt>${name}</dt>
    <dd>${value}</dd>`;

function panel(id: string, title: string, content: Html): Html {
  return html`<section class="panel" aria-labelledby="${id}-title">
    <h2 id="${id}-title">${title}</h2>
    ${content}
  </section>`;
}

function renderAddress(address: Address | undefined, language: Language): Html | undefined {
  if (address === undefined) return undefined;
  const { receiverLine, addressLine1, addressLine2, postalCode, city, country } = address;
  const town = [postalCode, city].filter(Boolean).join(' ');
  const letters = country === undefined ? undefined : twoLetters(country);
  const where = letters === undefined ? country : regionName(letters, language);
  const lines = [receiverLine, addressLine1, addressLine2, town, where].filter((line) => line);
  return html`${lines.map((line) => html`<span class="line">${line}</span>`)}`;
}

const nameOf = (who: { readonly firstName?: string; readonly lastName?: string } | undefined): string =>
  [who?.firstName, who?.lastName].filter(Boolean).join(' ');

function renderFacts(consumer: Consumer, texts: Texts, language: Language): Html {
  const { person, company, email, phone, reference, billingAddress, shippingAddress } = consumer;
  const isSame = JSON.stringify(billingAddress) === JSON.stringify(shippingAddress);
  return html`<dl class="facts">
    ${fact(texts.name, nameOf(person))} ${fact(texts.company, company?.name)}
    ${fact(texts.companyNumber, company?.organisationNumber)} ${fact(texts.contact, nameOf(company))}
    ${fact(texts.email, email)} ${fact(texts.phone, phone && `${phone.prefix} ${phone.number}`)}
    ${fact(isSame ? texts.address : texts.delivery, renderAddress(shippingAddress, language))}
    ${!isSame && fact(texts.billing, renderAddress(billingAddress, language))} ${fact(texts.reference, reference)}
  </dl>`;
}

/** What a payment that was paid no longer says of its consumer was erased. */
export function renderConsumer(payment: Payment, act: Html | false, language: Language): Html {
  const texts = consoleTexts(language).payment;
  const isErased = isUnknownConsumer(payment.consumer) && reservationOf(payment) !== undefined;
  const nobody = html`<p class="hint">${isErased ? texts.erased : texts.notKnown}</p>`;
  const facts = isUnknownConsumer(payment.consumer) ? nobody : renderFacts(payment.consumer, texts, language);
  return panel('consumer', texts.consumer, html`${facts} ${act}`);
}

/** MMYY as it stands on a card. */
const showExpiry = (expiry: string): string => `${expiry.slice(0, 2)}/${expiry.slice(2)}`;

export function renderMethod(payment: Payment, language: Language): Html {
  const texts = consoleTexts(language).payment;
  const method = reservationOf(payment) && payment.method;
  if (!method) return panel('method', texts.method, html`<p class="hint">${texts.nothingPaid}</p>`);
  const { paymentType, paymentMethod, maskedPan, expiryDate } = method;
  const name = methodNameOf(paymentMethod, language);
  const paidBy = paymentType === 'CARD' ? fill(texts.card, { brand: name }) : name;
  return panel(
    'method',
    texts.method,
    html`<dl class="facts">
      ${fact(texts.paidBy, paidBy)}
      ${fact(texts.cardNumber, maskedPan && html`<span class="code">•••• ${maskedPan.slice(-4)}</span>`)}
      ${fact(texts.expires, expiryDate && showExpiry(expiryDate))}
    </dl>`,
  );
}

const TONES = { active: 'good', needs_card: 'bad', ended: 'neutral' } as const;

/** With the way to the payment that brought the card, where that is another one. */
export function renderSubscription(
  place: Place,
  payment: Payment,
  subscription: Subscription | undefined,
): Html | false {
  const agreement = agreementOf(payment);
  if (agreement === undefined) return false;
  const texts = consoleTexts(place.member.language).payment;
  const cardPayment = subscription?.paymentId;
  const badge = subscription && {
    text: texts.subscriptionStates[subscription.state],
    tone: TONES[subscription.state],
  };
  return panel(
    'subscription',
    texts.subscription,
    html`<p>${texts.roles[agreement.role][agreement.kind]} ${badge && renderBadge(badge)}</p>
      <p class="hint"><code>${agreement.id}</code></p>
      ${
        cardPayment !== undefined &&
        cardPayment !== payment.id &&
        html`<p><a href="${homeOf(place)}/payments/${cardPayment}">${texts.cardPayment}</a></p>`
      }`,
  );
}
