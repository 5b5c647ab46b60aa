// What every operation on payments needs: the store, the acquirer of a merchant, and the rules of time.
import type { LocalAcquirer } from '../acquirers/acquirer.ts';
import { simulator } from '../acquirers/simulator.ts';
import type { Rules } from '../domain/charge.ts';
import { joinChanges } from '../domain/decision.ts';
import type { Change, Decision } from '../domain/decision.ts';
import type { Merchant } from '../domain/merchant.ts';
import { reservationOf } from '../domain/payment.ts';
import type { Lifetimes } from '../domain/payment.ts';
import { settle } from '../domain/settle.ts';
import type { Store } from '../store/store.ts';

export type Payments = { readonly store: Store; readonly lifetimes: Lifetimes };

export const rulesOf = (payments: Payments, merchant: Merchant): Rules => ({
  lifetimes: payments.lifetimes,
  strictItems: merchant.strictItems,
});

/** The acquirer by the name that a movement was made with. */
function acquirerNamed(name: string): LocalAcquirer {
  if (name !== simulator.name) throw new Error(`there is no acquirer called ${name}`);
  return simulator;
}

/** Asks a local acquirer about the movement that a change left pending, and settles it within the same change. */
export function settleLocally(change: Change, movementId: string, at: number): Decision {
  const movement = change.payment.movements.find(({ id }) => id === movementId);
  const source = reservationOf(change.payment)?.source;
  if (movement === undefined || source === undefined) throw new Error(`movement ${movementId} has no source`);
  const { kind, amount, acquirer } = movement;
  const { currency } = change.payment.order;
  const outcome = acquirerNamed(acquirer).decide({ movementId, kind, amount, currency, source });
  const settled = settle(change.payment, movementId, outcome, at);
  if (settled.change === undefined) return settled;
  return { ...settled, change: joinChanges(change, settled.change) };
}
