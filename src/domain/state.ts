// The state of a payment: what has become of it, in one word. A function of the payment and of the time, and nowhere
// stored: most of it follows from the totals, the rest from the reservation and from how old both are. What has to be a
// condition of the database says the same in SQL (src/store/statements/payment-state.ts);
// test/store/payment-state.test.ts compares the two.
import type { Movement } from './movement.ts';
import { payableUntil, chargeableUntil, reservationOf } from './payment.ts';
import type { Lifetimes, Payment, Totals } from './payment.ts';

type Operation = 'pay' | 'update the cart' | 'terminate' | 'charge' | 'cancel' | 'refund';
type Meaning = { readonly means: string; readonly next: readonly Operation[] };

/** Every state, with what can be done with payments in it, unless a test merchant reserves on demand. */
export const PAYMENT_STATES = {
  created: { means: 'The consumer has not paid yet and can still pay.', next: ['pay', 'update the cart', 'terminate'] },
  pending: {
    means: 'An acquirer has not answered yet. What is not pending can still be moved.',
    next: ['charge', 'cancel', 'refund'],
  },
  reserved: {
    means: 'The consumer has paid: the amount is held, and nothing is charged yet.',
    next: ['charge', 'cancel'],
  },
  'partly charged': {
    means: 'A part is charged. The rest is neither charged nor cancelled.',
    next: ['charge', 'cancel', 'refund'],
  },
  charged: { means: 'Charged, apart from what was cancelled.', next: ['refund'] },
  'partly refunded': {
    means: 'A part of what was charged is refunded. Some of the reservation may be left to charge.',
    next: ['charge', 'cancel', 'refund'],
  },
  refunded: {
    means: 'All that was charged is refunded. Some of the reservation may be left to charge.',
    next: ['charge', 'cancel'],
  },
  cancelled: { means: 'The whole reservation is cancelled.', next: [] },
  terminated: { means: 'Terminated before it was paid.', next: [] },
  expired: { means: 'The consumer did not pay in time.', next: ['terminate'] },
  'reservation expired': { means: 'The reservation ended before anything was charged.', next: [] },
  'card saved': { means: 'An order of 0 that began a subscription: its card is saved.', next: [] },
} as const satisfies Readonly<Record<string, Meaning>>;

export type PaymentState = keyof typeof PAYMENT_STATES;
export const STATE_NAMES = Object.keys(PAYMENT_STATES) as readonly PaymentState[];

/** What does not depend on the time: unpaid is created or expired, and what is reserved may have expired. */
export type LastingState = Exclude<PaymentState, 'created' | 'expired' | 'reservation expired'> | 'unpaid';

/** What a state follows from. */
export type StateFacts = {
  readonly id: string;
  /** Somebody has tried to pay. */
  readonly wasTried: boolean;
  readonly isTerminated: boolean;
  readonly totals: Totals;
  /** Pending or approved. Needed only while nothing is reserved, or some of what is reserved is left. */
  readonly reservation?: Pick<Movement, 'id' | 'state'>;
};

export function factsOf(payment: Payment): StateFacts {
  const { id, method, terminatedAt, totals } = payment;
  const reservation = reservationOf(payment);
  return {
    id,
    wasTried: method !== undefined,
    isTerminated: terminatedAt !== undefined,
    totals,
    ...(reservation && { reservation }),
  };
}

export function lastingStateOf({
  totals,
  isTerminated,
  reservation,
}: Pick<StateFacts, 'totals' | 'isTerminated'> & {
  readonly reservation?: Pick<Movement, 'state'>;
}): LastingState {
  const { reserved, charged, charging, cancelled, cancelling, refunded, refunding } = totals;
  if (isTerminated) return 'terminated';
  if (charging + cancelling + refunding > 0) return 'pending';
  if (reserved === 0 && reservation?.state === 'pending') return 'pending';
  if (reserved === 0) return reservation?.state === 'approved' ? 'card saved' : 'unpaid';
  if (refunded > 0) return refunded === charged ? 'refunded' : 'partly refunded';
  if (charged > 0) return charged + cancelled === reserved ? 'charged' : 'partly charged';
  return cancelled === reserved ? 'cancelled' : 'reserved';
}

const isOver = ({ reservation }: StateFacts, at: number, lifetimes: Lifetimes): boolean =>
  reservation !== undefined && at >= chargeableUntil(reservation, lifetimes);

export function stateOf(facts: StateFacts, at: number, lifetimes: Lifetimes): PaymentState {
  const state = lastingStateOf(facts);
  if (state === 'unpaid') return at >= payableUntil(facts, lifetimes) ? 'expired' : 'created';
  return state === 'reserved' && isOver(facts, at, lifetimes) ? 'reservation expired' : state;
}

export type StateWord = PaymentState | 'declined' | 'partly cancelled';
export type StateInWords = { readonly state: PaymentState; readonly also: readonly StateWord[] };

/** The state, and what else is true of the payment that people look for. */
export function sayState(facts: StateFacts, at: number, lifetimes: Lifetimes): StateInWords {
  const state = stateOf(facts, at, lifetimes);
  const { totals } = facts;
  const { reserved, charged, charging, cancelled, cancelling } = totals;
  if (state === 'created' || state === 'expired') return { state, also: facts.wasTried ? ['declined'] : [] };
  if (reserved === 0) return { state, also: [] };
  const settled = { ...facts, totals: { ...totals, charging: 0, cancelling: 0, refunding: 0 } };
  const before = stateOf(settled, at, lifetimes);
  const isLeft = reserved > charged + charging + cancelled + cancelling;
  const also = [
    state === 'pending' && before,
    totals.refunded > 0 && isLeft && 'partly charged',
    cancelled > 0 && cancelled < reserved && 'partly cancelled',
    isLeft && before !== 'reservation expired' && isOver(facts, at, lifetimes) && 'reservation expired',
  ] as const;
  return { state, also: also.filter((word) => word !== false) };
}

/** What `state` in the API's list asks for: what has happened to a payment. Several can be true of one. */
export const LIST_STATES = [
  'created',
  'reserved',
  'charged',
  'refunded',
  'cancelled',
  'terminated',
  'expired',
] as const;
export type ListState = (typeof LIST_STATES)[number];

export function hasHappened(asked: ListState, facts: StateFacts, at: number, lifetimes: Lifetimes): boolean {
  if (asked === 'created' || asked === 'terminated' || asked === 'expired')
    return stateOf(facts, at, lifetimes) === asked;
  return facts.totals[asked] > 0;
}
