// Computes how much of each order line was charged, refunded and cancelled, and what is left. Movements name items by
// reference, not by line, so amounts are distributed to the lines with that reference: first to those with the same price
// and tax, then to the others, each until it is used up.
import type { OrderItem } from './item.ts';
import type { Movement, MovementKind } from './movement.ts';
import type { Payment } from './payment.ts';
import { itemsOfCharge, itemsOfRefund } from './refund.ts';

/** A part of a line: the quantity in millionths, for exact sums, and totals in minor units. */
export type Extent = { readonly quantity: number; readonly gross: number; readonly net: number; readonly tax: number };

export type LineLeft = { readonly item: OrderItem; readonly left: Extent };

export type Line = LineLeft & { readonly charged: Extent; readonly refunded: Extent; readonly cancelled: Extent };

const MILLIONTHS = 1_000_000;
const NOTHING: Extent = { quantity: 0, gross: 0, net: 0, tax: 0 };

const extentOf = (item: OrderItem): Extent => ({
  quantity: Math.round(item.quantity * MILLIONTHS),
  gross: item.grossTotalAmount,
  net: item.netTotalAmount,
  tax: item.taxAmount,
});

const combine = (one: Extent, other: Extent, sign: 1 | -1): Extent => ({
  quantity: one.quantity + sign * other.quantity,
  gross: one.gross + sign * other.gross,
  net: one.net + sign * other.net,
  tax: one.tax + sign * other.tax,
});

const isSameLine = (one: OrderItem, other: OrderItem): boolean =>
  one.unitPrice === other.unitPrice && one.taxRate === other.taxRate;

/** Distributes the used items to lines. Items that match no line are ignored. */
function pour(lines: readonly OrderItem[], used: readonly OrderItem[]): Extent[] {
  const taken = lines.map(() => NOTHING);
  const placesOf = new Map<string, number[]>();
  for (const [index, { reference }] of lines.entries()) {
    const places = placesOf.get(reference) ?? [];
    places.push(index);
    placesOf.set(reference, places);
  }
  for (const item of used) {
    const places = placesOf.get(item.reference) ?? [];
    const likely = (index: number): number => (isSameLine(lines[index] as OrderItem, item) ? 0 : 1);
    const inOrder = places.toSorted((one, other) => likely(one) - likely(other));
    let rest = extentOf(item);
    for (const index of inOrder) {
      const before = taken[index] as Extent;
      const left = combine(extentOf(lines[index] as OrderItem), before, -1);
      const isLast = index === inOrder.at(-1);
      if (!isLast && left.quantity <= 0) continue;
      const part = isLast || rest.quantity <= left.quantity ? rest : left;
      taken[index] = combine(before, part, 1);
      rest = combine(rest, part, -1);
      if (rest.quantity <= 0) break;
    }
  }
  return taken;
}

/** Items of the movements of a kind, except declined ones. */
function itemsOf(payment: Payment, kind: MovementKind, which: (movement: Movement) => boolean): readonly OrderItem[] {
  return payment.movements
    .filter((movement) => movement.kind === kind && movement.state !== 'declined' && which(movement))
    .flatMap((movement) =>
      kind === 'refund' ? itemsOfRefund(payment, movement) : (movement.items ?? payment.order.items),
    );
}

const every = (): boolean => true;
const isDone = ({ state }: Movement): boolean => state === 'approved';

function leftOf(lines: readonly OrderItem[], used: readonly OrderItem[]): LineLeft[] {
  const taken = pour(lines, used);
  return lines.map((item, index) => ({ item, left: combine(extentOf(item), taken[index] as Extent, -1) }));
}

/** What of each line can still be charged or cancelled. */
export const linesLeftOfOrder = (payment: Payment): LineLeft[] =>
  leftOf(payment.order.items, [...itemsOf(payment, 'charge', every), ...itemsOf(payment, 'cancel', every)]);

/** What of each line of a charge can still be refunded. */
export const linesLeftOfCharge = (payment: Payment, charge: Movement): LineLeft[] =>
  leftOf(
    itemsOfCharge(payment, charge),
    itemsOf(payment, 'refund', ({ chargeId }) => chargeId === charge.id),
  );

export function linesOf(payment: Payment): Line[] {
  const { items } = payment.order;
  const [charged, refunded, cancelled] = (['charge', 'refund', 'cancel'] as const).map((kind) =>
    pour(items, itemsOf(payment, kind, isDone)),
  );
  return linesLeftOfOrder(payment).map((line, index) => ({
    ...line,
    charged: charged?.[index] ?? NOTHING,
    refunded: refunded?.[index] ?? NOTHING,
    cancelled: cancelled?.[index] ?? NOTHING,
  }));
}

/** A quantity for people: 2 and not 2000000. */
export const showQuantity = (millionths: number): string => String(millionths / MILLIONTHS);
