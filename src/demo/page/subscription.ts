// The subscription behind an order: where it stands, what was charged of it, the next charge, and the page on which its
// consumer ends it.
import { html } from '../../pages/html.ts';
import type { Html } from '../../pages/html.ts';
import { isSuccess } from '../api.ts';
import { COFFEE, CURRENCIES, LOCALE, showMoney } from '../catalogue.ts';
import type { Call } from '../journal.ts';
import type { Order } from '../order.ts';
import type { ShownSubscription, SubscriptionState } from '../subscription.ts';
import { docsUrl } from './frame.ts';
import type { Place } from './frame.ts';

const STATES: Readonly<Record<SubscriptionState, readonly [name: string, look: string]>> = {
  active: ['Active', 'charged'],
  needs_card: ['Needs another card', 'cancelled'],
  ended: ['Ended', 'terminated'],
  expired: ['Over', 'terminated'],
};

const dayOf = (time: string): string => new Intl.DateTimeFormat(LOCALE, { dateStyle: 'long' }).format(new Date(time));

const row = (name: string, value: Html | string | undefined): Html | false =>
  value !== undefined &&
  html`<div>
    <dt>${name}</dt>
    <dd>${value}</dd>
  </div>`;

/** The payments that this shop made of it, by the answers that it remembers. */
function renewalsIn({ root }: Place, calls: readonly Call[], own: string): Html[] {
  const made = calls.filter((call) => call.operationId === 'chargeSubscription' && isSuccess(call));
  const ids = new Set(made.map(({ answer }) => String((answer as { paymentId?: unknown }).paymentId)));
  ids.delete(own);
  return [...ids].map((id, index) => html`<li><a href="${root}/demo/orders/${id}">Renewal ${index + 1}</a></li>`);
}

/** Pressed when it is over, it shows how that is refused. */
function renewButton({ state }: ShownSubscription, { currency }: Order): Html {
  const code = CURRENCIES.find((known) => known === currency) ?? 'SEK';
  const isOpen = state === 'active';
  return html`<button class="${isOpen ? 'primary' : 'quiet'}" type="button" id="renew" data-action="renew">
    ${isOpen ? `Renew now, ${showMoney(COFFEE.prices[code], code)}` : 'Renew it all the same'}
  </button>`;
}

export function subscriptionPart(
  place: Place,
  subscription: ShownSubscription,
  order: Order,
  calls: readonly Call[],
): Html {
  const { state, interval, endDate, agreedAt, endedBy, card, consumerPageUrl, subscriptionId } = subscription;
  const [name, look] = STATES[state];
  const renewals = renewalsIn(place, calls, order.paymentId);
  const isOver = state === 'ended' || state === 'expired';
  const page =
    consumerPageUrl !== undefined &&
    html`<a class="second" id="consumer-page" href="${consumerPageUrl}" target="_blank" rel="noopener"
      >${isOver ? "See the consumer's page" : "End it, on the consumer's page"}</a
    >`;
  return html`<section class="facts panel subscription" aria-labelledby="subscription-title">
    <h2 id="subscription-title">The subscription <span class="chip ${look}" id="subscription-state">${name}</span></h2>
    <dl>
      ${row('How often', interval === 0 ? 'Whenever the shop ships' : `At most every ${interval} days`)}
      ${row('Until', endDate === undefined ? undefined : dayOf(endDate))}
      ${row('Agreed on', agreedAt === undefined ? undefined : dayOf(agreedAt))} ${row('Card', card)}
      ${row('Ended by', endedBy)} ${row('Subscription', html`<code>${subscriptionId}</code>`)}
    </dl>
    ${
      renewals.length > 0 &&
      html`<ul class="renewals" aria-label="Renewals">
        ${renewals}
      </ul>`
    }
    <p class="hint">
      The next box is <a href="${docsUrl(place, 'chargeSubscription')}">one call</a> with the stored card: a payment of
      its own, reserved and charged at once.
    </p>
    <div class="buttons">${renewButton(subscription, order)} ${page}</div>
  </section>`;
}
