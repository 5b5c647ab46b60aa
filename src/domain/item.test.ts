// Goal: sums over items are exact, and what is left of an item is found to the last millionth. Method: a table of small
// orders for the strict rule, and properties against arithmetic in whole numbers.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { anOrderItem } from '../../test/support/domain-payment.ts';
import { findItemExcess, sumOfItems } from './item.ts';
import type { OrderItem } from './item.ts';

const item = (reference: string, quantity: number, gross: number): OrderItem =>
  anOrderItem(gross, { reference, quantity });

// decision: unit-of-amounts
test('the sum of a thousand of the largest items is exact', () => {
  const amounts = fc.integer({ min: -1_000_000_000_000, max: 1_000_000_000_000 });
  fc.assert(
    fc.property(fc.array(amounts, { maxLength: 1_000 }), (all) => {
      const exact = all.reduce((sum, amount) => sum + BigInt(amount), 0n);
      assert.equal(BigInt(sumOfItems(all.map((amount) => anOrderItem(amount)))), exact);
    }),
  );
});

// decision: items-that-remain
describe('what is left of an item', () => {
  const order = [item('a', 2, 200), item('b', 1.5, 150), item('discount', 1, -50)];
  const cases: readonly [name: string, asked: OrderItem[], used: OrderItem[], excess: object | undefined][] = [
    ['all of it', order, [], undefined],
    ['nothing', [], order, undefined],
    ['a part', [item('a', 1, 100)], [item('a', 1, 100)], undefined],
    [
      'an unknown one',
      [item('a', 1, 100), item('c', 1, 1)],
      [],
      { kind: 'unknown_reference', index: 1, reference: 'c' },
    ],
    ['too many', [item('a', 2, 10)], [item('a', 0.5, 1)], { kind: 'quantity', index: 0, asked: '2', left: '1.5' }],
    ['a millionth too many', [item('b', 1.500001, 1)], [], { kind: 'quantity', asked: '1.500001', left: '1.5' }],
    ['too much money', [item('a', 1, 101)], [item('a', 1, 100)], { kind: 'gross', asked: '101', left: '100' }],
    ['lines of one reference are summed', [item('a', 1, 1), item('a', 1.5, 1)], [], { kind: 'quantity', asked: '2.5' }],
    ['a discount by its magnitude', [item('discount', 1, -50)], [], undefined],
    ['too much discount', [item('discount', 1, -51)], [], { kind: 'gross', asked: '-51', left: '-50' }],
    ['discount that was used', [item('discount', 0, -1)], [item('discount', 1, -50)], { kind: 'gross', asked: '-1' }],
    ['a discount in place of money', [item('a', 1, -1)], [], { kind: 'gross', asked: '-1' }],
    ['money in place of a discount', [item('discount', 1, 1)], [], { kind: 'gross', asked: '1' }],
    ['an item for nothing', [item('a', 1, 0)], [], undefined],
    ['more was used than there was', [item('a', 1, 1)], [item('a', 3, 1)], { kind: 'quantity', left: '0' }],
    ['more money was used than there was', [item('a', 0, 1)], [item('a', 0, 300)], { kind: 'gross', left: '0' }],
  ];
  for (const [name, asked, used, excess] of cases)
    test(name, () => {
      const found = findItemExcess(asked, order, used);
      if (excess === undefined) assert.equal(found, undefined);
      else assert.partialDeepStrictEqual(found, excess);
    });

  // decision: quantities
  test('quantities are compared in millionths, whatever binary fractions do to them', () => {
    const millionths = fc.integer({ min: 0, max: 1_000_000_000_000_000 });
    fc.assert(
      fc.property(millionths, millionths, millionths, (had, gone, want) => {
        const [a, b, c] = [had, gone, want].map((n) => [item('x', n / 1_000_000, 0)]) as [
          OrderItem[],
          OrderItem[],
          OrderItem[],
        ];
        const found = findItemExcess(c, a, b);
        assert.equal(found?.kind, want > had - gone ? 'quantity' : undefined);
      }),
    );
  });
});
