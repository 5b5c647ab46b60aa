// The buttons of the merchant's view. Each makes one call of the API from the shop's backend; which ones are there
// follows from the state of the order. Some are there to be refused, so that one sees how that looks.
import { html } from '../../pages/html.ts';
import type { Html } from '../../pages/html.ts';
import type { Action } from '../backend.ts';
import { showMoney } from '../catalogue.ts';
import { leftToCharge, leftToRefund } from '../order.ts';
import type { Order } from '../order.ts';
import { docsUrl } from './frame.ts';
import type { Place } from './frame.ts';

type Button = {
  readonly id: string;
  readonly action: Action['name'];
  readonly text: string;
  readonly amount?: number;
  readonly chargeId?: string;
  readonly kind: 'primary' | 'second' | 'quiet';
};

const button = ({ id, action, text, amount, chargeId, kind }: Button): Html =>
  html`<button
    class="${kind}"
    type="button"
    id="${id}"
    data-action="${action}"
    ${amount !== undefined && html` data-amount="${amount}"`}${
      chargeId !== undefined && html` data-charge="${chargeId}"`
    }
  >
    ${text}
  </button>`;

/** As a person types it: 24900 is 249.00. */
const typed = (amount: number): string => `${Math.trunc(amount / 100)}.${String(amount % 100).padStart(2, '0')}`;

const amountField = (id: string, amount: number, currency: string): Html =>
  html`<div class="amount-field">
    <label for="${id}">Amount in ${currency}</label>
    <input id="${id}" name="amount" inputmode="decimal" autocomplete="off" value="${typed(amount)}" required />
  </div>`;

const reference = (place: Place, operationId: string, text: string): Html =>
  html`<a class="reference" href="${docsUrl(place, operationId)}">${text}</a>`;

function chargePart(place: Place, order: Order): Html {
  const left = leftToCharge(order);
  const half = Math.max(1, Math.floor(left / 2));
  return html`<div class="action">
    <h3>Ship and charge ${reference(place, 'chargePayment', 'API: charge')}</h3>
    ${button({
      id: 'charge-all',
      action: 'charge',
      text: `Charge ${order.charged > 0 ? 'the rest' : 'all'}, ${showMoney(left, order.currency)}`,
      amount: left,
      kind: 'primary',
    })}
    <form data-action="charge">
      ${amountField('charge-amount', half, order.currency)}
      <button class="second" type="submit" id="charge-part">Charge a part</button>
    </form>
  </div>`;
}

const cancelPart = (place: Place, order: Order): Html =>
  html`<div class="action">
    <h3>Cannot deliver? ${reference(place, 'cancelPayment', 'API: cancel')}</h3>
    ${button({
      id: 'cancel-rest',
      action: 'cancel',
      text: `Cancel ${order.charged > 0 ? 'the rest' : 'all'}, ${showMoney(leftToCharge(order), order.currency)}`,
      amount: leftToCharge(order),
      kind: 'second',
    })}
  </div>`;

function refundPart(place: Place, order: Order): Html {
  const { charges, currency } = order;
  const latest = charges.at(-1);
  const most = Math.min(leftToRefund(order), latest?.amount ?? 0);
  const options = charges.map(
    ({ chargeId, amount }, index) =>
      html`<option value="${chargeId}" ${chargeId === latest?.chargeId && html` selected`}>
        Charge ${index + 1}, ${showMoney(amount, currency)}
      </option>`,
  );
  const choice = html`<div class="amount-field whole">
    <label for="refund-charge">Of</label>
    <select id="refund-charge" name="chargeId">
      ${options}
    </select>
  </div>`;
  const only = html`<input type="hidden" name="chargeId" value="${latest?.chargeId}" />`;
  return html`<div class="action">
    <h3>Came back? ${reference(place, 'refundCharge', 'API: refund')}</h3>
    <form data-action="refund">
      ${charges.length > 1 ? choice : only} ${amountField('refund-amount', most, currency)}
      <button class="second" type="submit" id="refund">Refund</button>
    </form>
  </div>`;
}

const unpaidPart = (place: Place, { checkoutUrl, paymentId }: Order): Html => {
  const isHosted = checkoutUrl?.includes('/hostedpaymentpage/') ?? false;
  const address = isHosted ? checkoutUrl : `${place.root}/demo/checkout/${paymentId}`;
  return html`<div class="action">
      <h3>Waiting for the consumer</h3>
      <a class="primary" href="${address}">Continue to the checkout</a>
    </div>
    <div class="action">
      <h3>Given up? ${reference(place, 'terminatePayment', 'API: terminate')}</h3>
      ${button({ id: 'terminate', action: 'terminate', text: 'Terminate it', kind: 'second' })}
    </div>`;
};

function refusals({ state, amount, charges, charged }: Order): Html {
  const tries: (Button | false | undefined)[] = [
    state === 'unpaid' && {
      id: 'charge-unpaid',
      action: 'charge',
      text: 'Charge before it is paid',
      amount,
      kind: 'quiet',
    },
    charged > 0 && { id: 'charge-again', action: 'charge', text: 'Charge all of it again', amount, kind: 'quiet' },
    charges[0] && {
      id: 'refund-too-much',
      action: 'refund',
      text: 'Refund more than was charged',
      amount: amount + 100,
      chargeId: charges[0].chargeId,
      kind: 'quiet',
    },
    state === 'cancelled' && { id: 'charge-cancelled', action: 'charge', text: 'Charge it now', amount, kind: 'quiet' },
    state === 'terminated' && { id: 'charge-ended', action: 'charge', text: 'Charge it now', amount, kind: 'quiet' },
    state !== 'unpaid' &&
      state !== 'terminated' && { id: 'terminate-paid', action: 'terminate', text: 'Terminate it', kind: 'quiet' },
  ];
  return html`<div class="action refusals">
    <h3>See it refused</h3>
    <p>These make the real call as well. Kassa says no, and why.</p>
    <div class="row">${tries.map((one) => one && button(one))}</div>
  </div>`;
}

export function actionsOf(place: Place, order: Order): Html {
  const isOpen = leftToCharge(order) > 0;
  return html`<section class="actions panel" aria-labelledby="actions-title">
    <h2 id="actions-title">What the shop can do</h2>
    ${order.state === 'unpaid' && unpaidPart(place, order)} ${isOpen && chargePart(place, order)}
    ${leftToRefund(order) > 0 && refundPart(place, order)} ${isOpen && cancelPart(place, order)} ${refusals(order)}
  </section>`;
}
