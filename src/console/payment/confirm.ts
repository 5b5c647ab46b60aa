// A confirmation page for an action.
import type { Payment } from '../../domain/payment.ts';
import { html } from '../../pages/html.ts';
import { homeOf, renderFrame } from '../page/frame.ts';
import type { Place } from '../page/frame.ts';
import { consoleTexts } from '../texts.ts';
import { titleOf } from './page.ts';
import { paymentPath } from './path.ts';
import type { Words } from './refusal-words.ts';

export type Question = {
  readonly title: string;
  readonly text: string;
  readonly button: string;
  /** Below the payment's address. */
  readonly action: string;
  readonly words?: Words;
};

export function renderConfirm(
  place: Place,
  payment: Payment,
  { title, text, button, action, words }: Question,
): string {
  const path = paymentPath(place, payment.id);
  const { language } = place.member;
  const { pages, back } = consoleTexts(language).frame;
  const name = titleOf(payment, language);
  const main = html`<header class="payment-head">
      <p class="crumb">
        <a href="${homeOf(place)}/payments">${pages.payments}</a> ›
        <a href="${path}">${name}</a>
      </p>
      <h1>${title}</h1>
    </header>
    ${words && html`<p class="notice bad" role="alert">${words.message}</p>`}
    <form class="panel act" method="post" action="${path}/${action}">
      <p class="sentence">${text}</p>
      <div class="toolbar">
        <button class="danger">${button}</button>
        <a class="button quiet" href="${path}">${back}</a>
      </div>
    </form>`;
  return renderFrame(place, { title: `${title}: ${name}`, name: 'payments', main });
}
