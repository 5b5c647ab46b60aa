// Goal: whatever people know of a payment is understood, as all that it can mean. Method: a table of texts.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { understand } from './understand.ts';

const ID = '01a1e3f13f6f7395baf8b9db31f9458a';

/** The meanings of a text, in short. */
const meant = (text: string): string[] =>
  understand(text).map((meaning) => {
    switch (meaning.kind) {
      case 'amount':
        return `${meaning.amount} ${meaning.currencies.length > 1 ? 'any' : meaning.currencies[0]}`;
      case 'name':
        return [meaning.last, ...(meaning.first === undefined ? [] : [meaning.first])].join(', ');
      default:
        return meaning.kind;
    }
  });

const cases: readonly (readonly [text: string, meanings: readonly string[]])[] = [
  ['', []],
  [' \0 ', []],
  [ID, ['id', 'reference']],
  [ID.toUpperCase(), ['id', 'reference']],
  ['01a1e3f1-3f6f-7395-baf8-b9db31f9458a', ['id', 'reference']],
  ['ada@example.com', ['email', 'reference']],
  ['1234', ['reference', 'last four', '123400 any', '1234 any', '1234000 any', '12340000 any']],
  ['123.45', ['reference', '12345 any', '123450 any', '1234500 any']],
  ['123,45 SEK', ['reference', '12345 SEK']],
  ['1 234 567,5 eur', ['reference', '123456750 EUR']],
  ['500 JPY', ['reference', '500 JPY']],
  ['+46 70-123 45 67', ['reference', 'phone']],
  ['0701234567', ['reference', 'phone', '70123456700 any', '701234567 any', '701234567000 any', '7012345670000 any']],
  ['order-7', ['reference', 'order-7']],
  ['Lovelace', ['reference', 'Lovelace']],
  ['Ada  Lovelace', ['reference', 'Ada Lovelace', 'Lovelace, Ada']],
  ['Lovelace, Ada', ['reference', 'Lovelace, Ada']],
  ['a b c', ['reference', 'a b c', 'b c, a', 'c, a b']],
];

for (const [text, meanings] of cases)
  test(JSON.stringify(text), () => {
    assert.deepEqual(meant(text).toSorted(), meanings.toSorted());
  });
