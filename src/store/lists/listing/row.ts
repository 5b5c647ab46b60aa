// A payment as a list shows it: one line, with its state. Items and movements are not read, except the reservation
// where the state needs it.
import type { Consumer } from '../../../domain/consumer.ts';
import type { Movement } from '../../../domain/movement.ts';
import type { Lifetimes, PaymentMethod, Totals } from '../../../domain/payment.ts';
import { sayState } from '../../../domain/state.ts';
import type { StateInWords } from '../../../domain/state.ts';
import { plainId } from '../../statements/payment-row.ts';
import { reservation } from '../../statements/payment-state.ts';
import type { TextRow } from '../../connections/pool.ts';

export type ListedPayment = StateInWords & {
  readonly id: string;
  readonly amount: number;
  readonly currency: string;
  readonly reference?: string;
  readonly myReference?: string;
  readonly consumer: Consumer;
  readonly method?: PaymentMethod;
  readonly totals: Totals;
};

const NEEDED_RESERVATION = `case
    when payment.reserved > payment.charged + payment.cancelled or (payment.reserved = 0 and payment.method is not null)
    then ${reservation('json_build_array(movements.id, movements.state)')} end`;

/** Columns of `payment`, in the order in which they are read. */
export const LISTED_COLUMNS = `id, amount, currency, reference, my_reference, consumer, method, terminated_at, reserved,
  charged, charging, cancelled, cancelling, refunded, refunding, ${NEEDED_RESERVATION}`;

function readReservation(text: string): Pick<Movement, 'id' | 'state'> {
  const [id, state] = JSON.parse(text) as [string, Movement['state']];
  return { id: plainId(id), state };
}

export function readListed(row: TextRow, atMs: number, lifetimes: Lifetimes): ListedPayment {
  const [uuid, amount, currency, reference, myReference, consumer, method, terminatedAt, ...rest] = row;
  const [reserved, charged, charging, cancelled, cancelling, refunded, refunding] = rest.map(Number);
  const held = rest[7];
  const id = plainId(uuid as string);
  const totals = { reserved, charged, charging, cancelled, cancelling, refunded, refunding } as Totals;
  const facts = {
    id,
    wasTried: method != null,
    isTerminated: terminatedAt != null,
    totals,
    ...(held != null && { reservation: readReservation(held) }),
  };
  return {
    id,
    amount: Number(amount),
    currency: currency as string,
    ...(reference != null && { reference }),
    ...(myReference != null && { myReference }),
    consumer: JSON.parse(consumer as string) as Consumer,
    ...(method != null && { method: JSON.parse(method) as PaymentMethod }),
    totals,
    ...sayState(facts, atMs, lifetimes),
  };
}
