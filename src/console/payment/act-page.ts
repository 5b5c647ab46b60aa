// The page of one act: a form for all that is left or for an amount, which works without a script; with one, also by items,
// with the sum as one types. What will happen is said before it happens.
import { exponentOf } from '../../domain/currency.ts';
import type { LineLeft } from '../../domain/item-ledger.ts';
import { timeOf } from '../../domain/id.ts';
import { leftOfCharge } from '../../domain/movement.ts';
import type { Movement } from '../../domain/movement.ts';
import type { Payment } from '../../domain/payment.ts';
import { html } from '../../pages/html.ts';
import type { Html } from '../../pages/html.ts';
import { describeAct } from '../../../web/shared/act-words.ts';
import type { Act, ActKind, ActTexts } from '../../../web/shared/act-words.ts';
import { homeOf, renderFrame } from '../page/frame.ts';
import type { Place } from '../page/frame.ts';
import { showMoney, showPlain } from '../page/money.ts';
import { renderTime } from '../page/time.ts';
import { consoleTexts, fill, fillHtml } from '../texts.ts';
import type { Words } from './refusal-words.ts';
import { titleOf } from './page.ts';
import { paymentPath } from './path.ts';

export type ActView = {
  readonly kind: ActKind;
  readonly payment: Payment;
  /** A refund's. */
  readonly charge?: Movement;
  readonly left: number;
  readonly lines: readonly LineLeft[];
  readonly key: string;
  /** What was typed before, and what was wrong with it. */
  readonly typed?: string;
  readonly words?: Words;
};

const textsOf = ({ member }: Place) => consoleTexts(member.language).acts;

const showerFor =
  ({ member }: Place, { order }: Payment) =>
  (amount: number): string =>
    showMoney(amount, order.currency, member.language);

const actOf = ({ member }: Place, { kind, payment, left }: ActView): Act => ({
  kind,
  of: titleOf(payment, member.language),
  currency: payment.order.currency,
  decimals: exponentOf(payment.order.currency),
  left,
});

export const pathOf = (place: Place, { kind, payment, charge }: ActView): string =>
  `${paymentPath(place, payment.id)}/${kind}${charge ? `?charge=${charge.id}` : ''}`;

function frame(place: Place, { kind, payment }: Pick<ActView, 'kind' | 'payment'>, content: Html): string {
  const { language } = place.member;
  const texts = consoleTexts(language).acts;
  const name = titleOf(payment, language);
  const title = fill(texts.title, { act: texts.verbs[kind], payment: name });
  const main = html`<header class="payment-head">
      <p class="crumb">
        <a href="${homeOf(place)}/payments">${consoleTexts(language).frame.pages.payments}</a> ›
        <a href="${paymentPath(place, payment.id)}">${name}</a>
      </p>
      <h1>${texts.verbs[kind]}</h1>
    </header>
    ${content}`;
  return renderFrame(place, { title, name: 'payments', main });
}

function scriptTexts(place: Place): ActTexts {
  const { refusals: _refusals, eraseText: _erase, ...texts } = textsOf(place);
  return { ...texts, back: consoleTexts(place.member.language).frame.back };
}

/** For the script: all that the form needs, and nothing of the consumer. */
function dataOf(place: Place, view: ActView): string {
  const { kind, payment, charge, lines, key } = view;
  const api = `${place.root}/console/api/${place.member.merchant.id}/payments/${payment.id}`;
  const apiPath = { charge: 'charges', cancel: 'cancels', refund: `charges/${charge?.id ?? ''}/refunds` }[kind];
  const shown = lines
    .filter(({ left }) => left.quantity > 0)
    .map(({ item: { imageUrl: _picture, ...item }, left }) => ({ item, left }));
  return JSON.stringify({
    ...actOf(place, view),
    texts: scriptTexts(place),
    api: `${api}/${apiPath}`,
    back: paymentPath(place, payment.id),
    prove: `${place.root}/console/prove`,
    key,
    lines: shown,
  });
}

export function renderAct(place: Place, view: ActView): string {
  const { payment, charge, left, key, typed, words } = view;
  const { currency } = payment.order;
  const texts = textsOf(place);
  const show = showerFor(place, payment);
  const isAmountWrong = words?.field === 'amount';
  const form = html`<form class="panel act" method="post" action="${pathOf(place, view)}">
    <input type="hidden" name="key" value="${key}" />
    <input type="hidden" name="whole" value="${left}" />
    <fieldset class="field">
      <legend>${texts.howMuch}</legend>
      <label>
        <input type="radio" name="mode" value="whole" ${typed === undefined && html`checked`} />
        ${fill(texts.whole[view.kind], { amount: show(left) })}
      </label>
      <label>
        <input type="radio" name="mode" value="amount" ${typed !== undefined && html`checked`} /> ${texts.anAmount}
      </label>
    </fieldset>
    <div class="field">
      <label for="amount">${fill(texts.amountIn, { currency })}</label>
      <input
        id="amount"
        name="amount"
        inputmode="decimal"
        autocomplete="off"
        value="${typed ?? ''}"
        placeholder="${showPlain(left, currency, place.member.language)}"
        ${isAmountWrong && html`aria-invalid="true" aria-describedby="words"`}
      />
    </div>
    <div class="toolbar">
      <button class="primary">${texts.goOn}</button>
      <a class="button quiet" href="${paymentPath(place, payment.id)}"
        >${consoleTexts(place.member.language).frame.back}</a
      >
    </div>
  </form>`;
  return frame(
    place,
    view,
    html`${
        charge &&
        html`<p class="hint">
          ${fillHtml(texts.ofCharge, {
            amount: show(charge.amount),
            time: renderTime(timeOf(charge.id), place.member.language),
          })}
        </p>`
      }
      ${words && html`<p class="notice bad" id="words" role="alert">${words.message}</p>`}
      <div class="act-place" data-act="${dataOf(place, view)}">${form}</div>`,
  );
}

/** What will happen, and the button that does it: the second step without a script. */
export function renderSure(place: Place, view: ActView, amount: number): string {
  const { kind, payment, key } = view;
  const act = actOf(place, view);
  const texts = textsOf(place);
  const show = showerFor(place, payment);
  return frame(
    place,
    view,
    html`<form class="panel act" method="post" action="${pathOf(place, view)}">
      <p class="sentence">${describeAct(act, amount, texts, show)}</p>
      <input type="hidden" name="key" value="${key}" />
      <input type="hidden" name="sure" value="${amount}" />
      <div class="toolbar">
        <button class="primary">${fill(texts.withAmount[kind], { amount: show(amount) })}</button>
        <a class="button quiet" href="${paymentPath(place, payment.id)}"
          >${consoleTexts(place.member.language).frame.back}</a
        >
      </div>
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
  return frame(place, { kind: 'refund', payment }, rows.length === 0 ? none : list);
}
