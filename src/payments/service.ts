// What every operation on payments needs: the store, the acquirers, and the rules of time.
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

/** Whether the source is stored for later, or is one that was: what draws on it says so as well. */
function credentialOf(payment: Payment, { kind }: Movement): AcquirerRequest['credential'] {
  const agreement = agreementOf(payment);
  if (agreement?.role === 'renewal') return kind === 'reservation' || kind === 'charge' ? agreement.kind : undefined;
  return agreement && kind === 'reservation' ? 'store' : undefined;
}

/** What the acquirer of a movement is asked for. */
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
 * Asks a local acquirer about the movement that a change left pending, and settles it within the same change. One of
 * another machine is asked after the change is committed: until then it stays pending.
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
