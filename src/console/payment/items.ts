// The lines of the order, each with how much of it was charged, refunded and cancelled, and what is left.
import { linesOf, showQuantity as plainQuantity } from '../../domain/item-ledger.ts';
import type { Extent, Line } from '../../domain/item-ledger.ts';
import type { OrderItem } from '../../domain/item.ts';
import type { Payment } from '../../domain/payment.ts';
import { html } from '../../pages/html.ts';
import type { Html } from '../../pages/html.ts';
import type { Language } from '../../pages/language.ts';
import { numberFormat } from '../../pages/number-format.ts';
import { measureOf, PIECES } from '../../pages/units.ts';
import { showMoney, showQuantity } from '../page/money.ts';
import { consoleTexts, fill, formOf } from '../texts.ts';
import type { Part } from './parts.ts';

const cell = (label: string, content: Html, more = ''): Html =>
  html`<td class="amount${more}" data-label="${label}">${content}</td>`;

/** In words where it is a unit that people share, else as the shop calls it. */
export function sayUnits({ quantity, unit }: Pick<OrderItem, 'quantity' | 'unit'>, language: Language): string {
  const count = showQuantity(quantity, language);
  if (PIECES.test(unit.trim()))
    return fill(formOf(consoleTexts(language).payment.pieces, quantity, language), { count });
  const measure = measureOf(unit);
  if (measure === undefined) return `${count} ${unit}`;
  const format = { style: 'unit', unit: measure, unitDisplay: 'long', maximumFractionDigits: 6 } as const;
  return numberFormat(language, format).format(quantity);
}

/** On a phone there is no room for what is nothing. */
const shareCell = (language: Language, label: string, { quantity }: Extent): Html =>
  quantity === 0
    ? cell(label, html`<span class="none">–</span>`, ' nothing')
    : cell(label, html`${showQuantity(Number(plainQuantity(quantity)), language)}`);

function row({ item, charged, refunded, cancelled, left }: Line, currency: string, language: Language): Html {
  const { standings, ...texts } = consoleTexts(language).payment;
  const share = (label: string, of: Extent): Html => shareCell(language, label, of);
  return html`<tr>
    <th scope="row"><span class="item-name">${item.name}</span> <span class="hint">${item.reference}</span></th>
    ${cell(texts.ordered, html`${sayUnits(item, language)}`)} ${share(standings.charged, charged)}
    ${share(standings.refunded, refunded)} ${share(standings.cancelled, cancelled)} ${share(texts.leftOfItem, left)}
    ${cell(texts.total, html`${showMoney(item.grossTotalAmount, currency, language)}`)}
  </tr>`;
}

/** Movements can name no items, or such as the order does not have: then the figures of items say less than the money. */
function hasUnnamed({ movements, order }: Payment): boolean {
  const references = new Set(order.items.map(({ reference }) => reference));
  return movements.some(
    ({ kind, state, items }) =>
      kind !== 'reservation' &&
      state === 'approved' &&
      items !== null &&
      (items.length === 0 || items.some(({ reference }) => !references.has(reference))),
  );
}

export function renderItems(payment: Payment, part: Part, language: Language): Html {
  const { standings, ...texts } = consoleTexts(language).payment;
  const shown = linesOf(payment).slice(part.from, part.to);
  return html`<section class="panel flush items" aria-labelledby="items-title">
    <h2 id="items-title">${texts.items}</h2>
    <div class="scroll">
      <table class="list cards">
        <thead>
          <tr>
            <th scope="col">${texts.item}</th>
            <th scope="col" class="amount">${texts.ordered}</th>
            <th scope="col" class="amount">${standings.charged}</th>
            <th scope="col" class="amount">${standings.refunded}</th>
            <th scope="col" class="amount">${standings.cancelled}</th>
            <th scope="col" class="amount">${texts.leftOfItem}</th>
            <th scope="col" class="amount">${texts.total}</th>
          </tr>
        </thead>
        <tbody>
          ${shown.map((line) => row(line, payment.order.currency, language))}
        </tbody>
      </table>
    </div>
    ${hasUnnamed(payment) && html`<p class="hint note">${texts.unnamed}</p>`} ${part.links}
  </section>`;
}
