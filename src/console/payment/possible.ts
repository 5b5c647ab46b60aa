// What can be done with a payment as it stands: which acts a person is offered, on its page and on the page of each act.
import { isCancelledRefund } from '../../domain/cancel-refund.ts';
import { leftOfCharge } from '../../domain/movement.ts';
import type { Movement } from '../../domain/movement.ts';
import { chargeableUntil, leftOfReservation, reservationOf } from '../../domain/payment.ts';
import type { Lifetimes, Payment } from '../../domain/payment.ts';
import { chargesOf } from '../../domain/refund.ts';
import { refuseUnlessOpen } from '../../domain/reserve.ts';

/** What is left of a reservation that can still be drawn on. */
export function drawable(payment: Payment, at: number, lifetimes: Lifetimes): number {
  const reservation = reservationOf(payment);
  if (reservation?.state !== 'approved' || at >= chargeableUntil(reservation, lifetimes)) return 0;
  return leftOfReservation(payment);
}

export const refundable = (payment: Payment): readonly Movement[] =>
  chargesOf(payment).filter((charge) => leftOfCharge(charge) > 0);

/** A reservation that was never made can be ended for good, also when its time is over. */
export const isTerminable = (payment: Payment): boolean =>
  payment.terminatedAt === undefined && reservationOf(payment) === undefined;

export const isPayable = (payment: Payment, at: number, lifetimes: Lifetimes): boolean =>
  refuseUnlessOpen(payment, at, lifetimes) === undefined;

export const isRefundCancellable = (movement: Movement): boolean =>
  movement.kind === 'refund' &&
  movement.state === 'pending' &&
  movement.details?.cancelAsked !== true &&
  !isCancelledRefund(movement);
