// Decides a charge of the reserved amount, in full or in part. The amount is set aside until the acquirer's outcome is
// known.
import { newMovement, refuse, withMovement } from './decision.ts';
import { refuseIfFull } from './size.ts';
import type { Change, Refused } from './decision.ts';
import { invoiceNumberOf } from './invoice.ts';
import { findItemExcess } from './item.ts';
import { chargeableUntil, leftOfReservation, reservationOf } from './payment.ts';
import { refuseUnlessOpen } from './reserve.ts';
import type { OrderItem } from './item.ts';
import type { Movement, MovementDetails } from './movement.ts';
import type { Lifetimes, Payment } from './payment.ts';

export type MoveCommand = {
  readonly movementId: string;
  readonly amount: number;
  /** Empty when the request named none. */
  readonly items: readonly OrderItem[];
  readonly details?: MovementDetails;
};

export type Rules = { readonly lifetimes: Lifetimes; readonly strictItems: boolean };

/** The items a charge or a cancel is kept with: its own, none, or null: all there are, for the whole amount. */
export const itemsOfMove = (command: MoveCommand, whole: number): readonly OrderItem[] | null =>
  command.items.length === 0 && command.amount === whole ? null : command.items;

/** The first item of a charge or cancel that the order does not have any more, under the merchant's strict rule. */
export function refuseItemsNotLeft(payment: Payment, command: MoveCommand): Refused | undefined {
  const used = payment.movements
    .filter(({ kind, state }) => (kind === 'charge' || kind === 'cancel') && state !== 'declined')
    .flatMap((movement) => movement.items ?? []);
  const excess = findItemExcess(command.items, payment.order.items, used);
  return excess && refuse({ name: 'item_is_not_left', excess, of: 'order' });
}

/** The approved reservation, or why there is none: a payment that has ended cannot get one. */
export function requireReservation(payment: Payment, at: number, lifetimes: Lifetimes): Movement | Refused {
  const reservation = reservationOf(payment);
  if (reservation === undefined)
    return refuseUnlessOpen(payment, at, lifetimes) ?? refuse({ name: 'payment_was_never_reserved' });
  if (reservation.state === 'pending') return refuse({ name: 'reservation_is_pending' });
  return reservation;
}

export function charge(
  payment: Payment,
  command: MoveCommand,
  at: number,
  rules: Rules,
): { readonly change: Change } | Refused {
  const reservation = requireReservation(payment, at, rules.lifetimes);
  if ('refusal' in reservation) return reservation;
  const left = leftOfReservation(payment);
  if (command.amount > left) return refuse({ name: 'charge_exceeds_what_is_left', amount: command.amount, left });
  const expiresAt = chargeableUntil(reservation, rules.lifetimes);
  if (at >= expiresAt) return refuse({ name: 'reservation_has_expired', at: expiresAt });
  const notLeft = rules.strictItems ? refuseItemsNotLeft(payment, command) : undefined;
  // The remainder of a final charge is cancelled by a separate movement.
  const leavesRest = command.details?.finalCharge === true && command.amount < left;
  const refused = notLeft ?? refuseIfFull(payment, command.items, { movements: leavesRest ? 2 : 1 });
  if (refused) return refused;

  const parts = {
    id: command.movementId,
    kind: 'charge',
    amount: command.amount,
    items: itemsOfMove(command, payment.order.amount),
    acquirer: reservation.acquirer,
    invoiceNumber: invoiceNumberOf(command.movementId),
    ...(command.details && { details: command.details }),
  } as const;
  const movement = newMovement(payment, parts, at);
  const totals = { ...payment.totals, charging: payment.totals.charging + command.amount };
  return {
    change: { payment: withMovement({ ...payment, totals }, movement), moved: [movement], events: [] },
  };
}
