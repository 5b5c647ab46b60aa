// Decides an update of the cart: other items and amount, as long as nothing is reserved.
import { altered } from './decision.ts';
import type { Decision } from './decision.ts';
import type { OrderItem } from './item.ts';
import { refuseFeeOutOfRange } from './fee.ts';
import type { Checkout, Lifetimes, Payment } from './payment.ts';
import { refuseUnlessOpen } from './reserve.ts';
import { refuseIfOrderTooLarge } from './size.ts';

export type UpdateCartCommand = {
  readonly amount: number;
  readonly items: readonly OrderItem[];
  readonly shippingCostSpecified?: boolean;
  /** Absent keeps those there are, none removes them. */
  readonly fees?: NonNullable<Checkout['fees']>;
};

export function updateCart(payment: Payment, command: UpdateCartCommand, at: number, lifetimes: Lifetimes): Decision {
  const refused = refuseUnlessOpen(payment, at, lifetimes);
  if (refused) return refused;
  const { amount, items, shippingCostSpecified, fees } = command;
  const order = { ...payment.order, amount, items };
  const isOrderAlone = shippingCostSpecified === undefined && fees === undefined;
  const checkout = isOrderAlone
    ? payment.checkout
    : {
        ...payment.checkout,
        ...(shippingCostSpecified !== undefined && { shippingCostSpecified }),
        ...(fees !== undefined && { fees }),
      };
  const updated = { ...payment, order, checkout };
  return refuseIfOrderTooLarge(updated) ?? refuseFeeOutOfRange(updated) ?? { change: altered(updated) };
}
