// What every operation on payments needs: the store, the acquirers, and the time limits.
import { isLeftOpen, simulator } from '../acquirers/simulator.ts';
import type { AcquirerRequest } from '../acquirers/acquirer.ts';
import type { Rules } from '../domain/charge.ts';
import { joinChanges } from '../domain/decision.ts';
import type { Change, Decision } from '../domain/decision.ts';
import type { Merchant } from '../domain/merchant.ts';
import type { Movement } from '../domain/movement.ts';
import { reservationOf } from '../domain/payment.ts';
import type { Lifetimes, Payment } from '../domain/payment.ts';
import { agreementOf } from '../domain/subscription.ts';
import { settle } from '../domain/settle.ts';
import type { Store } from '../store/store.ts';
import { isLocal } from './acquirers.ts';
import type { Acquirers } from './acquirers.ts';

export type Payments = { readonly store: Store; readonly lifetimes: Lifetimes; readonly acquirers: Acquirers };

export const rulesOf = (payments: Payments, merchant: Merchant): Rules => ({
  lifetimes: payments.lifetimes,
  strictItems: merchant.strictItems,
});

/** Whether the card is being stored, or was stored before; charges of a stored card say so as well. */
function credentialOf(payment: Payment, { kind }: Movement): AcquirerRequest['credential'] {
  const agreement = agreementOf(payment);
  if (agreement?.role === 'renewal') return kind === 'reservation' || kind === 'charge' ? agreement.kind : undefined;
  return agreement && kind === 'reservation' ? 'store' : undefined;
}

/** The request to the acquirer of a movement. */
export function requestOf(payment: Payment, movement: Movement): AcquirerRequest {
  const reservation = reservationOf(payment);
  if (reservation?.source === undefined) throw new Error(`movement ${movement.id} has no source`);
  const credential = credentialOf(payment, movement);
  return {
    movementId: movement.id,
    kind: movement.kind,
    amount: movement.amount,
    currency: payment.order.currency,
    source: reservation.source,
    reservationId: reservation.id,
    ...(movement.chargeId !== undefined && { chargeId: movement.chargeId }),
    ...(credential && { credential }),
  };
}

/**
 * Sends the pending movement of a change to a local acquirer, and settles it in the same change. A remote acquirer is
 * called after the commit: until then the movement stays pending.
 */
export function settleIfLocal(change: Change, movementId: string, at: number): Decision {
  const movement = change.payment.movements.find(({ id }) => id === movementId);
  if (movement === undefined) throw new Error(`there is no movement ${movementId}`);
  if (!isLocal(movement.acquirer)) return { change };
  const request = requestOf(change.payment, movement);
  if (isLeftOpen(request)) return { change };
  const outcome = simulator.decide(request);
  const settled = settle(change.payment, movementId, outcome, at);
  if (settled.change === undefined) return settled;
  return { ...settled, change: joinChanges(change, settled.change) };
}
