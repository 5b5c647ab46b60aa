// Decides an update of the cart: other items and amount, as long as nothing is reserved.
import { altered } from './decision.ts';
import type { Decision } from './decision.ts';
import type { OrderItem } from './item.ts';
import type { Lifetimes, Payment } from './payment.ts';
import { refuseUnlessOpen } from './reserve.ts';
import { refuseIfOrderTooLarge } from './size.ts';

export type UpdateCartCommand = {
  readonly amount: number;
  readonly items: readonly OrderItem[];
  readonly shippingCostSpecified?: boolean;
};

export function updateCart(payment: Payment, command: UpdateCartCommand, at: number, lifetimes: Lifetimes): Decision {
  const refused = refuseUnlessOpen(payment, at, lifetimes);
  if (refused) return refused;
  const { amount, items, shippingCostSpecified } = command;
  const order = { ...payment.order, amount, items };
  const checkout =
    shippingCostSpecified === undefined ? payment.checkout : { ...payment.checkout, shippingCostSpecified };
  const updated = { ...payment, order, checkout };
  return refuseIfOrderTooLarge(updated) ?? { change: altered(updated) };
}
