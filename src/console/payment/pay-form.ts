// Paying as the consumer, in the sandbox: the test cards with what each comes to, and the question of the bank where a card
// leads to one.
import { testCards, brandOfTestCard } from '../../acquirers/test-cards.ts';
import type { TestCard } from '../../acquirers/test-cards.ts';
import { isInApp, offeredApps } from '../../domain/offered-methods.ts';
import type { Challenge, Payment } from '../../domain/payment.ts';
import { html } from '../../pages/html.ts';
import type { Html } from '../../pages/html.ts';
import type { Language } from '../../pages/language.ts';
import { isStillAsked } from '../../payments/pay.ts';
import { consoleTexts, fill } from '../texts.ts';

/** The question that a bank has for the consumer of the payment, as long as it can be answered. */
const openChallengeOf = (payment: Payment, at: number): Challenge | undefined =>
  payment.challenge && isStillAsked(payment, payment.challenge, at) ? payment.challenge : undefined;

function describe({ number, source, challenge }: TestCard, language: Language): string {
  const texts = consoleTexts(language).sandbox;
  const outcome = challenge ? fill(texts.checked, { outcome: texts.cards[source] }) : texts.cards[source];
  return `${brandOfTestCard(number)} ${number.slice(-4)}: ${outcome}`;
}

function renderBank(path: string, { nonce, method }: Challenge, language: Language): Html {
  const texts = consoleTexts(language).sandbox;
  const { appText, appApprove, appReject, bankText, approve, reject } = texts;
  const [title, text, yes, no] = isInApp(method)
    ? [texts.app, appText, appApprove, appReject]
    : [texts.bank, bankText, approve, reject];
  return html`<section class="panel" aria-labelledby="bank">
    <h2 id="bank">${title}</h2>
    <p>${text}</p>
    <form class="toolbar" method="post" action="${path}/pay/bank">
      <input type="hidden" name="challenge" value="${nonce}" />
      <button class="primary" name="answer" value="passed">${yes}</button>
      <button name="answer" value="failed">${no}</button>
    </form>
  </section>`;
}

export function renderPay(path: string, payment: Payment, at: number, language: Language): Html {
  const texts = consoleTexts(language).sandbox;
  const challenge = openChallengeOf(payment, at);
  return html`${challenge && renderBank(path, challenge, language)}
    <form class="panel pay-form" method="post" action="${path}/pay">
      <div class="field">
        <label for="card">${texts.pay}</label>
        <select id="card" name="card">
          ${testCards.map((card) => html`<option value="${card.number}">${describe(card, language)}</option>`)}
          ${offeredApps(payment).map((app) => html`<option value="${app}">${app}</option>`)}
          <option value="invoice">${texts.invoice}</option>
        </select>
      </div>
      <button>${texts.payButton}</button>
    </form>`;
}
