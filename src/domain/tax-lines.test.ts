// Goal: the tax of every charge and refund is exact: its lines sum up to its amount, net and tax to gross, and parts of an
// order or a charge come to exactly the tax of the whole. Method: known orders, and properties over random ones.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { anOrderItem, cancelled, charged, chargeIdOf, refunded, reserved } from '../../test/support/domain-payment.ts';
import type { OrderItem } from './item.ts';
import type { Payment } from './payment.ts';
import { taxLinesOfCharge, taxLinesOfItems, taxLinesOfRefund } from './tax-lines.ts';
import type { TaxLine } from './tax-lines.ts';

const itemOf = (gross: number, rate: number): OrderItem => {
  const taxAmount = Math.round((gross * rate) / (10_000 + rate));
  const sums = { taxAmount, netTotalAmount: gross - taxAmount };
  return anOrderItem(gross, { reference: `r${rate}`, taxRate: rate, ...sums });
};

const movesOf = (payment: Payment, kind: 'charge' | 'refund') =>
  payment.movements.filter((movement) => movement.kind === kind);

const chargesOf = (payment: Payment): TaxLine[][] =>
  movesOf(payment, 'charge').map((charge) => taxLinesOfCharge(payment, charge));

function refundsOf(payment: Payment): TaxLine[][] {
  return movesOf(payment, 'refund').map((refund) => {
    const charge = payment.movements.find(({ id }) => id === refund.chargeId) ?? assert.fail('no charge');
    return taxLinesOfRefund(payment, charge, refund);
  });
}

function totalOf(lines: readonly (readonly TaxLine[])[]): TaxLine[] {
  const items = lines
    .flat()
    .map(({ rate, net, tax, gross }) => anOrderItem(gross, { taxRate: rate, taxAmount: tax, netTotalAmount: net }));
  return taxLinesOfItems(items).filter(({ net, tax, gross }) => net !== 0 || tax !== 0 || gross !== 0);
}

const books = itemOf(10_600, 600);
const shoes = itemOf(125_000, 2500);

test('a charge of the whole, or of items, has the tax of its items', () => {
  const order = reserved(135_600, [books, shoes]);
  const whole = [
    { rate: 2500, net: 100_000, tax: 25_000, gross: 125_000 },
    { rate: 600, net: 10_000, tax: 600, gross: 10_600 },
  ];
  assert.deepEqual(chargesOf(charged(order, 135_600)), [whole]);
  assert.deepEqual(chargesOf(charged(order, 10_600, [books])), [[whole[1]]]);
});

test('a charge of an amount alone has its share of each rate', () => {
  const [lines = []] = chargesOf(charged(reserved(135_600, [books, shoes]), 13_560));
  assert.deepEqual(lines, [
    { rate: 2500, net: 10_000, tax: 2_500, gross: 12_500 },
    { rate: 600, net: 1_000, tax: 60, gross: 1_060 },
  ]);
});

test('what rounding leaves goes to the largest rests, the higher rate first, and a discount takes its share', () => {
  const grossesOf = (amount: number, ...items: readonly OrderItem[]): number[] => {
    const whole = items.reduce((sum, { grossTotalAmount }) => sum + grossTotalAmount, 0);
    return (chargesOf(charged(reserved(whole, items), amount))[0] ?? []).map(({ gross }) => gross);
  };
  // Exactly 16.5, 9.9 and 6.6.
  assert.deepEqual(grossesOf(33, itemOf(50, 2500), itemOf(30, 1200), itemOf(20, 600)), [16, 10, 7]);
  // Each 3.33.
  assert.deepEqual(grossesOf(10, itemOf(10, 2500), itemOf(10, 1200), itemOf(10, 600)), [4, 3, 3]);
  assert.deepEqual(grossesOf(45, itemOf(100, 2500), itemOf(-10, 1200)), [50, -5]);
  // Exactly 48.89 and -4.89, and then 55.56 and -5.56.
  assert.deepEqual(grossesOf(44, itemOf(100, 2500), itemOf(-10, 1200)), [49, -5]);
  assert.deepEqual(grossesOf(50, itemOf(100, 2500), itemOf(-10, 1200)), [56, -6]);
});

