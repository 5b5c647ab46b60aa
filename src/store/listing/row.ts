// A payment as people see it in a list: one line, with what has come of it in one word. Movements and items are not read.
import { firstIdAt } from '../../domain/id.ts';
import type { Consumer } from '../../domain/consumer.ts';
import type { Lifetimes, PaymentMethod } from '../../domain/payment.ts';
import { plainId } from '../payment-row.ts';
import type { TextRow } from '../pool.ts';
import type { Put } from './statement.ts';

export const STANDINGS = [
  'created',
  'pending',
  'reserved',
  'partly charged',
  'charged',
  'partly refunded',
  'refunded',
  'cancelled',
  'terminated',
  'expired',
  'card saved',
] as const;
/**
 * What a payment has come to. Each has one; `expired` is one that was never paid, or whose reservation ran
 * out; `card saved` an order of 0 that began a subscription.
 */
export type Standing = (typeof STANDINGS)[number];

export type ListedPayment = {
  readonly id: string;
  readonly amount: number;
  readonly currency: string;
  readonly reference?: string;
  readonly myReference?: string;
  readonly consumer: Consumer;
  readonly method?: PaymentMethod;
  readonly standing: Standing;
  readonly reserved: number;
  readonly charged: number;
  readonly cancelled: number;
  readonly refunded: number;
};

/** Of the one reservation that counts. A value, since Postgres may read all movements to answer whether one exists. */
export const reservation = (column: 'id' | 'state'): string => `(
  select movements.${column} from movements where movements.part = payment.part
    and movements.payment_id = payment.id and movements.kind = 'reservation' and movements.state <> 'declined')`;

/** The standing of `payment`; what the hour decides is given. */
const standingBy = (unpaid: string, reserved: string): string => `case
    when terminated_at is not null then 'terminated'
    when charging + cancelling + refunding > 0 then 'pending'
    when reserved = 0 and method is not null and ${reservation('state')} = 'pending' then 'pending'
    when amount = 0 and method is not null and ${reservation('state')} = 'approved' then 'card saved'
    when reserved = 0 then ${unpaid}
    when refunded > 0 then case when refunded = charged then 'refunded' else 'partly refunded' end
    when charged > 0 then case when charged + cancelled = reserved then 'charged' else 'partly charged' end
    when cancelled = reserved then 'cancelled'
    else ${reserved} end`;

/** The standing of `payment`, at a moment of the process's clock, as ids carry it. */
export function standingOf(put: Put, atMs: number, { paymentMs, reservationMs }: Lifetimes): string {
  const firstSince = (lifetimeMs: number): string => `${put(firstIdAt(Math.max(0, atMs - lifetimeMs)))}::uuid`;
  return standingBy(
    `case when id < ${firstSince(paymentMs)} then 'expired' else 'created' end`,
    `case when ${reservation('id')} < ${firstSince(reservationMs)} then 'expired' else 'reserved' end`,
  );
}

/** What of its standing does not hang on the hour. */
export const LASTING_STANDING = standingBy(`'unpaid'`, `'reserved'`);

const PLAIN = [
  'id',
  'amount',
  'currency',
  'reference',
  'my_reference',
  'consumer',
  'method',
  'reserved',
  'charged',
  'cancelled',
  'refunded',
] as const;

export const columnsOf = (standing: string): string => `${PLAIN.join(', ')}, ${standing}`;

export function readListed(row: TextRow): ListedPayment {
  const [id, amount, currency, reference, myReference, consumer, method, ...rest] = row;
  const [reserved, charged, cancelled, refunded, standing] = rest;
  return {
    id: plainId(id as string),
    amount: Number(amount),
    currency: currency as string,
    ...(reference != null && { reference }),
    ...(myReference != null && { myReference }),
    consumer: JSON.parse(consumer as string) as Consumer,
    ...(method != null && { method: JSON.parse(method) as PaymentMethod }),
    standing: standing as Standing,
    reserved: Number(reserved),
    charged: Number(charged),
    cancelled: Number(cancelled),
    refunded: Number(refunded),
  };
}
