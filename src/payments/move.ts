// Charges, refunds and cancels: each decides on the payment, asks the acquirer, and returns its movement.
import { cancel } from '../domain/cancel.ts';
import { charge } from '../domain/charge.ts';
import type { MoveCommand } from '../domain/charge.ts';
import { joinChanges } from '../domain/decision.ts';
import type { Change, Decision, Refused } from '../domain/decision.ts';
import { partOf } from '../domain/id.ts';
import type { OrderItem } from '../domain/item.ts';
import type { Merchant } from '../domain/merchant.ts';
import type { MovementDetails } from '../domain/movement.ts';
import type { Payment } from '../domain/payment.ts';
import { chooseChargeToRefund, findCharge, refund } from '../domain/refund.ts';
import { newId } from './ids.ts';
import { cancelRest } from './cancel-rest.ts';
import { decideOnReserved } from './reserve.ts';
import { rulesOf, settleIfLocal } from './service.ts';
import type { Payments } from './service.ts';

export type MoveRequest = {
  readonly amount: number;
  readonly items: readonly OrderItem[];
  readonly details?: MovementDetails;
};
export type Moved = { readonly decision: Decision; readonly result: string };

function commandOf(payment: Payment, request: MoveRequest, at: number): MoveCommand {
  return { movementId: newId(at, partOf(payment.id)), ...request };
}

function settled(decision: { readonly change: Change } | Refused, movementId: string, at: number): Decision {
  return decision.change === undefined ? decision : settleIfLocal(decision.change, movementId, at);
}

/**
 * After a final charge the rest is released in the same change; at a remote acquirer, once that has approved the
 * charge.
 */
function withRestCancelled(payments: Payments, decision: Decision, at: number): Decision {
  const isUnderWay = decision.change?.moved.some(({ state }) => state === 'pending') ?? true;
  const rest = decision.change && !isUnderWay && cancelRest(payments, decision.change.payment, at);
  if (!rest || !decision.change) return decision;
  const { change } = settleIfLocal(rest.change, rest.movementId, at);
  return { ...decision, change: joinChanges(decision.change, change ?? rest.change) };
}

export function chargePayment(payments: Payments, merchant: Merchant, request: MoveRequest) {
  return (payment: Payment, at: number): Moved => {
    const command = commandOf(payment, request, at);
    const decision = decideOnReserved(payments, merchant, payment, at, (reserved) =>
      withRestCancelled(
        payments,
        settled(charge(reserved, command, at, rulesOf(payments, merchant)), command.movementId, at),
        at,
      ),
    );
    return { decision, result: command.movementId };
  };
}

export function cancelPayment(payments: Payments, merchant: Merchant, request: MoveRequest) {
  return (payment: Payment, at: number): Moved => {
    const command = commandOf(payment, request, at);
    const decision = decideOnReserved(payments, merchant, payment, at, (reserved) =>
      settled(cancel(reserved, command, at, rulesOf(payments, merchant)), command.movementId, at),
    );
    return { decision, result: command.movementId };
  };
}

/** Refunds the charge with that id; without one, the oldest charge that has the whole amount left. */
export function refundCharge(payments: Payments, merchant: Merchant, request: MoveRequest, chargeId?: string) {
  return (payment: Payment, at: number): Moved | undefined => {
    const command = commandOf(payment, request, at);
    const chosen =
      chargeId === undefined ? chooseChargeToRefund(payment, request.amount) : findCharge(payment, chargeId);
    if (chosen === undefined) return undefined;
    if ('refusal' in chosen) return { decision: chosen, result: '' };
    const decision = refund(payment, chosen, command, at, rulesOf(payments, merchant));
    return { decision: settled(decision, command.movementId, at), result: command.movementId };
  };
}
