// Where a payment stands, in the few words that people look for first.
import { timeOf } from '../../domain/id.ts';
import { leftOfReservation, reservationOf } from '../../domain/payment.ts';
import type { Lifetimes, Payment } from '../../domain/payment.ts';
import type { Badge } from './badge.ts';

const badge = (text: string, tone: Badge['tone'] = 'neutral'): Badge => ({ text, tone });

/** When what is reserved can no longer be charged. */
export function reservationEndsAt(payment: Payment, { reservationMs }: Lifetimes): number | undefined {
  const reservation = reservationOf(payment);
  return reservation && timeOf(reservation.id) + reservationMs;
}

function beforeReservation(payment: Payment, at: number, { paymentMs }: Lifetimes): Badge[] {
  if (payment.terminatedAt !== undefined) return [badge('Terminated')];
  const tries = payment.movements.length > 0 ? [badge('Declined', 'bad')] : [];
  return at >= timeOf(payment.id) + paymentMs ? [badge('Expired'), ...tries] : [badge('Not paid'), ...tries];
}

function ofReserved(payment: Payment, at: number, lifetimes: Lifetimes): Badge[] {
  const { reserved, charged, refunded, cancelled } = payment.totals;
  const left = leftOfReservation(payment);
  const isOver = left > 0 && at >= (reservationEndsAt(payment, lifetimes) ?? Infinity);
  if (reserved === 0) return [badge('Card saved', 'good')];
  return [
    charged === 0 && cancelled === 0 && !isOver && badge('Reserved', 'good'),
    isOver && badge('Reservation expired'),
    charged > 0 && badge(charged === reserved ? 'Charged' : 'Partly charged', 'good'),
    cancelled > 0 && badge(cancelled === reserved ? 'Cancelled' : 'Partly cancelled'),
    refunded > 0 && badge(refunded === charged ? 'Refunded' : 'Partly refunded'),
  ].filter((each) => each !== false);
}

export function badgesOf(payment: Payment, at: number, lifetimes: Lifetimes): Badge[] {
  const reservation = reservationOf(payment);
  const isPending = payment.movements.some(({ state }) => state === 'pending');
  const standing =
    reservation === undefined
      ? beforeReservation(payment, at, lifetimes)
      : reservation.state === 'approved'
        ? ofReserved(payment, at, lifetimes)
        : [];
  return isPending ? [...standing, badge('Pending', 'wait')] : standing;
}
