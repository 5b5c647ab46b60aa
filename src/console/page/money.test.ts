// Amounts as people read them.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { showMoney } from './money.ts';

test('thousands are set apart, decimals are not', () => {
  const cases: readonly [amount: number, currency: string, text: string][] = [
    [12_345, 'SEK', '123.45 SEK'],
    [123_456_789, 'SEK', '1 234 567.89 SEK'],
    [-100_000, 'SEK', '-1 000.00 SEK'],
    [1_234_567, 'JPY', '1 234 567 JPY'],
    [1_234_567, 'BHD', '1 234.567 BHD'],
  ];
  for (const [amount, currency, text] of cases)
    assert.equal(showMoney(amount, currency).replaceAll('\u202f', ' '), text);
});