// decision: tax-without-items
test('what items were charged or cancelled for is not shared again', () => {
  const order = reserved(135_600, [books, shoes]);
  const [, rest] = chargesOf(charged(charged(order, 10_600, [books]), 125_000));
  assert.deepEqual(rest, [{ rate: 2500, net: 100_000, tax: 25_000, gross: 125_000 }]);
  const [half] = chargesOf(charged(cancelled(order, 125_000, [shoes]), 5_300));
  assert.deepEqual(half, [{ rate: 600, net: 5_000, tax: 300, gross: 5_300 }]);
});

test('a refund of an amount alone has its share of its own charge', () => {
  const order = charged(charged(reserved(135_600, [books, shoes]), 10_600, [books]), 125_000);
  assert.deepEqual(refundsOf(refunded(order, chargeIdOf(order), 5_300)), [
    [{ rate: 600, net: 5_000, tax: 300, gross: 5_300 }],
  ]);
});

test('a charge that names what the order never had leaves the others shares of the whole order', () => {
  const strange = itemOf(120_000, 1200);
  const [, rest = []] = chargesOf(charged(charged(reserved(135_600, [books, shoes]), 120_000, [strange]), 15_000));
  assert.equal(
    rest.reduce((sum, { gross }) => sum + gross, 0),
    15_000,
  );
});

const orders = fc.array(fc.tuple(fc.integer({ min: 1, max: 1_000_000 }), fc.constantFrom(0, 600, 1200, 2500, 2550)), {
  minLength: 1,
  maxLength: 6,
});
const cuts = fc.array(fc.double({ min: 0.01, max: 0.99, noNaN: true }), { maxLength: 5 });

/** The amount in so many parts, each at least one. */
function partsOf(amount: number, shares: readonly number[]): number[] {
  const parts: number[] = [];
  let left = amount;
  for (const one of shares) {
    const part = Math.floor(left * one);
    if (part < 1 || part >= left) continue;
    parts.push(part);
    left -= part;
  }
  return [...parts, left];
}

function assertExact(lines: readonly TaxLine[], amount: number): void {
  assert.equal(
    lines.reduce((sum, { gross }) => sum + gross, 0),
    amount,
  );
  for (const { net, tax, gross } of lines) assert.equal(net + tax, gross);
}

// decision: tax-without-items
test('however an order is charged and refunded in parts, each is exact and all come to the whole', () => {
  fc.assert(
    fc.property(orders, fc.option(fc.integer({ min: 1, max: 5_000 })), cuts, cuts, (given, discount, first, second) => {
      const items = given.map(([gross, rate]) => itemOf(gross, rate));
      if (discount !== null) items.push(itemOf(-discount, 2500));
      const amount = items.reduce((sum, { grossTotalAmount }) => sum + grossTotalAmount, 0);
      if (amount < 1) return;
      const whole = totalOf([taxLinesOfItems(items)]);
      const amounts = partsOf(amount, first);
      let payment = reserved(amount, items);
      for (const part of amounts) payment = charged(payment, part);
      const lines = chargesOf(payment);
      for (const [index, part] of amounts.entries()) assertExact(lines[index] ?? [], part);
      assert.deepEqual(totalOf(lines), whole);

      let once = charged(reserved(amount, items), amount);
      const back = partsOf(amount, second);
      for (const part of back) once = refunded(once, chargeIdOf(once), part);
      const credits = refundsOf(once);
      for (const [index, part] of back.entries()) assertExact(credits[index] ?? [], part);
      assert.deepEqual(totalOf(credits), whole);
    }),
  );
});

// decision: tax-without-items
test('what is approved later changes nothing of what was issued before', () => {
  const first = charged(reserved(135_600, [books, shoes]), 50_000);
  const before = chargesOf(first);
  const later = charged(cancelled(first, 10_600, [books]), 75_000);
  assert.deepEqual(chargesOf(later).slice(0, 1), before);
});
