// Operations as they are sent to the bank, for its tests.
import { randomBytes } from 'node:crypto';
import type { Operation } from '../../src/bank/operation.ts';

export type Sent = Operation & { readonly notAfter: number };

export const newId = (): string => randomBytes(16).toString('hex');

const IN_TIME_MS = 60_000;

/** An approved reservation of 10000, unless it is said otherwise. */
export function anOperation(changes: Partial<Sent> = {}): Sent {
  const id = changes.id ?? newId();
  return {
    id,
    kind: 'reservation',
    amount: 10_000,
    currency: 'SEK',
    source: 'sim_approved',
    reservationId: id,
    notAfter: Date.now() + IN_TIME_MS,
    ...changes,
  };
}

export const aCharge = ({ id }: Sent, changes: Partial<Sent> = {}): Sent =>
  anOperation({ kind: 'charge', reservationId: id, ...changes });

export const aRefund = (charge: Sent, changes: Partial<Sent> = {}): Sent =>
  anOperation({ kind: 'refund', reservationId: charge.reservationId, chargeId: charge.id, ...changes });
