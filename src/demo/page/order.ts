// The merchant's view of one order: where its money is, what can be done with it, and the story so far.
import type { Html } from '../../pages/html.ts';
import { html } from '../../pages/html.ts';
import { exampleBlock } from '../../docs/reference/code.ts';
import { showMoney } from '../catalogue.ts';
import type { Call } from '../journal.ts';
import type { LastingState } from '../../domain/state.ts';
import type { Order } from '../order.ts';
import { actionsOf } from './actions.ts';
import { docsUrl, moduleScript, renderFrame } from './frame.ts';
import type { Place } from './frame.ts';
import type { ShownSubscription } from '../subscription.ts';
import { subscriptionPart } from './subscription.ts';
import { timeLine } from './time-line.ts';
import type { Story } from './time-line.ts';

/** What the last action came to, to be announced. */
export type Notice = { readonly text: string; readonly isBad: boolean };

export type OrderPage = {
  readonly order: Order;
  /** The read from which the order comes. */
  readonly read: Call;
  readonly story: Story;
  /** Names the next action, so that pressing a button twice does it once. */
  readonly once: string;
  readonly notice?: Notice;
  readonly subscription?: ShownSubscription;
};

const STATES: Readonly<Record<LastingState, readonly [name: string, meaning: string]>> = {
  unpaid: ['Not paid', 'The consumer has not paid yet.'],
  pending: ['Pending', 'The refund is under way: the acquirer has not answered yet.'],
  terminated: ['Terminated', 'Nobody can pay this any more.'],
  cancelled: ['Cancelled', 'The reservation was given back.'],
  reserved: ['Reserved', 'The consumer has paid: the money is set aside until you charge it.'],
  'partly charged': ['Partly charged', 'A part is yours; the rest is still set aside.'],
  charged: ['Charged', 'The money is yours.'],
  'partly refunded': ['Partly refunded', 'The consumer got a part of the money back.'],
  refunded: ['Refunded', 'The consumer got everything back.'],
  'card saved': ['Card saved', 'Nothing was paid: the card is saved for the subscription.'],
};

// An invoice is paid when it is due, and not in the checkout.
const INVOICE_MEANINGS: { readonly [State in LastingState]?: string } = {
  reserved: 'Ordered on invoice: the amount is set aside until you charge it.',
  'partly charged': 'A part is invoiced; the rest is still set aside.',
  charged: 'It is invoiced. The consumer pays the invoice when it is due.',
  'partly refunded': 'A part of what was invoiced was given back.',
  refunded: 'All that was invoiced was given back.',
};

const BAR_WIDTH = 1_000;

type Part = { readonly kind: string; readonly name: string; readonly amount: number };

const partsOf = ({ reserved, charged, refunded, cancelled, isInvoice }: Order): Part[] =>
  [
    { kind: 'kept', name: isInvoice ? 'invoiced' : 'yours', amount: charged - refunded },
    { kind: 'refunded', name: 'refunded', amount: refunded },
    { kind: 'cancelled', name: 'cancelled', amount: cancelled },
    { kind: 'waiting', name: 'set aside', amount: reserved - charged - cancelled },
  ].filter(({ amount }) => amount > 0);

/** Where the money is, as one bar and in words. */
function bar(order: Order): Html {
  const scale = (part: number): number => Math.round((part / Math.max(order.amount, 1)) * BAR_WIDTH);
  const parts = partsOf(order);
  let start = 0;
  const rects = parts.map(({ kind, amount }) => {
    const x = scale(start);
    start += amount;
    return html`<rect class="${kind}" x="${x}" width="${scale(start) - x}" height="10" />`;
  });
  const words = parts.map(
    ({ kind, name, amount }) => html`<li class="${kind}">${showMoney(amount, order.currency)} ${name}</li>`,
  );
  return html`<svg class="bar" viewBox="0 0 ${BAR_WIDTH} 10" preserveAspectRatio="none" aria-hidden="true">
      ${rects}
    </svg>
    <ul class="legend">
      ${parts.length > 0 ? words : html`<li>Nothing of it is reserved.</li>`}
    </ul>`;
}

