// Beside a payment: who pays, with what, and the subscription that it has to do with.
import { isUnknownConsumer } from '../../domain/consumer.ts';
import type { Address, Consumer } from '../../domain/consumer.ts';
import { reservationOf } from '../../domain/payment.ts';
import type { Payment } from '../../domain/payment.ts';
import { agreementOf } from '../../domain/subscription.ts';
import type { Subscription } from '../../domain/subscription.ts';
import { html } from '../../pages/html.ts';
import type { Html } from '../../pages/html.ts';
import { homeOf } from '../page/frame.ts';
import type { Place } from '../page/frame.ts';
import { renderBadge } from './badge.ts';

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

function renderAddress(address: Address | undefined): Html | undefined {
  if (address === undefined) return undefined;
  const { receiverLine, addressLine1, addressLine2, postalCode, city, country } = address;
  const town = [postalCode, city].filter(Boolean).join(' ');
  const lines = [receiverLine, addressLine1, addressLine2, town, country].filter((line) => line);
  return html`${lines.map((line) => html`<span class="line">${line}</span>`)}`;
}

const nameOf = (who: { readonly firstName?: string; readonly lastName?: string } | undefined): string =>
  [who?.firstName, who?.lastName].filter(Boolean).join(' ');

function renderFacts({ person, company, email, phone, reference, billingAddress, shippingAddress }: Consumer): Html {
  const isSame = JSON.stringify(billingAddress) === JSON.stringify(shippingAddress);
  return html`<dl class="facts">
    ${fact('Name', nameOf(person))} ${fact('Company', company?.name)} ${fact('Number', company?.organisationNumber)}
    ${fact('Contact', nameOf(company))} ${fact('E-mail', email)}
    ${fact('Phone', phone && `${phone.prefix} ${phone.number}`)}
    ${fact(isSame ? 'Address' : 'Delivery', renderAddress(shippingAddress))}
    ${!isSame && fact('Billing', renderAddress(billingAddress))} ${fact('Your reference', reference)}
  </dl>`;
}

/** What a payment that was paid no longer says of its consumer was erased. */
export function renderConsumer(payment: Payment, act: Html | false): Html {
  const isErased = isUnknownConsumer(payment.consumer) && reservationOf(payment) !== undefined;
  const nobody = html`<p class="hint">${isErased ? 'Erased.' : 'Not known yet.'}</p>`;
  const facts = isUnknownConsumer(payment.consumer) ? nobody : renderFacts(payment.consumer);
  return panel('consumer', 'Consumer', html`${facts} ${act}`);
}

/** MMYY as it stands on a card. */
const showExpiry = (expiry: string): string => `${expiry.slice(0, 2)}/${expiry.slice(2)}`;

export function renderMethod(payment: Payment): Html {
  const method = reservationOf(payment) && payment.method;
  if (!method) return panel('method', 'Method', html`<p class="hint">Nothing is paid yet.</p>`);
  const { paymentType, paymentMethod, maskedPan, expiryDate } = method;
  return panel(
    'method',
    'Method',
    html`<dl class="facts">
      ${fact('Paid by', paymentType === 'CARD' ? `${paymentMethod} card` : 'Invoice')}
      ${fact('Number', maskedPan && html`<span class="code">•••• ${maskedPan.slice(-4)}</span>`)}
      ${fact('Expires', expiryDate && showExpiry(expiryDate))}
    </dl>`,
  );
}

const ROLES = { new: 'Begins', update: 'Gives another card to', renewal: 'Is a charge of' } as const;

const STATES = {
  active: { text: 'Active', tone: 'good' },
  needs_card: { text: 'Needs another card', tone: 'bad' },
  ended: { text: 'Ended', tone: 'neutral' },
} as const;

/** With the way to the payment that brought the card, where that is another one. */
export function renderSubscription(
  place: Place,
  payment: Payment,
  subscription: Subscription | undefined,
): Html | false {
  const agreement = agreementOf(payment);
  if (agreement === undefined) return false;
  const cardPayment = subscription?.paymentId;
  return panel(
    'subscription',
    'Subscription',
    html`<p>
        ${ROLES[agreement.role]} a ${agreement.kind} subscription
        ${subscription && renderBadge(STATES[subscription.state])}
      </p>
      <p class="hint"><code>${agreement.id}</code></p>
      ${
        cardPayment !== undefined &&
        cardPayment !== payment.id &&
        html`<p><a href="${homeOf(place)}/payments/${cardPayment}">The payment that brought its card</a></p>`
      }`,
  );
}
