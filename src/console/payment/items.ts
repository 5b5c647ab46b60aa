// The lines of the order, each with how much of it was charged, refunded and cancelled, and what is left.
import { showAmount } from '../../domain/currency.ts';
import { linesOf, showQuantity } from '../../domain/item-ledger.ts';
import type { Extent, Line } from '../../domain/item-ledger.ts';
import type { Payment } from '../../domain/payment.ts';
import { html } from '../../pages/html.ts';
import type { Html } from '../../pages/html.ts';

// Longer orders are cut on the page, and the raw payment has them all.
const MOST_LINES = 200;

const cell = (label: string, content: Html, more = ''): Html =>
  html`<td class="amount${more}" data-label="${label}">${content}</td>`;

/** On a phone there is no room for what is nothing. */
const shareCell = (label: string, { quantity }: Extent): Html =>
  quantity === 0
    ? cell(label, html`<span class="none">–</span>`, ' nothing')
    : cell(label, html`${showQuantity(quantity)}`);

function row({ item, charged, refunded, cancelled, left }: Line, currency: string): Html {
  return html`<tr>
    <th scope="row"><span class="item-name">${item.name}</span> <span class="hint">${item.reference}</span></th>
    ${cell('Ordered', html`${item.quantity} ${item.unit}`)} ${shareCell('Charged', charged)}
    ${shareCell('Refunded', refunded)} ${shareCell('Cancelled', cancelled)} ${shareCell('Left', left)}
    ${cell('Total', html`${showAmount(item.grossTotalAmount, currency)}`)}
  </tr>`;
}

/** Movements can name no items, or such as the order does not have: then the figures of items say less than the money. */
const hasUnnamed = ({ movements, order }: Payment): boolean =>
  movements.some(
    ({ kind, state, items }) =>
      kind !== 'reservation' &&
      state === 'approved' &&
      items !== null &&
      (items.length === 0 || items.some((item) => order.items.every(({ reference }) => reference !== item.reference))),
  );

export function renderItems(payment: Payment): Html {
  const lines = linesOf(payment);
  const shown = lines.slice(0, MOST_LINES);
  const notes = [
    lines.length > shown.length &&
      html`<p class="hint note">
        The first ${shown.length} of ${lines.length} lines; the raw payment below has the rest.
      </p>`,
    hasUnnamed(payment) &&
      html`<p class="hint note">Some amounts were moved without naming these items, so they are not counted here.</p>`,
  ];
  return html`<section class="panel flush items" aria-labelledby="items-title">
    <h2 id="items-title">Items</h2>
    <div class="scroll">
      <table class="list cards">
        <thead>
          <tr>
            <th scope="col">Item</th>
            <th scope="col" class="amount">Ordered</th>
            <th scope="col" class="amount">Charged</th>
            <th scope="col" class="amount">Refunded</th>
            <th scope="col" class="amount">Cancelled</th>
            <th scope="col" class="amount">Left</th>
            <th scope="col" class="amount">Total</th>
          </tr>
        </thead>
        <tbody>
          ${shown.map((line) => row(line, payment.order.currency))}
        </tbody>
      </table>
    </div>
    ${notes}
  </section>`;
}
