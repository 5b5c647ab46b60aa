// Goal: a run of digits is recognized exactly when part of it can be a card number, in linear time. Method: random runs
// against the plain rule; the characters that are read are counted.
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { describe, test } from 'node:test';
import { holdsCardNumber, holdsWholeCardNumber } from './card-numbers.ts';
import { maskBody } from '../api/request-log/mask-body.ts';
import { maskOwnText } from '../api/request-log/mask-text.ts';

/** The Luhn check by the book: from the right, every second digit is doubled, and the sum ends in 0. */
function passes(digits: string): boolean {
  const values = Array.from(digits)
    .toReversed()
    .map((digit, at) => (at % 2 === 0 ? Number(digit) : Number(digit) * 2));
  return values.reduce((sum, value) => sum + (value > 9 ? value - 9 : value), 0) % 10 === 0;
}

function holdsAny(digits: string): boolean {
  for (let start = 0; start < digits.length; start += 1)
    for (let length = 12; length <= 19 && start + length <= digits.length; length += 1)
      if (/[2-6]/.test(digits.charAt(start)) && passes(digits.slice(start, start + length))) return true;
  return false;
}

/** How many characters are read one by one. A mock of the test runner would keep each call. */
function countLooks(work: () => void): number {
  const whole = Object.getOwnPropertyDescriptor(String.prototype, 'charCodeAt') as PropertyDescriptor;
  const look = whole.value as (this: string, at: number) => number;
  let looks = 0;
  const value = function counted(this: string, at: number): number {
    looks += 1;
    return look.call(this, at);
  };
  // oxlint-disable-next-line no-extend-native -- only during the synchronous call
  Object.defineProperty(String.prototype, 'charCodeAt', { ...whole, value });
  try {
    work();
    return looks;
  } finally {
    // oxlint-disable-next-line no-extend-native -- restores it
    Object.defineProperty(String.prototype, 'charCodeAt', whole);
  }
}

describe('card numbers', () => {
  test('some of a row can be one: as the plain rule says', () => {
    const digits = fc.array(fc.nat(9), { minLength: 10, maxLength: 24 }).map((each) => each.join(''));
    fc.assert(fc.property(digits, (row) => holdsCardNumber(row) === holdsAny(row)));
  });

  test('what is none: too short, a wrong check digit, apart by letters, years and sizes', () => {
    for (const text of [
      '41111111111',
      '4111 1111 1111 1112 xx',
      '7111111111111111',
      'in 2024, in 2025, in 2026',
      '4111 of 1111 were sent, 1111 of them on a Monday, 1111 later',
      '40 x 60 x 1200 mm',
    ])
      assert.equal(holdsCardNumber(text), false, text);
    assert.equal(holdsWholeCardNumber('20261119-081635-1234'), false);
  });

  test('a text ten times as long is ten times the work, and of a body only the kept beginning of each value', () => {
    // None of these runs can be one, so the whole text is read.
    const hard = (length: number): string => '1'.repeat(length);
    const groups = (length: number): string => '4111 1112 '.repeat(length / 10);
    for (const text of [hard, groups]) {
      const [few, many] = [6_000, 60_000].map((length) => countLooks(() => holdsCardNumber(text(length)))) as [
        number,
        number,
      ];
      assert.ok(few > 0 && many <= few * 11, `${few} and ${many}`);
      assert.ok(many <= 60_000 * 12, String(many));
    }
    assert.ok(countLooks(() => maskOwnText(hard(60_000))) <= 60_000 * 12);
    for (const body of [
      { reference: hard(60_000) },
      { [hard(60_000)]: 1 },
      { url: `https://a.example/${hard(60_000)}` },
      { order: { items: Array.from({ length: 200 }, () => ({ name: hard(280) })) } },
    ]) {
      const looks = countLooks(() => maskBody(JSON.stringify(body)));
      assert.ok(looks > 0 && looks <= 60_000 * 4, String(looks));
    }
    assert.ok(countLooks(() => maskBody(`{"amount":${hard(60_000)}}`)) <= 60_000);
  });
});
