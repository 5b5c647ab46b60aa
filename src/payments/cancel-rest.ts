// The cancel of the rest: a charge that the shop called final gives back what it leaves of the reservation. It is begun by
// the change that approves the charge, so no crash comes between the two. A charge that was under way beside it and is
// declined later leaves a rest as well, which is given back then.
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

/** The pending cancel of what is left after a final charge; undefined where there is none, or where nothing can be done. */
export function cancelRest(
  { lifetimes }: Payments,
  payment: Payment,
  at: number,
): { readonly change: Change; readonly movementId: string } | undefined {
  const amount = leftOfReservation(payment);
  if (amount === 0 || !isFinallyCharged(payment)) return undefined;
  const movementId = newId(at, partOf(payment.id));
  // It names no items, so there are none to be strict about. A reservation that has expired has no rest.
  const { change } = cancel(payment, { movementId, amount, items: [] }, at, { lifetimes, strictItems: false });
  return change && { change, movementId };
}
