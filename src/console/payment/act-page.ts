// The form of a charge, refund or cancel: all that is left, an amount, or items with quantities. It works without a script,
// which only says as somebody types what it comes to. What will happen is said before it happens, on a page of its own that
// carries along what was typed.
import { timeOf } from '../../domain/id.ts';
import type { OrderItem } from '../../domain/item.ts';
import { showQuantity as plainQuantity } from '../../domain/item-ledger.ts';
import { leftOfCharge } from '../../domain/movement.ts';
import type { Movement } from '../../domain/movement.ts';
import type { Payment } from '../../domain/payment.ts';
import { html } from '../../pages/html.ts';
import type { Html } from '../../pages/html.ts';
import type { ActLine, Choosable } from '../../../web/shared/act-choice.ts';
import { describeAct } from '../../../web/shared/act-words.ts';
import type { Act, ActKind } from '../../../web/shared/act-words.ts';
import type { Place } from '../page/frame.ts';
import { paymentPath } from '../page/frame.ts';
import { showMoney, showPlain, showQuantity } from '../page/money.ts';
import { renderTime } from '../page/time.ts';
import { consoleTexts, fill, fillHtml } from '../texts.ts';
import { backLink, renderActPage, renderProblem } from './confirm.ts';
import type { Words } from './refusal-words.ts';
import { titleOf } from './page.ts';

export type ActView = Choosable<OrderItem> & {
  readonly kind: ActKind;
  readonly payment: Payment;
  /** A refund's. */
  readonly charge?: Movement;
  readonly key: string;
  /** How many movements the payment had when the form was opened: what is left of its items is what was left then. */
  readonly seen: number;
  /** What was typed, and what is wrong with it. */
  readonly fields: Readonly<Record<string, string>>;
  readonly words?: Words & { readonly line?: string };
};

const textsOf = ({ member }: Place) => consoleTexts(member.language).acts;

export const showerFor =
  ({ member }: Place, { order }: Payment) =>
  (amount: number): string =>
    showMoney(amount, order.currency, member.language);

const actOf = ({ member }: Place, { kind, payment, left }: ActView): Act => ({
  kind,
  of: titleOf(payment, member.language),
  left,
});

export const pathOf = (place: Place, { kind, payment, charge }: ActView): string =>
  `${paymentPath(place, payment.id)}/${kind}${charge ? `?charge=${charge.id}` : ''}`;

/** For the script: all that it works out sums and sentences from. */
function dataOf(place: Place, view: ActView): string {
  const { currency, decimals, lines } = view;
  const { sentence, restSome, restNone, wrong } = textsOf(place);
  const measures = lines.map(
    ({ field, left, item: { name, quantity, taxAmount, grossTotalAmount, netTotalAmount } }) => ({
      field,
      left,
      item: { name, quantity, taxAmount, grossTotalAmount, netTotalAmount },
    }),
  );
  const texts = { sentence, restSome, restNone, wrong };
  return JSON.stringify({ ...actOf(place, view), currency, decimals, lines: measures, texts });
}

const hidden = (fields: Readonly<Record<string, string | number>>): Html[] =>
  Object.entries(fields).map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}" />`);

/** What of the form is as it was when it was opened. */
const openedAs = ({ key, left, seen }: ActView) => ({ key, whole: left, seen });

function renderLine(
  place: Place,
  { payment, fields, words }: ActView,
  { field, item, left }: ActLine<OrderItem>,
): Html {
  const texts = textsOf(place);
  const quantity = showQuantity(Number(plainQuantity(left.quantity)), place.member.language);
  const amount = showerFor(place, payment)(left.gross);
  return html`<li class="act-item">
    <label for="${field}"
      ><span class="item-name">${item.name}</span>
      <span class="hint"
        >${fill(texts.leftOfItem, { reference: item.reference, quantity, unit: item.unit, amount })}</span
      ></label
    >
    <input
      id="${field}"
      name="${field}"
      inputmode="decimal"
      autocomplete="off"
      placeholder="0"
      value="${fields[field] ?? ''}"
      aria-describedby="items-wrong"
      aria-invalid="${String(words?.line === field)}"
    />
    <button
      type="button"
      class="quiet"
      hidden
      data-of="${field}"
      data-all="${plainQuantity(left.quantity)}"
      aria-label="${fill(texts.allOf, { item: item.name })}"
    >
      ${texts.all}
    </button>
    <span class="amount act-share"></span>
  </li>`;
}

