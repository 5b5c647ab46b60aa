// Goal: parts of a line add up to the line, to the last minor unit, however it is parted; and amounts and quantities are
// read as people type them, or not at all. Method: tables, and lines and parts at random.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { consoleTexts } from '../../src/console/texts.ts';
import { parseAmount, showMinor, showMoneyIn } from '../../web/shared/amount.ts';
import { describeAct } from '../../web/shared/act-words.ts';
import type { Act } from '../../web/shared/act-words.ts';
import { parseQuantity, takeOf } from '../../web/shared/item-share.ts';
import type { Extent, Share } from '../../web/shared/item-share.ts';

const HIGHEST = 1_000_000_000_000;

const lines = fc.record({
  quantity: fc.integer({ min: 1, max: 1_000_000_000 }),
  net: fc.integer({ min: -HIGHEST / 2, max: HIGHEST / 2 }),
  rate: fc.integer({ min: 0, max: 3_000 }),
});

function lineOf({ quantity, net, rate }: { quantity: number; net: number; rate: number }): {
  item: Share;
  left: Extent;
} {
  const tax = Math.trunc((net * rate) / 10_000) + 0;
  const item = {
    reference: 'a',
    name: 'A',
    quantity: quantity / 1_000_000,
    unit: 'kg',
    unitPrice: 1,
    taxRate: rate,
    taxAmount: tax,
    netTotalAmount: net,
    grossTotalAmount: net + tax,
  };
  return { item, left: { quantity, gross: net + tax, net, tax } };
}

describe('a share of a line', () => {
  test('the parts add up, and each is gross = net + tax on the side of zero of the line', () => {
    fc.assert(
      fc.property(lines, fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { maxLength: 6 }), (made, cuts) => {
        const { item, left: whole } = lineOf(made);
        let left = whole;
        const sum = { quantity: 0, gross: 0, net: 0, tax: 0 };
        const take = (quantity: number): void => {
          const part = takeOf({ item, left }, quantity);
          const [gross, net, tax] = [part.grossTotalAmount, part.netTotalAmount, part.taxAmount];
          assert.equal(gross, net + tax);
          assert.ok(Math.abs(gross) <= Math.abs(whole.gross) && gross * whole.gross >= 0);
          sum.quantity += quantity;
          sum.gross += gross;
          sum.net += net;
          sum.tax += tax;
          left = {
            quantity: left.quantity - quantity,
            gross: left.gross - gross,
            net: left.net - net,
            tax: left.tax - tax,
          };
        };
        for (const cut of cuts) {
          const quantity = Math.floor(cut * left.quantity);
          if (quantity > 0) take(quantity);
        }
        if (left.quantity > 0) take(left.quantity);
        assert.deepEqual(sum, whole);
      }),
    );
  });

  test('a third of 100.00 is 33.33, then 33.33, then 33.34', () => {
    const { item } = lineOf({ quantity: 3_000_000, net: 10_000, rate: 0 });
    const gross = (left: number, quantity: number): number =>
      takeOf({ item, left: { quantity, gross: left, net: left, tax: 0 } }, 1_000_000).grossTotalAmount;
    assert.deepEqual(
      [gross(10_000, 3_000_000), gross(6_667, 2_000_000), gross(3_334, 1_000_000)],
      [3_333, 3_333, 3_334],
    );
  });
});

describe('what people type', () => {
  test('an amount is a whole number of minor units', () => {
    const table: readonly (readonly [string, number, number | undefined])[] = [
      ['12,50', 2, 1_250],
      ['12.50', 2, 1_250],
      ['12.5', 2, 1_250],
      ['12', 2, 1_200],
      ['12.', 2, 1_200],
      [' 1 234,50 ', 2, 123_450],
      ['1\u{a0}234', 0, 1_234],
      ['1,234', 3, 1_234],
      ['0.1', 2, 10],
      ['9999999999.99', 2, 999_999_999_999],
      ['1,234', 2, undefined],
      ['1.5', 0, undefined],
      ['1.234,50', 2, undefined],
      ['-1', 2, undefined],
      ['1e3', 2, undefined],
      ['', 2, undefined],
      ['.5', 2, undefined],
      ['9'.repeat(14), 0, undefined],
    ];
    for (const [text, decimals, expected] of table) assert.equal(parseAmount(text, decimals), expected, text);
  });

  test('what is shown is read back', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: HIGHEST }), fc.integer({ min: 0, max: 4 }), (amount, decimals) => {
        assert.equal(parseAmount(showMinor(amount, decimals), decimals), amount);
      }),
    );
    assert.equal(showMinor(-5, 2), '-0.05');
  });

  test('a quantity is a whole number of millionths', () => {
    const table = { '': 0, '2': 2_000_000, '0,25': 250_000, '.5': 500_000, '1.1234567': undefined, two: undefined };
    for (const [text, expected] of Object.entries(table)) assert.equal(parseQuantity(text), expected, text);
  });
});

test('what will happen is said with what stays', () => {
  const act = { kind: 'charge', of: 'order-1', left: 17_345 } as const;
  const say = (what: Act, amount: number, [decimals, currency]: readonly [number, string] = [2, 'SEK']): string =>
    describeAct(what, amount, consoleTexts('en').acts, (each) => showMoneyIn('en-GB', each, decimals, currency));
  const plain = (...said: Parameters<typeof say>): string =>
    say(...said)
      .replaceAll('\u00a0', ' ')
      .replaceAll('\u2011', '-');
  assert.equal(
    say(act, 12_345),
    'Charge 123.45\u00a0SEK of order\u20111. 50.00\u00a0SEK stay reserved.',
    'amounts and references stay in one line',
  );
  assert.equal(plain({ ...act, kind: 'cancel' }, 17_345), 'Cancel 173.45 SEK of order-1. Nothing stays reserved.');
  assert.equal(
    plain({ ...act, kind: 'refund' }, 345, [0, 'JPY']),
    'Refund 345 JPY of order-1. 17,000 JPY of the charge can still be refunded.',
  );
});
