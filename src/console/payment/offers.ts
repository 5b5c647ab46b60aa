// The actions offered on a payment's page, by role and state; and the result of the last action.
import { isUnknownConsumer } from '../../domain/consumer.ts';
import { leftOfCharge } from '../../domain/movement.ts';
import type { Movement } from '../../domain/movement.ts';
import type { Lifetimes, Payment, Challenge } from '../../domain/payment.ts';
import { html } from '../../pages/html.ts';
import type { Html } from '../../pages/html.ts';
import type { Language } from '../../pages/language.ts';
import { testCards, brandOfTestCard } from '../../acquirers/test-cards.ts';
import type { TestCard } from '../../acquirers/test-cards.ts';
import { isInApp, offeredApps } from '../../domain/offered-methods.ts';
import { isStillAsked } from '../../payments/pay.ts';
import { showMoney } from '../page/money.ts';
import type { Place } from '../page/frame.ts';
import { paymentPath } from '../page/frame.ts';
import { consoleTexts, fill, wordOf } from '../texts.ts';
import { may } from '../visitor.ts';
import { drawable, isPayable, isRefundCancellable, isTerminable, refundable } from './possible.ts';

export function renderActs(place: Place, payment: Payment, at: number, lifetimes: Lifetimes): Html | false {
  if (!may(place.member, 'move money')) return false;
  const path = paymentPath(place, payment.id);
  const { language } = place.member;
  const texts = consoleTexts(language).acts;
  const isDrawable = drawable(payment, at, lifetimes) > 0;
  const acts = [
    isDrawable && html`<a class="button primary" href="${path}/charge">${texts.verbs.charge}</a>`,
    refundable(payment).length > 0 && html`<a class="button" href="${path}/refund">${texts.verbs.refund}</a>`,
    isDrawable && html`<a class="button" href="${path}/cancel">${texts.verbs.cancel}</a>`,
    isTerminable(payment) && html`<a class="button danger" href="${path}/terminate">${texts.terminate}</a>`,
  ].filter((act) => act !== false);
  const isSandbox = !place.member.merchant.live && isPayable(payment, at, lifetimes);
  return html`${acts.length > 0 && html`<div class="toolbar acts" role="group" aria-label="${texts.acts}">${acts}</div>`}
  ${isSandbox && renderPay(path, payment, at, language)}`;
}

export function renderMovementAct(place: Place, payment: Payment, movement: Movement): Html | false {
  if (!may(place.member, 'move money')) return false;
  const path = paymentPath(place, payment.id);
  const texts = consoleTexts(place.member.language).acts;
  if (isRefundCancellable(movement))
    return html`<p><a href="${path}/refunds/${movement.id}/cancel">${texts.cancelThisRefund}</a></p>`;
  const isRefundable = movement.kind === 'charge' && movement.state === 'approved' && leftOfCharge(movement) > 0;
  return isRefundable && html`<p><a href="${path}/refund?charge=${movement.id}">${texts.refundCharge}</a></p>`;
}

export const renderConsumerActs = (place: Place, payment: Payment): Html | false =>
  may(place.member, 'administer') &&
  !isUnknownConsumer(payment.consumer) &&
  html`<p><a href="${paymentPath(place, payment.id)}/erase">${consoleTexts(place.member.language).acts.erase}</a></p>`;

/** Of the movement that an act has made, as it stands now. While it is pending, the page says so itself. */
export function renderDone({ movements, order }: Payment, movementId: unknown, language: Language): Html | false {
  const movement = movements.find(({ id }) => id === movementId);
  if (movement === undefined || movement.state === 'pending') return false;
  const amount = showMoney(movement.amount, order.currency, language);
  const { done, wasDeclined, declines } = consoleTexts(language).payment;
  const reason = wordOf(declines, movement.reason ?? '');
  return movement.state === 'approved'
    ? html`<p class="notice good" role="status">${fill(done[movement.kind], { amount })}.</p>`
    : html`<p class="notice bad" role="status">${fill(wasDeclined[movement.kind], { amount, reason })}</p>`;
}

// Paying as the consumer, in the sandbox: the test cards with what each comes to, and the question of the bank where a card
// leads to one.
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

function renderPay(path: string, payment: Payment, at: number, language: Language): Html {
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
