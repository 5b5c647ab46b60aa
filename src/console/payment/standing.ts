// Where a payment stands, in the few words that people look for first.
import { timeOf } from '../../domain/id.ts';
import { leftOfReservation, reservationOf } from '../../domain/payment.ts';
import type { Lifetimes, Payment } from '../../domain/payment.ts';
import type { Language } from '../../pages/language.ts';
import { STANDING_TONES } from '../list/payment-text.ts';
import type { ConsoleTexts } from '../texts.ts';
import { consoleTexts } from '../texts.ts';
import type { Badge } from './badge.ts';

type Standings = ConsoleTexts['payment']['standings'];

const badge = (text: string, tone: Badge['tone'] = 'neutral'): Badge => ({ text, tone });

/** When what is reserved can no longer be charged. */
export function reservationEndsAt(payment: Payment, { reservationMs }: Lifetimes): number | undefined {
  const reservation = reservationOf(payment);
  return reservation && timeOf(reservation.id) + reservationMs;
}

function beforeReservation(payment: Payment, at: number, { paymentMs }: Lifetimes, texts: Standings): Badge[] {
  if (payment.terminatedAt !== undefined) return [badge(texts.terminated)];
  const tries = payment.movements.length > 0 ? [badge(texts.declined, 'bad')] : [];
  return at >= timeOf(payment.id) + paymentMs ? [badge(texts.expired), ...tries] : [badge(texts.created), ...tries];
}

function ofReserved(payment: Payment, at: number, lifetimes: Lifetimes, texts: Standings): Badge[] {
  const { reserved, charged, refunded, cancelled } = payment.totals;
  const left = leftOfReservation(payment);
  const isOver = left > 0 && at >= (reservationEndsAt(payment, lifetimes) ?? Infinity);
  if (reserved === 0) return [badge(texts['card saved'], 'good')];
  return [
    charged === 0 && cancelled === 0 && !isOver && badge(texts.reserved, STANDING_TONES.reserved),
    isOver && badge(texts.reservationExpired),
    charged > 0 && badge(charged === reserved ? texts.charged : texts['partly charged'], 'good'),
    cancelled > 0 && badge(cancelled === reserved ? texts.cancelled : texts.partlyCancelled),
    refunded > 0 && badge(refunded === charged ? texts.refunded : texts['partly refunded']),
  ].filter((each) => each !== false);
}

export function badgesOf(payment: Payment, at: number, lifetimes: Lifetimes, language: Language): Badge[] {
  const { standings } = consoleTexts(language).payment;
  const reservation = reservationOf(payment);
  const isPending = payment.movements.some(({ state }) => state === 'pending');
  const standing =
    reservation === undefined
      ? beforeReservation(payment, at, lifetimes, standings)
      : reservation.state === 'approved'
        ? ofReserved(payment, at, lifetimes, standings)
        : [];
  return isPending ? [...standing, badge(standings.pending, 'wait')] : standing;
}
