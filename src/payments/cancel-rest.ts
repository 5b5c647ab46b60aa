// Cancels the rest: after a charge that the shop marked as final, what it leaves of the reservation is released. The
// change that approves the charge begins the cancel, so a crash cannot separate them. A concurrent charge that is
// declined later leaves a rest as well, which is released then.
import { cancel } from '../domain/cancel.ts';
import type { Change } from '../domain/decision.ts';
import { partOf } from '../domain/id.ts';
import { leftOfReservation } from '../domain/payment.ts';
import type { Payment } from '../domain/payment.ts';
import { chargesOf } from '../domain/refund.ts';
import { newId } from './ids.ts';
import type { Payments } from './service.ts';

const isFinallyCharged = (payment: Payment): boolean =>
  chargesOf(payment).some(({ details }) => details?.finalCharge === true);

/** The pending cancel of the rest after a final charge; undefined if there is none, or nothing can be done. */
export function cancelRest(
  { lifetimes }: Payments,
  payment: Payment,
  at: number,
): { readonly change: Change; readonly movementId: string } | undefined {
  const amount = leftOfReservation(payment);
  if (amount === 0 || !isFinallyCharged(payment)) return undefined;
  const movementId = newId(at, partOf(payment.id));
  // It names no items, so strict checks do not apply. An expired reservation has no rest.
  const { change } = cancel(payment, { movementId, amount, items: [] }, at, { lifetimes, strictItems: false });
  return change && { change, movementId };
}
