// The page of a payment: its state, amounts, items, timeline, and consumer.
import { timeOf } from '../../domain/id.ts';
import type { Lifetimes } from '../../domain/payment.ts';
import { chargeableUntil, leftOfReservation, reservationOf } from '../../domain/payment.ts';
import { factsOf, sayState } from '../../domain/state.ts';
import type { Subscription } from '../../domain/subscription.ts';
import { html } from '../../pages/html.ts';
import type { Html } from '../../pages/html.ts';
import type { Language } from '../../pages/language.ts';
import { homeOf, renderFrame } from '../page/frame.ts';
import type { Place } from '../page/frame.ts';
import { showMoney } from '../page/money.ts';
import { renderCopy } from '../page/pieces.ts';
import { renderTime } from '../page/time.ts';
import { consoleTexts, fill, fillHtml } from '../texts.ts';
import { renderAmounts } from './amounts.ts';
import { renderItems } from './items.ts';
import type { Part } from './parts.ts';
import { renderConsumer, renderMethod, renderSubscription } from './people.ts';
import { badgesOf, renderBadge } from './state-badges.ts';
import { renderTimeline } from './timeline.ts';
import type { History } from './timeline.ts';

/** A larger raw payment has a page of its own: nobody scrolls through it here. */
const LARGEST_RAW = 65_536;
/** With more lines than these it is larger, however short each is. */
const MOST_RAW_LINES = 300;

export type PaymentView = {
  readonly history: History;
  /** The one that it has to do with. */
  readonly subscription?: Subscription;
  /** As the API gives it. */
  readonly raw: () => object;
  /** The part of its items that is shown. */
  readonly items: Part;
  readonly at: number;
  readonly lifetimes: Lifetimes;
  /** What just came of an act, if one led here. */
  readonly notice: Html | false;
  /** The actions that the viewer can take on the payment and its consumer. */
  readonly acts: Html | false;
  readonly consumerActs: Html | false;
  /** The requests that touched it, for those who develop. */
  readonly touched: Html | false;
};

export const titleOf = ({ order, id }: { order: { reference?: string }; id: string }, language: Language): string =>
  order.reference ?? fill(consoleTexts(language).payment.payment, { id: id.slice(0, 8) });

function renderHead(place: Place, { history: { payment }, at, lifetimes }: PaymentView): Html {
  const { order, id, myReference } = payment;
  const { language } = place.member;
  const texts = consoleTexts(language).payment;
  const reservation = leftOfReservation(payment) > 0 ? reservationOf(payment) : undefined;
  const endsAt = reservation && chargeableUntil(reservation, lifetimes);
  return html`<header class="payment-head">
    <p class="crumb"><a href="${homeOf(place)}/payments">${consoleTexts(language).frame.pages.payments}</a></p>
    <div class="payment-title">
      <h1>${titleOf(payment, language)}</h1>
      <span class="payment-amount amount">${showMoney(order.amount, order.currency, language)}</span>
      ${badgesOf(sayState(factsOf(payment), at, lifetimes), language).map(renderBadge)}
    </div>
    <p class="payment-facts hint">
      <span><code>${id}</code> ${renderCopy(id, language, 'quiet ')}</span>
      <span>${fillHtml(texts.created, { time: renderTime(timeOf(id), language) })}</span>
      ${myReference !== undefined && html`<span>${fill(texts.yourReference, { reference: myReference })}</span>`}
      ${
        endsAt !== undefined &&
        html`<span
          >${fillHtml(at < endsAt ? texts.untilFuture : texts.untilPast, { time: renderTime(endsAt, language) })}</span
        >`
      }
    </p>
  </header>`;
}

function rawTextOf({ raw, history: { payment } }: PaymentView): string | undefined {
  let lines = payment.order.items.length;
  for (const { items } of payment.movements) lines += items?.length ?? 1;
  const text = lines > MOST_RAW_LINES ? undefined : JSON.stringify(raw(), null, 2);
  return text !== undefined && text.length <= LARGEST_RAW ? text : undefined;
}

function renderRaw(place: Place, view: PaymentView): Html {
  const text = rawTextOf(view);
  const { merchant, language } = place.member;
  const texts = consoleTexts(language).payment;
  const request = html`<code>GET /v1/payments/${view.history.payment.id}</code>`;
  const address = `${place.root}/console/api/${merchant.id}/payments/${view.history.payment.id}`;
  const link = html`<p><a href="${address}">${texts.rawFile}</a></p>`;
  return html`<details class="panel raw">
    <summary><h2>${texts.raw}</h2></summary>
    <p class="hint">${fillHtml(texts.rawAs, { request })}</p>
    ${link} ${text !== undefined && html`<pre tabindex="0"><code>${text}</code></pre>`}
  </details>`;
}

export function renderPayment(place: Place, view: PaymentView): string {
  const { history, notice, acts, consumerActs } = view;
  const { payment } = history;
  const isPending = payment.movements.some(({ state }) => state === 'pending');
  const { merchant, language } = place.member;
  const texts = consoleTexts(language).payment;
  const stateUrl = `${place.root}/console/api/${merchant.id}/payments/${payment.id}/state`;
  const watch =
    isPending &&
    html`<p class="notice wait" role="status" data-watch="${stateUrl}" data-version="${payment.version}">
      ${texts.somethingPending}
    </p>`;
  const main = html`${renderHead(place, view)} ${notice} ${watch} ${acts}
    <div class="columns">
      <div>
        ${renderAmounts(payment, language)} ${renderItems(payment, view.items, language)}
        ${renderTimeline(history, language)}
      </div>
      <aside aria-label="${texts.beside}">
        ${renderConsumer(payment, consumerActs, language)} ${renderMethod(payment, language)}
        ${renderSubscription(place, payment, view.subscription)}
      </aside>
    </div>
    ${view.touched} ${renderRaw(place, view)}`;
  return renderFrame(place, { title: titleOf(payment, language), name: 'payments', main });
}
