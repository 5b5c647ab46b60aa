// Operations as they are sent to the bank, for its tests.
import { randomBytes } from 'node:crypto';
import type { Operation } from '../../src/bank/operation.ts';

export const newId = (): string => randomBytes(16).toString('hex');

/** An approved reservation of 10000, unless it is said otherwise. */
export function anOperation(changes: Partial<Operation> = {}): Operation {
  const id = changes.id ?? newId();
  return {
    id,
    kind: 'reservation',
    amount: 10_000,
    currency: 'SEK',
    source: 'sim_approved',
    reservationId: id,
    ...changes,
  };
}

export const aCharge = ({ id }: Operation, changes: Partial<Operation> = {}): Operation =>
  anOperation({ kind: 'charge', reservationId: id, ...changes });

export const aRefund = (charge: Operation, changes: Partial<Operation> = {}): Operation =>
  anOperation({ kind: 'refund', reservationId: charge.reservationId, chargeId: charge.id, ...changes });
