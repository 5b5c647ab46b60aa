// Some of an order's line: the part of its totals that goes with a quantity. What takes all that is left takes all of its
// totals, so that the parts of a line always add up to the line, whatever was rounded on the way.

/** What of an item depends on how much of it there is. */
export type Share = {
  readonly quantity: number;
  readonly taxAmount: number;
  readonly grossTotalAmount: number;
  readonly netTotalAmount: number;
};

/** The quantity in millionths, the totals in minor units. */
export type Extent = { readonly quantity: number; readonly gross: number; readonly net: number; readonly tax: number };

export type LineLeft<Item extends Share = Share> = { readonly item: Item; readonly left: Extent };

const MILLIONTHS = 1_000_000;
const MOST_DECIMALS = 6;

/** "1,5" is 1500000; undefined when it is no quantity. */
export function parseQuantity(text: string): number | undefined {
  const typed = /^(\d{0,9})(?:[.,](\d*))?$/.exec(text.trim());
  const [, whole = '', rest = ''] = typed ?? [];
  if (!typed || rest.length > MOST_DECIMALS) return undefined;
  return Number(whole + rest.padEnd(MOST_DECIMALS, '0'));
}

export const showQuantity = (millionths: number, locale: string): string =>
  new Intl.NumberFormat(locale, { maximumFractionDigits: MOST_DECIMALS }).format(millionths / MILLIONTHS);

/** A share of a whole amount, rounded half away from zero, and exact however large they are. */
function shareOf(amount: number, part: number, whole: number): number {
  const [sign, size] = amount < 0 ? [-1, -amount] : [1, amount];
  const doubled = BigInt(size) * BigInt(part) * 2n + BigInt(whole);
  // Zero has no side.
  return sign * Number(doubled / (BigInt(whole) * 2n)) + 0;
}

/** No more than is left of it, on the same side of zero. */
const atMost = (amount: number, left: number): number =>
  left < 0 ? Math.min(0, Math.max(amount, left)) : Math.max(0, Math.min(amount, left));

/** The line as a request names it, with so much of it: more than nothing, and no more than is left. */
export function takeOf<Item extends Share>({ item, left }: LineLeft<Item>, quantity: number): Item {
  const part = { ...item, quantity: quantity / MILLIONTHS };
  if (quantity === left.quantity)
    return { ...part, taxAmount: left.tax, grossTotalAmount: left.gross, netTotalAmount: left.net };
  const whole = Math.round(item.quantity * MILLIONTHS);
  const grossTotalAmount = atMost(shareOf(item.grossTotalAmount, quantity, whole), left.gross);
  const taxAmount = atMost(shareOf(item.taxAmount, quantity, whole), left.tax);
  const isSum = item.grossTotalAmount === item.netTotalAmount + item.taxAmount;
  const netTotalAmount = isSum ? grossTotalAmount - taxAmount : shareOf(item.netTotalAmount, quantity, whole);
  return { ...part, taxAmount, grossTotalAmount, netTotalAmount };
}
