// Amounts as people read them.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Language } from '../../pages/language.ts';
import { showMoney, showPercent } from './money.ts';

test('amounts are exact, with the marks of the language and the code of the currency', () => {
  const cases: readonly [amount: number, currency: string, language: Language, text: string][] = [
    [12_345, 'SEK', 'en', '123.45 SEK'],
    [123_456_789, 'SEK', 'en', '1,234,567.89 SEK'],
    [123_456_789, 'SEK', 'sv', '1 234 567,89 SEK'],
    [123_456_789, 'NOK', 'nb', '1 234 567,89 NOK'],
    [-100_000, 'EUR', 'de', '-1.000,00 EUR'],
    [1_234_567, 'JPY', 'fr', '1 234 567 JPY'],
    [1_234_567, 'BHD', 'fi', '1 234,567 BHD'],
    [999_999_999_999, 'PLN', 'pl', '9 999 999 999,99 PLN'],
  ];
  for (const [amount, currency, language, text] of cases)
    assert.equal(showMoney(amount, currency, language).replaceAll(/[\u00A0\u202F]/g, ' '), text);
});

test('shares in percent', () => {
  assert.equal(showPercent(0.925, 'en'), '92.5%');
  assert.equal(showPercent(0.925, 'de').replace('\u00A0', ' '), '92,5 %');
});
