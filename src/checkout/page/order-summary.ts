// The order summary: on a phone a line with the total that expands, on a wide screen beside the form. The script reloads
// it when the shop changes the cart.
import { html } from '../../pages/html.ts';
import type { Html } from '../../pages/html.ts';
import type { OrderItem } from '../../domain/item.ts';
import type { Order } from '../../domain/payment.ts';
import { PIECES } from '../../pages/units.ts';
import { fillIn } from '../../../web/shared/fill-in.ts';
import { formatAmount, formatQuantity, formatTaxRate } from '../formats.ts';
import { checkoutTexts } from '../texts.ts';
import type { CheckoutView } from '../view.ts';
import { byFee, orderWithFee } from './fee.ts';
import { pictureOf } from '../pictures.ts';
import { BASKET_ICON, CHEVRON_ICON } from './icons.ts';

// Of a longer order so many are shown at a time.
const ITEMS_OF_PART = 50;
// A list with more items scrolls, so it must be focusable.
const SCREENFUL = 8;

/**
 * What one costs, tax and all, as consumers count; the order's own unit prices are without tax. Where the total of the
 * line does not divide into whole minor units, no price is shown rather than one that is not true.
 */
function unitPriceOf({ quantity, grossTotalAmount }: OrderItem): number | undefined {
  if (quantity === 1 || grossTotalAmount <= 0) return undefined;
  const price = Math.round(grossTotalAmount / quantity);
  return isSum(price, quantity, grossTotalAmount) ? price : undefined;
}

// Quantities have at most six decimals.
const MILLIONTHS = 1_000_000;
const isSum = (price: number, quantity: number, total: number): boolean =>
  BigInt(price) * BigInt(Math.round(quantity * MILLIONTHS)) === BigInt(total) * BigInt(MILLIONTHS);

/** Beside the name, which says the same. One that cannot be loaded shows nothing. */
function picture(item: OrderItem, { pictureOrigins }: CheckoutView): Html | false {
  const address = pictureOf(item, pictureOrigins);
  if (address === undefined) return false;
  return html`<img class="picture" src="${address}" alt="" width="48" height="48" loading="lazy" decoding="async" />`;
}

function itemRow(item: OrderItem, view: CheckoutView, isFee = false): Html {
  const { language, payment } = view;
  const { order } = checkoutTexts(language);
  const { currency } = payment.order;
  const isDiscount = item.grossTotalAmount < 0;
  const amount = formatAmount(item.grossTotalAmount, currency, language);
  // Any other unit is worth a word: 1 kg, 1 month.
  const isPieces = PIECES.test(item.unit.trim());
  const isOnePiece = item.quantity === 1 && (isDiscount || isPieces);
  const unitPrice = unitPriceOf(item);
  const each = unitPrice === undefined ? '' : ` × ${formatAmount(unitPrice, currency, language)}`;
  // Of pieces at a price the word for them is not needed: 2 × 50 kr.
  const unit = isPieces && each !== '' ? '' : ` ${item.unit}`;
  const quantity = !isOnePiece && `${formatQuantity(item.quantity, language)}${unit}${each}`;
  return html`<li${isDiscount && html` class="discount"`}${isFee && html` data-fee="with"`}>
    ${picture(item, view)}<span class="item-name">${item.name}</span>
    <span class="item-amount">${amount}</span>
    <span class="item-more">${isDiscount && order.discount}${isDiscount && quantity && ' · '}${quantity}</span>
  </li>`;
}

function taxRow({ language }: CheckoutView, { items, currency }: Order, fee?: 'with' | 'without'): Html | false {
  const { order } = checkoutTexts(language);
  let tax = 0;
  for (const item of items) tax += item.taxAmount;
  if (tax === 0) return false;
  const [rate, ...others] = new Set(items.filter((item) => item.taxAmount !== 0).map((item) => item.taxRate));
  const label =
    rate === undefined || rate === 0 || others.length > 0
      ? order.tax
      : fillIn(order.taxAt, { rate: formatTaxRate(rate, language) });
  return html`<div class="tax" ${fee !== undefined && html` data-fee="${fee}"`}>
    <dt>${label}</dt>
    <dd>${formatAmount(tax, currency, language)}</dd>
  </div>`;
}

/** The way to the other items of a long order; by plain links, which the script follows without leaving the page. */
function partLinks({ self, language, payment }: CheckoutView, at: number): Html | false {
  const all = payment.order.items.length;
  if (all <= ITEMS_OF_PART) return false;
  const { order: texts } = checkoutTexts(language);
  const [from, to] = [(at - 1) * ITEMS_OF_PART, Math.min(all, at * ITEMS_OF_PART)];
  const link = (part: number, text: string): Html =>
    html`<a href="${self}&amp;language=${language}&amp;items=${part}#order" data-items="${part}">${text}</a>`;
  const show = (count: number): string => formatQuantity(count, language);
  return html`<nav class="parts" aria-labelledby="order-heading">
    ${at > 1 && link(at - 1, texts.previousItems)}
    <span class="quiet">${fillIn(texts.partOfItems, { from: show(from + 1), to: show(to), all: show(all) })}</span>
    ${to < all && link(at + 1, texts.moreItems)}
  </nav>`;
}

export function orderSummary(view: CheckoutView): Html {
  const { language, payment, shippingCostMissing } = view;
  const { order: texts } = checkoutTexts(language);
  const { items, currency } = payment.order;
  const part = Math.min(view.itemsPart ?? 1, Math.max(1, Math.ceil(items.length / ITEMS_OF_PART)));
  const shown = items.slice((part - 1) * ITEMS_OF_PART, part * ITEMS_OF_PART);
  const withFee = orderWithFee(view);
  const fee = withFee?.items.at(-1);
  const isLong = items.length > SCREENFUL;
  const total = byFee(view, ({ amount }) => formatAmount(amount, currency, language));
  const count = fillIn(items.length === 1 ? texts.item : texts.items, { count: items.length });
  return html`<section id="order" class="order" aria-labelledby="order-heading">
    <h2 id="order-heading">${texts.heading}</h2>
    <details${part > 1 && html` open`}>
      <summary>
        ${BASKET_ICON}<span>${texts.heading} <span class="quiet">${count}</span></span>
        <strong>${total}</strong>${CHEVRON_ICON}
      </summary>
      <ul${isLong ? html` class="items long" tabindex="0" aria-labelledby="order-heading"` : html` class="items"`}>
        ${shown.map((item) => itemRow(item, view))}${fee && itemRow(fee, view, true)}
      </ul>
      ${partLinks(view, part)}
      <dl class="sums">
        <div class="total">
          <dt>${texts.total}</dt>
          <dd>${total}</dd>
        </div>
        ${taxRow(view, payment.order, withFee && 'without')}${withFee && taxRow(view, withFee, 'with')}
      </dl>
    </details>
    ${shippingCostMissing && html`<p class="quiet shipping-later">${texts.shippingLater}</p>`}
  </section>`;
}
