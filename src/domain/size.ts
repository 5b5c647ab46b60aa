// How much a payment may hold. Every request reads its payment whole, so it must have an end: in movements, in the lines
// that these name, and in bytes.
import { refuse } from './decision.ts';
import type { Refused } from './decision.ts';
import type { OrderItem } from './item.ts';
import type { Payment } from './payment.ts';

// A thousand ordinary lines are a quarter of a mebibyte; this is room for a thousand with long names.
const LARGEST_ORDER_BYTES = 524_288;
// Four times the largest order: each of its lines can be charged, refunded or cancelled by name, and then some.
const LARGEST_PAYMENT_BYTES = 2_097_152;
const MOST_LINES = 5_000;
const MOST_MOVEMENTS = 1_000;
// An invoice has a line for each, and the tax of each charge is parted by them. No country has more than a handful.
const MOST_TAX_RATES = 50;
// Tries to pay leave room for the charges and refunds of the one that succeeds.
const MOST_MOVEMENTS_TO_RESERVE = 500;

// A movement without its items, as JSON.
const BYTES_OF_MOVEMENT = 300;
// The bytes of a character or a number as JSON are at most so many times its rough size.
const MOST_BYTES_PER_ROUGH_BYTE = 6;

/** Roughly the length of plain data as JSON, at a fraction of its cost: numbers count as eight. */
export function roughBytesOf(value: unknown): number {
  if (typeof value === 'string') return value.length + 2;
  if (typeof value !== 'object' || value === null) return 8;
  let sum = 2;
  if (Array.isArray(value)) {
    for (const each of value) sum += roughBytesOf(each) + 1;
    return sum;
  }
  for (const name in value) sum += name.length + 4 + roughBytesOf((value as Record<string, unknown>)[name]);
  return sum;
}

/** Exact where it could be more than the limit, a rough figure where it cannot. */
function bytesOfJson(data: unknown, most: number): number {
  const rough = roughBytesOf(data);
  return rough * MOST_BYTES_PER_ROUGH_BYTE < most ? rough : Buffer.byteLength(JSON.stringify(data));
}

const ratesOf = (items: readonly OrderItem[]): Set<number> => new Set(items.map(({ taxRate }) => taxRate));

/** Refuses items of an order that have too many tax rates. */
export function refuseIfManyRates(items: readonly OrderItem[]): Refused | undefined {
  const { size } = ratesOf(items);
  return size > MOST_TAX_RATES ? refuse({ name: 'too_many_tax_rates', rates: size, most: MOST_TAX_RATES }) : undefined;
}

/** The same for a movement: what it brings anew counts with what is there, and what is there stays as it is. */
function refuseIfManyNewRates({ order, movements }: Payment, items: readonly OrderItem[]): Refused | undefined {
  const there = [...order.items, ...movements.flatMap((movement) => movement.items ?? [])];
  return ratesOf([...there, ...items]).size > ratesOf(there).size ? refuseIfManyRates([...there, ...items]) : undefined;
}

type Ordered = Pick<Payment, 'order' | 'checkout' | 'consumer'>;

/** Why an order is too large, with the consumer and the checkout that it is read with. */
export function refuseIfOrderTooLarge({ order, checkout, consumer }: Ordered): Refused | undefined {
  const bytes = bytesOfJson([order.items, checkout, consumer], LARGEST_ORDER_BYTES);
  if (bytes <= LARGEST_ORDER_BYTES) return undefined;
  return refuse({ name: 'order_is_too_large', bytes, most: LARGEST_ORDER_BYTES });
}

/** What a payment holds, or would hold with the items of one more movement. */
export function bytesOf({ order, checkout, consumer, movements }: Payment, items: readonly OrderItem[] = []): number {
  const named = movements.flatMap(({ items: each, details }) => (details ? [each, details] : [each]));
  const bytes = bytesOfJson([order.items, checkout, consumer, named, items], LARGEST_PAYMENT_BYTES);
  return bytes + movements.length * BYTES_OF_MOVEMENT;
}

/** A final charge that is under way needs room for the cancel of what it leaves. */
const isFinallyCharging = ({ movements }: Payment): boolean =>
  movements.some(({ state, details }) => state === 'pending' && details?.finalCharge === true);

type Room = {
  readonly mostMovements?: number;
  /** How many it needs room for, with those that will follow from it. */
  readonly movements?: 1 | 2;
};

/** Refuses one more movement with these items when the payment would hold too much. */
export function refuseIfFull(
  payment: Payment,
  items: readonly OrderItem[],
  { mostMovements = MOST_MOVEMENTS, movements = 1 }: Room = {},
): Refused | undefined {
  const { length } = payment.movements;
  const needed = isFinallyCharging(payment) ? 2 : movements;
  if (length + needed > mostMovements)
    return refuse({
      name: 'payment_has_too_many_movements',
      movements: length,
      most: mostMovements,
      ...(length < mostMovements && { isOneKept: true }),
    });
  const lines = payment.movements.reduce((sum, movement) => sum + 1 + (movement.items?.length ?? 0), 0);
  if (lines + needed + items.length > MOST_LINES)
    return refuse({ name: 'payment_holds_too_many_lines', lines, most: MOST_LINES });
  if (items.length === 0) return undefined;
  const bytes = bytesOf(payment, items);
  if (bytes <= LARGEST_PAYMENT_BYTES) return refuseIfManyNewRates(payment, items);
  return refuse({ name: 'payment_is_too_large', bytes, most: LARGEST_PAYMENT_BYTES });
}

/** The same for one more try to pay. */
export const refuseMoreTries = (payment: Payment): Refused | undefined =>
  refuseIfFull(payment, [], { mostMovements: MOST_MOVEMENTS_TO_RESERVE });
