// What of a charge or a refund is tax, by rate. Where it names items, they say it. One of an amount alone takes its share
// of what was left then of the order, or of the charge that it gives back: in proportion, to the minor unit, so that the
// last one takes exactly what is left and all of them together come to the whole.
import type { OrderItem } from './item.ts';
import type { Movement } from './movement.ts';
import type { Payment } from './payment.ts';
import { itemsOfCharge } from './refund.ts';

/** Net and tax make up gross, but for items that a shop has rounded in another way. */
export type TaxLine = {
  /** Hundredths of a percent. */
  readonly rate: number;
  readonly net: number;
  readonly tax: number;
  readonly gross: number;
};

const sumOf = (lines: readonly TaxLine[]): number => lines.reduce((sum, { gross }) => sum + gross, 0);

const byRate = (lines: ReadonlyMap<number, TaxLine>): TaxLine[] =>
  [...lines.values()].toSorted((one, other) => other.rate - one.rate);

function add(lines: Map<number, TaxLine>, { rate, net, tax, gross }: TaxLine, sign: 1 | -1): void {
  const sum = lines.get(rate) ?? { rate, net: 0, tax: 0, gross: 0 };
  lines.set(rate, { rate, net: sum.net + sign * net, tax: sum.tax + sign * tax, gross: sum.gross + sign * gross });
}

/** What items come to, by their tax rate, the highest first. */
export function taxLinesOfItems(items: readonly OrderItem[]): TaxLine[] {
  const lines = new Map<number, TaxLine>();
  for (const { taxRate, netTotalAmount, taxAmount, grossTotalAmount } of items)
    add(lines, { rate: taxRate, net: netTotalAmount, tax: taxAmount, gross: grossTotalAmount }, 1);
  return byRate(lines);
}

const floorDivide = (a: bigint, b: bigint): bigint => (a % b !== 0n && a < 0n !== b < 0n ? a / b - 1n : a / b);

/** To the nearest, a half upwards. */
const roundDivide = (a: bigint, b: bigint): bigint => floorDivide(2n * a + b, 2n * b);

/** The tax that belongs to a part of a line. */
const taxWithin = (gross: number, line: TaxLine): number =>
  line.gross === 0 ? 0 : Number(roundDivide(BigInt(gross) * BigInt(line.tax), BigInt(line.gross)));

/** An amount, parted as the lines are: each gets its share, and those with the largest rests what rounding leaves. */
function share(lines: readonly TaxLine[], amount: number): TaxLine[] {
  const whole = BigInt(sumOf(lines));
  const shares = lines.map((line) => {
    const exact = BigInt(amount) * BigInt(line.gross);
    const gross = floorDivide(exact, whole);
    return { line, gross: Number(gross), rest: exact - gross * whole };
  });
  let left = amount - shares.reduce((sum, { gross }) => sum + gross, 0);
  for (const one of shares.toSorted((a, b) => (a.rest === b.rest ? 0 : a.rest > b.rest ? -1 : 1))) {
    if (left === 0) break;
    one.gross += 1;
    left -= 1;
  }
  return shares.map(({ line, gross }) => {
    const tax = taxWithin(gross, line);
    return { rate: line.rate, net: gross - tax, tax, gross };
  });
}

const withoutNothing = (lines: readonly TaxLine[]): TaxLine[] =>
  lines.filter(({ net, tax, gross }) => net !== 0 || tax !== 0 || gross !== 0);

/** What an amount takes of what is left; of the whole where that does not hold so much, by items that never were in it. */
function take(left: readonly TaxLine[], whole: readonly TaxLine[], amount: number): TaxLine[] {
  const rest = sumOf(left);
  if (rest === amount) return withoutNothing(left);
  return withoutNothing(share(rest > amount ? left : whole, amount));
}

/** Whether the one was approved before the other: that never changes, whatever is approved later. */
const isBefore = (one: Movement, other: Movement): boolean =>
  one.updatedAt === other.updatedAt ? one.sequence < other.sequence : one.updatedAt < other.updatedAt;

type Taking = { readonly amount: number; readonly items: readonly OrderItem[] };

/** What the last of them takes, after all the others have taken theirs. */
function takeInTurn(whole: readonly TaxLine[], takings: readonly Taking[]): TaxLine[] {
  const left = new Map(whole.map((line) => [line.rate, line]));
  let taken: TaxLine[] = [];
  for (const { amount, items } of takings) {
    taken = items.length > 0 ? taxLinesOfItems(items) : take(byRate(left), whole, amount);
    for (const line of taken) add(left, line, -1);
  }
  return taken;
}

/** In the order of their approval, up to one of them and with it. */
const inTurn = (movements: readonly Movement[], last: Movement, isOne: (movement: Movement) => boolean): Movement[] => [
  ...movements
    .filter((movement) => movement.id !== last.id && movement.state === 'approved' && isBefore(movement, last))
    .filter(isOne)
    .toSorted((one, other) => (isBefore(one, other) ? -1 : 1)),
  last,
];

/** Of an approved charge. */
export function taxLinesOfCharge(payment: Payment, charge: Movement): TaxLine[] {
  const takers = inTurn(payment.movements, charge, ({ kind }) => kind === 'charge' || kind === 'cancel');
  const takings = takers.map((taker) => ({ amount: taker.amount, items: itemsOfCharge(payment, taker) }));
  return takeInTurn(taxLinesOfItems(payment.order.items), takings);
}

/** Of an approved refund. */
export function taxLinesOfRefund(payment: Payment, charge: Movement, refund: Movement): TaxLine[] {
  const takers = inTurn(
    payment.movements,
    refund,
    ({ kind, chargeId }) => kind === 'refund' && chargeId === refund.chargeId,
  );
  const ofCharge = itemsOfCharge(payment, charge);
  // One of the whole charge has no items of its own: they are the charge's, if that has any.
  const takings = takers.map(({ amount, items }) => ({ amount, items: items ?? ofCharge }));
  return takeInTurn(taxLinesOfCharge(payment, charge), takings);
}

/** The tax of an approved charge or refund, of all rates together. */
export function taxOf(payment: Payment, movement: Movement): number {
  const charge = payment.movements.find(({ id }) => id === movement.chargeId);
  const lines = charge ? taxLinesOfRefund(payment, charge, movement) : taxLinesOfCharge(payment, movement);
  return lines.reduce((sum, { tax }) => sum + tax, 0);
}
