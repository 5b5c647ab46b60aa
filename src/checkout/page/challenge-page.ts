// The pages of the simulated bank and app, which replace 3-D Secure pages, Swish and the like in the sandbox, and the
// page that returns to the checkout. They say clearly that they are simulations.
import { isInApp } from '../../domain/offered-methods.ts';
import { html } from '../../pages/html.ts';
import type { Html } from '../../pages/html.ts';
import { formatAmount } from '../formats.ts';
import { appTexts, checkoutTexts } from '../texts.ts';
import type { ChallengeView, Frame } from '../view.ts';
import { renderDocument } from './document.ts';
import { APP_ICON, BANK_ICON, DONE_ICON } from './icons.ts';
import { messagePage } from './outcome.ts';

/** 492500******0004 as •••• 0004: the rest helps nobody. */
const shortMask = (maskedPan: string): string => `•••• ${maskedPan.slice(-4)}`;

const row = (term: string, value: string): Html =>
  html`<div>
    <dt>${term}</dt>
    <dd>${value}</dd>
  </div>`;

export function renderChallenge(view: ChallengeView): string {
  const { bank } = checkoutTexts(view.language);
  const { method, shopName, amount, currency, language, action } = view;
  const app = isInApp(method) ? appTexts(language, method.paymentMethod) : undefined;
  const title = app?.title ?? bank.title;
  const main = html`<main id="main" class="bank">
    <p class="bank-name">${app ? APP_ICON : BANK_ICON}${app ? method.paymentMethod : bank.name}</p>
    <p class="ribbon">${app?.simulated ?? bank.simulated}</p>
    <h1>${title}</h1>
    <p>${app?.question ?? bank.text}</p>
    <dl class="receipt">
      ${row(bank.shop, shopName)}${row(bank.amount, formatAmount(amount, currency, language))}
      ${!app && row(bank.card, shortMask(method.maskedPan ?? ''))}
    </dl>
    <form method="post" action="${action}">
      <button name="outcome" value="approve">${bank.approve}</button>
      <button name="outcome" value="reject" class="quiet-button">${bank.reject}</button>
      ${
        app
          ? html`<button name="outcome" value="later" class="link-button">${app.wait}</button>`
          : html`<button name="outcome" value="leave" class="link-button">${bank.leave}</button>`
      }
    </form>
  </main>`;
  return renderDocument(view, { title, data: { state: 'challenge' }, main });
}

/** If the checkout frames this page, the script notifies it; otherwise there is a link. */
export function renderChallengeFinished(frame: Frame, to: string): string {
  const { bank } = checkoutTexts(frame.language);
  const onward = html`<a class="button" href="${to}">${bank.goOn}</a>`;
  return renderDocument(frame, {
    title: bank.finished.title,
    data: { state: 'challenge-finished' },
    main: html`<main id="main">${messagePage('good', DONE_ICON, bank.finished, onward)}</main>`,
    script: frame.assets.js,
  });
}
