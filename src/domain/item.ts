// An order item as the specification lists it, and the sums over items. Totals are whole numbers of minor units, so
// sums are exact; a quantity has at most six decimals and is compared in millionths.

export type OrderItem = {
  readonly reference: string;
  readonly name: string;
  readonly quantity: number;
  readonly unit: string;
  readonly unitPrice: number;
  readonly taxRate: number;
  readonly taxAmount: number;
  readonly grossTotalAmount: number;
  readonly netTotalAmount: number;
  /** For an order: shown in the checkout, but not included in events. */
  readonly imageUrl?: string;
};

/** A thousand items of at most 10^12 each stay below 2^53, so the sum of any taken order is exact. */
export function sumOfItems(items: readonly OrderItem[]): number {
  let sum = 0;
  for (const item of items) sum += item.grossTotalAmount;
  return sum;
}

/** What of one item reference an order or a movement holds: quantity in millionths, gross total as a magnitude. */
type Extent = { quantity: bigint; gross: bigint };

const MILLIONTHS = 1_000_000;

function extents(items: readonly OrderItem[]): Map<string, Extent> {
  const sums = new Map<string, Extent>();
  for (const item of items) {
    const sum = sums.get(item.reference) ?? { quantity: 0n, gross: 0n };
    sum.quantity += BigInt(Math.round(item.quantity * MILLIONTHS));
    sum.gross += BigInt(item.grossTotalAmount);
    sums.set(item.reference, sum);
  }
  return sums;
}

export type ItemExcess =
  | { readonly kind: 'unknown_reference'; readonly index: number; readonly reference: string }
  | {
      readonly kind: 'quantity' | 'gross';
      readonly index: number;
      readonly reference: string;
      readonly asked: string;
      readonly left: string;
    };

const magnitude = (value: bigint): bigint => (value < 0n ? -value : value);

function showMillionths(value: bigint): string {
  const whole = value / 1_000_000n;
  const rest = (value % 1_000_000n).toString().padStart(6, '0').replace(/0+$/, '');
  return rest === '' ? `${whole}` : `${whole}.${rest}`;
}

/**
 * Compares asked items with what is left of the available ones after the used ones. Lines of one reference are summed,
 * negative totals are compared by magnitude. Gives the first item that is unknown or exceeds what is left.
 */
export function findItemExcess(
  asked: readonly OrderItem[],
  available: readonly OrderItem[],
  used: readonly OrderItem[],
): ItemExcess | undefined {
  const had = extents(available);
  const gone = extents(used);
  for (const [reference, want] of extents(asked)) {
    const index = asked.findIndex((item) => item.reference === reference);
    const whole = had.get(reference);
    if (whole === undefined) return { kind: 'unknown_reference', index, reference };
    const taken = gone.get(reference) ?? { quantity: 0n, gross: 0n };
    const quantityLeft = whole.quantity - taken.quantity;
    if (want.quantity > quantityLeft) {
      const [a, l] = [showMillionths(want.quantity), showMillionths(quantityLeft < 0n ? 0n : quantityLeft)];
      return { kind: 'quantity', index, reference, asked: a, left: l };
    }
    const grossLeft = magnitude(whole.gross) - magnitude(taken.gross);
    if (magnitude(want.gross) > grossLeft || want.gross < 0n !== (whole.gross < 0n && want.gross !== 0n)) {
      const left = grossLeft < 0n ? 0n : grossLeft;
      return { kind: 'gross', index, reference, asked: `${want.gross}`, left: `${whole.gross < 0n ? -left : left}` };
    }
  }
  return undefined;
}
