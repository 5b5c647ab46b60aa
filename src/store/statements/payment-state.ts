// The state of a payment as SQL conditions: for the filters of lists and exports, for facets, and for the check of the
// books. src/domain/state.ts defines each state; test/store/payment-state.test.ts compares the two. It is derived from
// what commits write. An indexed column for it would prevent heap-only updates of payments. All conditions use a row
// called `payment`.
import { firstIdAt } from '../../domain/id.ts';
import type { Lifetimes } from '../../domain/payment.ts';
import type { ListState } from '../../domain/state.ts';
import type { Put } from './put.ts';

/** Of the one reservation that counts. A scalar subquery, since Postgres may read all movements for EXISTS. */
export const reservation = (value: string): string => `(
  select ${value} from movements where movements.part = payment.part
    and movements.payment_id = payment.id and movements.kind = 'reservation' and movements.state <> 'declined')`;

/** Part of the reservation is left: neither charged nor cancelled, nor about to be. */
export const IS_LEFT = `payment.reserved > payment.charged + payment.charging + payment.cancelled + payment.cancelling`;

const stateBy = (unpaid: string, reserved: string): string => `case
    when payment.terminated_at is not null then 'terminated'
    when payment.charging + payment.cancelling + payment.refunding > 0 then 'pending'
    when payment.reserved = 0 then
      case case when payment.method is not null then ${reservation('movements.state')} end
        when 'pending' then 'pending' when 'approved' then 'card saved' else ${unpaid} end
    when payment.refunded > 0 then
      case when payment.refunded = payment.charged then 'refunded' else 'partly refunded' end
    when payment.charged > 0 then
      case when payment.charged + payment.cancelled = payment.reserved then 'charged' else 'partly charged' end
    when payment.cancelled = payment.reserved then 'cancelled'
    else ${reserved} end`;

/** What does not depend on the time: a `LastingState`. */
export const LASTING_STATE = stateBy(`'unpaid'`, `'reserved'`);

/** The first id that has not expired at a time of the process's clock. */
export const firstIdWithin = (lifetimeMs: number, atMs: number): string =>
  firstIdAt(Math.max(0, atMs - lifetimeMs + 1));

/** The state at a time. */
export function stateAt(put: Put, atMs: number, { paymentMs, reservationMs }: Lifetimes): string {
  const first = (lifetimeMs: number): string => `${put(firstIdWithin(lifetimeMs, atMs))}::uuid`;
  return stateBy(
    `case when payment.id < ${first(paymentMs)} then 'expired' else 'created' end`,
    `case when ${reservation('movements.id')} < ${first(reservationMs)} then 'reservation expired' else 'reserved' end`,
  );
}

/** The API's `state` filter; the id shows whether an unpaid payment has expired. */
export const LIST_CONDITIONS: Readonly<Record<ListState, string>> = {
  created: `${LASTING_STATE} = 'unpaid'`,
  expired: `${LASTING_STATE} = 'unpaid'`,
  reserved: 'payment.reserved > 0',
  charged: 'payment.charged > 0',
  refunded: 'payment.refunded > 0',
  cancelled: 'payment.cancelled > 0',
  terminated: 'payment.terminated_at is not null',
};