function renderForm(place: Place, view: ActView): Html {
  const { payment, left, lines, currency, fields, words } = view;
  const texts = textsOf(place);
  const { mode = 'whole' } = fields;
  const choice = (name: string, label: string): Html =>
    html`<label>
      <input type="radio" name="mode" value="${name}" ${mode === name && html`checked`} />
      ${label}
    </label>`;
  const wrongAt = (name: string): string => (isAtField(view) && mode === name ? (words?.message ?? '') : '');
  return html`<form class="panel act" method="post" action="${pathOf(place, view)}" data-act="${dataOf(place, view)}">
    <fieldset class="field">
      <legend>${texts.howMuch}</legend>
      ${choice('whole', fill(texts.whole[view.kind], { amount: showerFor(place, payment)(left) }))}
      ${choice('amount', texts.anAmount)} ${lines.length > 0 && choice('items', texts.items)}
    </fieldset>
    <div class="field by-amount">
      <label for="amount">${fill(texts.amountIn, { currency })}</label>
      <input
        id="amount"
        name="amount"
        inputmode="decimal"
        autocomplete="off"
        value="${fields['amount'] ?? ''}"
        placeholder="${showPlain(left, currency, place.member.language)}"
        aria-describedby="amount-wrong"
        aria-invalid="${String(wrongAt('amount') !== '')}"
      />
      <p class="error" id="amount-wrong" role="alert">${wrongAt('amount')}</p>
    </div>
    ${
      lines.length > 0 &&
      html`<div class="field by-items">
        <ul class="act-items" aria-label="${texts.items}">
          ${lines.map((line) => renderLine(place, view, line))}
        </ul>
        <p class="error" id="items-wrong" role="alert">${wrongAt('items')}</p>
      </div>`
    }
    <p class="sentence" aria-live="polite"></p>
    <div class="toolbar"><button class="primary">${texts.goOn}</button> ${backLink(place, payment)}</div>
    ${hidden(openedAs(view))}
  </form>`;
}

/** Whether what is wrong is said at a field that is shown. */
const isAtField = ({ fields, words }: ActView): boolean =>
  words?.field !== undefined && (fields['mode'] === 'amount' || fields['mode'] === 'items');

export function renderAct(place: Place, view: ActView): string {
  const { payment, charge, left, words } = view;
  const texts = textsOf(place);
  const problem = left > 0 ? words : (words ?? { message: texts.nothingLeft });
  return renderActPage(
    place,
    payment,
    texts.verbs[view.kind],
    html`${
      charge &&
      html`<p class="hint">
        ${fillHtml(texts.ofCharge, {
          amount: showerFor(place, payment)(charge.amount),
          time: renderTime(timeOf(charge.id), place.member.language),
        })}
      </p>`
    }
    ${(left === 0 || !isAtField(view)) && renderProblem(problem)} ${left > 0 && renderForm(place, view)}`,
  );
}

/**
 * What will happen, and the button that does it; the other one leads back to the form as it was, but where it may have been
 * done already.
 */
export function renderSure(place: Place, view: ActView, amount: number): string {
  const { kind, payment, lines, fields, words } = view;
  const texts = textsOf(place);
  const show = showerFor(place, payment);
  const typed = ['mode', 'amount', ...lines.map(({ field }) => field)]
    .map((name) => [name, fields[name] ?? ''] as const)
    .filter(([, value]) => value !== '');
  return renderActPage(
    place,
    payment,
    texts.verbs[kind],
    html`${renderProblem(words)}
      <form class="panel act" method="post" action="${pathOf(place, view)}">
        <p class="sentence" id="sentence">${describeAct(actOf(place, view), amount, texts, show)}</p>
        <div class="toolbar">
          <button class="primary" aria-describedby="sentence" autofocus>
            ${fill(texts.withAmount[kind], { amount: show(amount) })}
          </button>
          ${
            !words &&
            html`<button class="quiet" name="back" value="yes">
              ${consoleTexts(place.member.language).frame.back}
            </button>`
          }
        </div>
        ${hidden({ ...openedAs(view), ...Object.fromEntries(typed), sure: amount })}
      </form>`,
  );
}

/** Of several charges one has to be chosen. */
export function renderChoice(place: Place, payment: Payment, charges: readonly Movement[]): string {
  const path = `${paymentPath(place, payment.id)}/refund`;
  const texts = textsOf(place);
  const show = showerFor(place, payment);
  const rows = charges.map(
    (charge) =>
      html`<li class="panel toolbar">
        <span class="push">
          ${show(charge.amount)}, ${renderTime(timeOf(charge.id), place.member.language)}
          <span class="hint">${fill(texts.leftToRefund, { amount: show(leftOfCharge(charge)) })}</span>
        </span>
        <a class="button" href="${path}?charge=${charge.id}">${texts.refundCharge}</a>
      </li>`,
  );
  const none = html`<p class="panel empty">${texts.nothingToRefund}</p>`;
  const list = html`<ul class="choice">
    ${rows}
  </ul>`;
  return renderActPage(place, payment, texts.verbs.refund, rows.length === 0 ? none : list);
}
