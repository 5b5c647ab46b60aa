// The immediate charge: if the shop requests it in the checkout, the whole order is charged as soon as it is reserved.
// It is decided here for every acquirer, whether its outcome is part of the same commit or comes later.
import { charge } from '../domain/charge.ts';
import { joinChanges } from '../domain/decision.ts';
import type { Change, Decision, Refused } from '../domain/decision.ts';
import { partOf } from '../domain/id.ts';
import { reservationOf } from '../domain/payment.ts';
import type { Payment } from '../domain/payment.ts';
import { newId } from './ids.ts';
import { settleIfLocal } from './service.ts';
import type { Payments } from './service.ts';

export type ChargeAtOnce = { readonly decision: { readonly change: Change } | Refused; readonly movementId: string };

/** The pending charge of a payment whose reservation is approved; undefined if the shop did not request one. */
export function chargeAtOnce({ lifetimes }: Payments, payment: Payment, at: number): ChargeAtOnce | undefined {
  // An order of 0 registers a card: there is nothing to charge.
  if (payment.checkout.charge !== true || payment.order.amount === 0) return undefined;
  const movementId = newId(at, partOf(payment.id));
  const whole = { movementId, amount: payment.order.amount, items: [] };
  // It names no items, so strict checks do not apply.
  return { decision: charge(payment, whole, at, { lifetimes, strictItems: false }), movementId };
}

/**
 * Adds the immediate charge if the reservation is approved; a reservation that is still to be executed adds it later.
 */
export function withChargeAtOnce(payments: Payments, reserved: Decision, at: number): Decision {
  const { change, refusal } = reserved;
  if (change === undefined || refusal || reservationOf(change.payment)?.state !== 'approved') return reserved;
  const charging = chargeAtOnce(payments, change.payment, at);
  if (charging === undefined) return reserved;
  const { change: charged } = charging.decision;
  if (charged === undefined) throw new Error(`a new reservation of ${change.payment.id} could not be charged`);
  // If this charge is declined, the reservation stays, and there is an event.
  const settled = settleIfLocal(charged, charging.movementId, at);
  return { change: joinChanges(change, settled.change ?? charged) };
}
