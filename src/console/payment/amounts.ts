// The amounts of a payment: a bar of the reserved amount, with its figures.
import { leftOfReservation } from '../../domain/payment.ts';
import type { Payment } from '../../domain/payment.ts';
import { html } from '../../pages/html.ts';
import type { Html } from '../../pages/html.ts';
import type { Language } from '../../pages/language.ts';
import { showMoney } from '../page/money.ts';
import type { ConsoleTexts } from '../texts.ts';
import { consoleTexts } from '../texts.ts';

type Texts = ConsoleTexts['payment'];
type Segment = { readonly name: string; readonly label: string; readonly amount: number };

// The bar is drawn in thousandths: fine enough for any screen.
const WIDTH = 1_000;
const HEIGHT = 12;
// What is there is seen, however little it is.
const LEAST = 6;

/** Together all that was reserved; before that, all that was ordered. */
function segmentsOf(payment: Payment, { standings, ...texts }: Texts): Segment[] {
  const { totals, order } = payment;
  if (totals.reserved === 0) return [{ name: 'open', label: texts.notReserved, amount: order.amount }];
  const pending = totals.charging + totals.cancelling + totals.refunding;
  const isGivenBack = totals.refunded + totals.refunding > 0;
  const kept = totals.charged - totals.refunded - totals.refunding;
  return [
    { name: 'charged', label: isGivenBack ? texts.kept : standings.charged, amount: kept },
    { name: 'refunded', label: standings.refunded, amount: totals.refunded },
    { name: 'pending', label: standings.pending, amount: pending },
    { name: 'cancelled', label: standings.cancelled, amount: totals.cancelled },
    { name: 'left', label: texts.left, amount: leftOfReservation(payment) },
  ].filter(({ amount }) => amount > 0);
}

/** What parts of the bar come to together, where a part does not say it: they have no colour. */
function sumsOf({ totals }: Payment, { standings }: Texts): Segment[] {
  const { reserved, charged, refunded, refunding } = totals;
  return [
    { name: 'sum', label: standings.reserved, amount: reserved },
    { name: 'sum', label: standings.charged, amount: refunded + refunding > 0 ? charged : 0 },
  ].filter(({ amount }) => amount > 0);
}

function drawBar(segments: readonly Segment[], whole: number, words: string): Html {
  let from = 0;
  const rects = segments.map(({ name, amount }) => {
    const width = Math.max(LEAST, Math.round((amount / whole) * WIDTH));
    const rect = html`<rect class="${name}" x="${from}" y="0" width="${width}" height="${HEIGHT}"></rect>`;
    from += width;
    return rect;
  });
  return html`<svg
    class="money-bar"
    viewBox="0 0 ${Math.max(from, 1)} ${HEIGHT}"
    preserveAspectRatio="none"
    role="img"
    aria-label="${words}"
  >
    ${rects}
  </svg>`;
}

export function renderAmounts(payment: Payment, language: Language): Html {
  const { totals, order } = payment;
  const texts = consoleTexts(language).payment;
  const show = (amount: number): string => showMoney(amount, order.currency, language);
  const segments = segmentsOf(payment, texts);
  const words = segments.map(({ label, amount }) => `${label} ${show(amount)}`).join(', ');
  const figure = ({ name, label, amount }: Segment): Html =>
    html`<div class="money-figure ${name}">
      <dt>${label}</dt>
      <dd class="amount">${show(amount)}</dd>
    </div>`;
  return html`<section class="panel money" aria-labelledby="money-title">
    <h2 id="money-title">${texts.money}</h2>
    ${drawBar(segments, Math.max(totals.reserved, order.amount, 1), words)}
    <dl class="money-figures">${sumsOf(payment, texts).map(figure)} ${segments.map(figure)}</dl>
  </section>`;
}
