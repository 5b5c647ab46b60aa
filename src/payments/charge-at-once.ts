// The charge at once: a shop that asks for it in the checkout has the whole order charged as soon as it is reserved. It is
// decided here for every acquirer, whether its outcome is part of the same commit or comes later.
import { charge } from '../domain/charge.ts';
import type { Change, Refused } from '../domain/decision.ts';
import { partOf } from '../domain/id.ts';
import type { Payment } from '../domain/payment.ts';
import { newId } from './ids.ts';
import type { Payments } from './service.ts';

export type ChargeAtOnce = { readonly decision: { readonly change: Change } | Refused; readonly movementId: string };

/** The pending charge of a payment whose reservation is approved; undefined where the shop did not ask for one. */
export function chargeAtOnce({ lifetimes }: Payments, payment: Payment, at: number): ChargeAtOnce | undefined {
  // An order of 0 registers a card: there is nothing to charge.
  if (payment.checkout.charge !== true || payment.order.amount === 0) return undefined;
  const movementId = newId(at, partOf(payment.id));
  const whole = { movementId, amount: payment.order.amount, items: [] };
  // It names no items, so there are none to be strict about.
  return { decision: charge(payment, whole, at, { lifetimes, strictItems: false }), movementId };
}
