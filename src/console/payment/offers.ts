// What a person is offered on the page of a payment, by what their role allows and what the payment lets them do; and what
// came of the act that led there.
import { isUnknownConsumer } from '../../domain/consumer.ts';
import { showAmount } from '../../domain/currency.ts';
import { leftOfCharge } from '../../domain/movement.ts';
import type { Movement } from '../../domain/movement.ts';
import type { Lifetimes, Payment } from '../../domain/payment.ts';
import { html } from '../../pages/html.ts';
import type { Html } from '../../pages/html.ts';
import type { Place } from '../page/frame.ts';
import { may } from '../visitor.ts';
import { paymentPath } from './page.ts';
import { renderPay } from './pay-form.ts';
import { drawable, isPayable, isRefundCancellable, isTerminable, refundable } from './possible.ts';

export function renderActs(place: Place, payment: Payment, at: number, lifetimes: Lifetimes): Html | false {
  if (!may(place.member, 'move money')) return false;
  const path = paymentPath(place, payment.id);
  const isDrawable = drawable(payment, at, lifetimes) > 0;
  const acts = [
    isDrawable && html`<a class="button primary" href="${path}/charge">Charge</a>`,
    refundable(payment).length > 0 && html`<a class="button" href="${path}/refund">Refund</a>`,
    isDrawable && html`<a class="button" href="${path}/cancel">Cancel</a>`,
    isTerminable(payment) && html`<a class="button danger" href="${path}/terminate">Terminate</a>`,
  ].filter((act) => act !== false);
  const isSandbox = !place.member.merchant.live && isPayable(payment, at, lifetimes);
  return html`${acts.length > 0 && html`<div class="toolbar acts" role="group" aria-label="Acts">${acts}</div>`}
  ${isSandbox && renderPay(path, payment, at, place.member.language)}`;
}

export function renderMovementAct(place: Place, payment: Payment, movement: Movement): Html | false {
  if (!may(place.member, 'move money')) return false;
  const path = paymentPath(place, payment.id);
  if (isRefundCancellable(movement))
    return html`<p><a href="${path}/refunds/${movement.id}/cancel">Cancel this refund</a></p>`;
  const isRefundable = movement.kind === 'charge' && movement.state === 'approved' && leftOfCharge(movement) > 0;
  return isRefundable && html`<p><a href="${path}/refund?charge=${movement.id}">Refund of this charge</a></p>`;
}

export const renderConsumerActs = (place: Place, payment: Payment): Html | false =>
  may(place.member, 'administer') &&
  !isUnknownConsumer(payment.consumer) &&
  html`<p><a href="${paymentPath(place, payment.id)}/erase">Erase the consumer</a></p>`;

const DONE = { reservation: 'Reserved', charge: 'Charged', refund: 'Refunded', cancel: 'Cancelled' } as const;

/** Of the movement that an act has made, as it stands now. While it is pending, the page says so itself. */
export function renderDone({ movements, order }: Payment, movementId: unknown): Html | false {
  const movement = movements.find(({ id }) => id === movementId);
  if (movement === undefined || movement.state === 'pending') return false;
  const amount = showAmount(movement.amount, order.currency);
  return movement.state === 'approved'
    ? html`<p class="notice good" role="status">${DONE[movement.kind]} ${amount}.</p>`
    : html`<p class="notice bad" role="status">The ${movement.kind} of ${amount} was declined: ${movement.reason}.</p>`;
}
