// The simulated bank: what a consumer of the sandbox sees in place of their bank's 3-D Secure page, and the page that
// hands back to the checkout afterwards. It looks like a bank's, and says all the time that it is none.
import { html } from '../../pages/html.ts';
import type { Html } from '../../pages/html.ts';
import { catalogueOf, formatAmount } from '../languages/language.ts';
import type { ChallengeView, Frame } from '../view.ts';
import { renderDocument } from './document.ts';
import { BANK_ICON, DONE_ICON } from './icons.ts';
import { messagePage } from './outcome.ts';

/** 492500******0004 as •••• 0004: the rest helps nobody. */
const shortMask = (maskedPan: string): string => `•••• ${maskedPan.slice(-4)}`;

export function renderChallenge(view: ChallengeView): string {
  const { bank } = catalogueOf(view.language);
  const row = (term: string, value: string): Html =>
    html`<div>
      <dt>${term}</dt>
      <dd>${value}</dd>
    </div>`;
  const main = html`<main id="main" class="bank">
    <p class="bank-name">${BANK_ICON}${bank.name}</p>
    <p class="ribbon">${bank.simulated}</p>
    <h1>${bank.title}</h1>
    <p>${bank.text}</p>
    <dl class="receipt">
      ${row(bank.shop, view.shopName)}${row(bank.amount, formatAmount(view.amount, view.currency, view.language))}
      ${row(bank.card, shortMask(view.maskedPan))}
    </dl>
    <form method="post" action="${view.action}">
      <button name="outcome" value="approve">${bank.approve}</button>
      <button name="outcome" value="reject" class="quiet-button">${bank.reject}</button>
      <button name="outcome" value="leave" class="link-button">${bank.leave}</button>
    </form>
  </main>`;
  return renderDocument(view, { title: bank.title, data: { state: 'challenge' }, main });
}

/** When the checkout is around this page, its script tells it; otherwise there is a link. */
export function renderChallengeFinished(frame: Frame, to: string): string {
  const { bank } = catalogueOf(frame.language);
  const onward = html`<a class="button" href="${to}">${bank.goOn}</a>`;
  return renderDocument(frame, {
    title: bank.finished.title,
    data: { state: 'challenge-finished' },
    main: html`<main id="main">${messagePage('good', DONE_ICON, bank.finished, onward)}</main>`,
    script: frame.assets.js,
  });
}
