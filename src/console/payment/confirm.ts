// The frame of all pages of an action, and the page that says what an action does, with the one button that does it.
import type { Payment } from '../../domain/payment.ts';
import { html } from '../../pages/html.ts';
import type { Html } from '../../pages/html.ts';
import { homeOf, renderFrame, paymentPath } from '../page/frame.ts';
import type { Place } from '../page/frame.ts';
import { consoleTexts } from '../texts.ts';
import { titleOf } from './page.ts';
import type { Words } from './refusal-words.ts';

export function renderActPage(place: Place, payment: Payment, title: string, content: Html): string {
  const { language } = place.member;
  const name = titleOf(payment, language);
  const main = html`<header class="payment-head">
      <p class="crumb">
        <a href="${homeOf(place)}/payments">${consoleTexts(language).frame.pages.payments}</a> ›
        <a href="${paymentPath(place, payment.id)}">${name}</a>
      </p>
      <h1>${title}</h1>
    </header>
    ${content}`;
  return renderFrame(place, { title: `${title}: ${name}`, name: 'payments', main });
}

export const renderProblem = (words: Words | undefined): Html | undefined =>
  words && html`<p class="notice bad" role="alert">${words.message}</p>`;

export const backLink = (place: Place, payment: Payment): Html =>
  html`<a class="button quiet" href="${paymentPath(place, payment.id)}"
    >${consoleTexts(place.member.language).frame.back}</a
  >`;

export type Question = {
  readonly title: string;
  readonly text: string;
  readonly button: string;
  /** Below the payment's address. */
  readonly action: string;
  readonly words?: Words;
};

export const renderConfirm = (
  place: Place,
  payment: Payment,
  { title, text, button, action, words }: Question,
): string =>
  renderActPage(
    place,
    payment,
    title,
    html`${renderProblem(words)}
      <form class="panel act" method="post" action="${paymentPath(place, payment.id)}/${action}">
        <p class="sentence">${text}</p>
        <div class="toolbar"><button class="danger">${button}</button> ${backLink(place, payment)}</div>
      </form>`,
  );
