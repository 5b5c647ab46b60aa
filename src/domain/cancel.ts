// Decides a cancel: releases the reserved amount that is not charged, in full or in part.
import { itemsOfMove, refuseItemsNotLeft, requireReservation } from './charge.ts';
import type { MoveCommand, Rules } from './charge.ts';
import { newMovement, refuse, withMovement } from './decision.ts';
import { refuseIfFull } from './size.ts';
import type { Change, Refused } from './decision.ts';
import { chargeableUntil, leftOfReservation } from './payment.ts';
import type { Payment } from './payment.ts';

export function cancel(
  payment: Payment,
  command: MoveCommand,
  at: number,
  rules: Rules,
): { readonly change: Change } | Refused {
  const reservation = requireReservation(payment, at, rules.lifetimes);
  if ('refusal' in reservation) return reservation;
  const { totals } = payment;
  if (totals.reserved === 0) return refuse({ name: 'reservation_holds_no_money' });
  const left = leftOfReservation(payment);
  if (left === 0 && totals.cancelled + totals.cancelling === totals.reserved)
    return refuse({ name: 'reservation_is_fully_cancelled' });
  if (left === 0) return refuse({ name: 'reservation_is_fully_charged' });
  const expiresAt = chargeableUntil(reservation, rules.lifetimes);
  if (at >= expiresAt) return refuse({ name: 'reservation_has_expired', at: expiresAt });
  if (command.amount > left) return refuse({ name: 'cancel_exceeds_what_is_left', amount: command.amount, left });
  const notLeft = rules.strictItems ? refuseItemsNotLeft(payment, command) : undefined;
  const refused = notLeft ?? refuseIfFull(payment, command.items);
  if (refused) return refused;

  const parts = {
    id: command.movementId,
    kind: 'cancel',
    amount: command.amount,
    items: itemsOfMove(command, payment.order.amount),
    acquirer: reservation.acquirer,
    ...(command.details && { details: command.details }),
  } as const;
  const movement = newMovement(payment, parts, at);
  const cancelling = { ...totals, cancelling: totals.cancelling + command.amount };
  return {
    change: { payment: withMovement({ ...payment, totals: cancelling }, movement), moved: [movement], events: [] },
  };
}
