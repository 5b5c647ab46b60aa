// Decides a refund: gives back a part or all of one charge. Expiry does not matter here: what was charged can always
// be given back.
import { itemsOfMove } from './charge.ts';
import type { MoveCommand, Rules } from './charge.ts';
import { newMovement, refuse, withMovement } from './decision.ts';
import { refuseIfFull } from './size.ts';
import type { Change, Refused } from './decision.ts';
import { findItemExcess } from './item.ts';
import type { OrderItem } from './item.ts';
import { leftOfCharge } from './movement.ts';
import type { Movement } from './movement.ts';
import type { Payment } from './payment.ts';

/** The items a charge is for: those it named, or the order's when it is for the whole. */
export const itemsOfCharge = (payment: Payment, charge: Movement): readonly OrderItem[] =>
  charge.items ?? payment.order.items;

/** The items a refund gives back: those it named, or the charge's when it is for the whole of it. */
export function itemsOfRefund(payment: Payment, { items, chargeId }: Movement): readonly OrderItem[] {
  if (items !== null) return items;
  const charge = payment.movements.find(({ id }) => id === chargeId);
  return charge ? itemsOfCharge(payment, charge) : [];
}

export const chargesOf = (payment: Payment): readonly Movement[] =>
  payment.movements.filter(({ kind, state }) => kind === 'charge' && state === 'approved');

/** The charge of that id; one that the acquirer declined never was. */
export const findCharge = (payment: Payment, chargeId: string): Movement | undefined =>
  chargesOf(payment).find(({ id }) => id === chargeId);

/** The oldest charge that has the whole amount left, for a refund that names only its payment. */
export function chooseChargeToRefund(payment: Payment, amount: number): Movement | Refused {
  const charges = chargesOf(payment);
  const chosen = charges.find((charge) => leftOfCharge(charge) >= amount);
  if (chosen) return chosen;
  const left = charges.map((charge) => ({ chargeId: charge.id, left: leftOfCharge(charge) }));
  return refuse({ name: 'no_charge_has_that_much_left', amount, charges: left });
}

function refuseItemsNotLeftOfCharge(payment: Payment, charge: Movement, command: MoveCommand): Refused | undefined {
  const used = payment.movements
    .filter(({ kind, state, chargeId }) => kind === 'refund' && state !== 'declined' && chargeId === charge.id)
    .flatMap((movement) => movement.items ?? []);
  const excess = findItemExcess(command.items, itemsOfCharge(payment, charge), used);
  return excess && refuse({ name: 'item_is_not_left', excess, of: 'charge' });
}

export function refund(
  payment: Payment,
  charge: Movement,
  command: MoveCommand,
  at: number,
  rules: Rules,
): { readonly change: Change } | Refused {
  const left = leftOfCharge(charge);
  if (command.amount > left) return refuse({ name: 'refund_exceeds_what_is_left', amount: command.amount, left });
  const notLeft = rules.strictItems ? refuseItemsNotLeftOfCharge(payment, charge, command) : undefined;
  const refused = notLeft ?? refuseIfFull(payment, command.items);
  if (refused) return refused;

  const parts = {
    id: command.movementId,
    kind: 'refund',
    amount: command.amount,
    items: itemsOfMove(command, charge.amount),
    acquirer: charge.acquirer,
    chargeId: charge.id,
    ...(command.details && { details: command.details }),
  } as const;
  const movement = newMovement(payment, parts, at);
  const drained = { ...charge, refunding: charge.refunding + command.amount };
  const totals = { ...payment.totals, refunding: payment.totals.refunding + command.amount };
  return {
    change: {
      payment: withMovement(withMovement({ ...payment, totals }, drained), movement),
      moved: [drained, movement],
      events: [
        { name: 'payment.refund.initiated', at, movementId: movement.id },
        { name: 'payment.refund.initiated.v2', at, movementId: movement.id },
      ],
    },
  };
}
