// Goal: a consumer cannot leave a card number where another text belongs, and a long number that is no card is taken.
// Method: texts as people type them.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { holdsCardNumber } from './card-text.ts';

test('a number of a card of a known brand is found, also grouped and within a longer row of digits', () => {
  for (const text of ['4539 1488 0343 6467', 'c/o 4539148803436467', '00453914880343646700', '4539-1488-0343-6467'])
    assert.ok(holdsCardNumber(text), text);
});

test('digits that are no card are not', () => {
  for (const text of ['4539 1488 0343 6468', '9999999999999999', 'Gatan 1, 111 22 Stockholm', '453914880343'])
    assert.ok(!holdsCardNumber(text), text);
});