function money(order: Order): Html {
  const { amount, currency, reserved, charged, refunded, cancelled } = order;
  const figures = [
    ['reservedAmount', reserved],
    ['chargedAmount', charged],
    ['refundedAmount', refunded],
    ['cancelledAmount', cancelled],
  ] as const;
  const rows = figures.map(
    ([name, figure]) =>
      html`<div>
        <dt><code>${name}</code></dt>
        <dd>${figure}</dd>
      </div>`,
  );
  return html`<section class="money panel" aria-labelledby="money-title">
    <h2 id="money-title">The money</h2>
    <p class="amount">${showMoney(amount, currency)}</p>
    ${bar(order)}
    <dl class="figures">${rows}</dl>
  </section>`;
}

function facts({ consoleUrl }: Place, order: Order): Html {
  const { paymentId, paymentMethod, consumer, email, invoiceNumber, pdfLink, charges } = order;
  const inConsole = consoleUrl && html`<a href="${consoleUrl}/payments/${paymentId}">Look at it as your people do</a>`;
  // Each charge has an invoice of its own, and the payment shows the latest one.
  const latest = charges.length > 1 ? 'the latest invoice' : 'the invoice';
  const rows: readonly (readonly [string, Html | string | undefined])[] = [
    ['Payment method', paymentMethod],
    ['Consumer', consumer],
    ['E-mail', email],
    ['Invoice number', invoiceNumber],
    ['As PDF', pdfLink === undefined ? undefined : html`<a href="${pdfLink}">Open ${latest}</a>`],
    ['Payment', html`<code>${paymentId}</code>`],
    ['In the console', inConsole],
  ];
  return html`<section class="facts panel" aria-labelledby="facts-title">
    <h2 id="facts-title">Who and how</h2>
    <dl>
      ${rows.map(
        ([name, value]) =>
          value !== undefined &&
          html`<div>
            <dt>${name}</dt>
            <dd>${value}</dd>
          </div>`,
      )}
    </dl>
  </section>`;
}

const readNow = (place: Place, { path, status, ms, answer }: Call): Html =>
  html`<details class="read-now panel">
    <summary>The payment as the API tells it now</summary>
    <p>
      <a href="${docsUrl(place, 'getPayment')}">GET ${path}</a> answered ${status} after ${ms} ms. The page reads it
      anew each time it is shown.
    </p>
    ${exampleBlock('Answer', answer)}
  </details>`;

export function renderOrder(place: Place, page: OrderPage): string {
  const { order, read, story, once, notice, subscription } = page;
  const [state, paidMeaning] = STATES[order.state];
  const meaning = (order.isInvoice && INVOICE_MEANINGS[order.state]) || paidMeaning;
  const look = notice?.isBad ? 'action-result bad' : 'action-result';
  // On one line: only what is quite empty is not shown.
  const main = html`<p class="${look}" id="action-result" role="status" tabindex="-1">${notice?.text}</p>
    <div id="order" data-once="${once}">
      <div class="head">
        <p class="eyebrow">Behind the counter</p>
        <h1>Order ${order.reference} <span class="chip ${order.state.replace(' ', '-')}">${state}</span></h1>
        <p>${meaning}</p>
      </div>
      <div class="desk">
        <div class="side">
          ${money(order)} ${subscription && subscriptionPart(place, subscription, order, story.calls)}
          ${actionsOf(place, order)} ${facts(place, order)}
        </div>
        <div class="story">${timeLine(place, story, order.currency)} ${readNow(place, read)}</div>
      </div>
    </div>`;
  return renderFrame(place, {
    title: `Order ${order.reference}, Kvarter`,
    kind: 'order',
    main,
    path: `/orders/${order.paymentId}`,
    scripts: [moduleScript(place, 'order.js')],
    data: { 'payment-id': order.paymentId },
  });
}
