// Decides a termination: a payment that was never reserved is closed for good. Doing it again changes nothing.
import { altered, refuse } from './decision.ts';
import type { Decision } from './decision.ts';
import { reservationOf } from './payment.ts';
import type { Payment } from './payment.ts';

export function terminate(payment: Payment, at: number): Decision | undefined {
  if (payment.terminatedAt !== undefined) return undefined;
  const reservation = reservationOf(payment);
  if (reservation?.state === 'pending') return refuse({ name: 'reservation_is_pending' });
  if (reservation !== undefined) return refuse({ name: 'payment_is_already_reserved' });
  return { change: altered({ ...payment, terminatedAt: at }) };
}
