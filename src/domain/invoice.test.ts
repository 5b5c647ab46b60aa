// Goal: invoice numbers are 24 digits that follow from the charge alone, with a check digit that catches what people
// mistype. Method: known Luhn numbers, properties, and the calendar at its edges.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { makeId } from './id.ts';
import { checkDigitOf } from './check-digit.ts';
import { dueDateOf, invoiceNumberOf, isUnnumbered, ocrOf } from './invoice.ts';
import type { Movement } from './movement.ts';
import type { Payment } from './payment.ts';

const digits = fc.stringMatching(/^\d{24}$/);

// decision: invoice-number-of-a-charge
test('an invoice number has 24 digits: time and eleven of the tail', () => {
  assert.equal(invoiceNumberOf(makeId(1_763_193_600_000, 4095, '8000000000000001')), '176319360000000000000001');
  fc.assert(
    fc.property(
      fc.integer({ min: 0, max: 9_999_999_999_999 }),
      fc.integer({ min: 0, max: 4095 }),
      fc.stringMatching(/^[0-9a-f]{16}$/),
      (at, part, tail) => assert.match(invoiceNumberOf(makeId(at, part, tail)), /^\d{24}$/),
    ),
  );
});

// decision: invoice-number-of-a-charge
test('charges that differ in time or tail have different numbers', () => {
  const tail = '8000000000000001';
  const ids = [makeId(1, 1, tail), makeId(2, 1, tail), makeId(1, 1, '8000000000000002')];
  assert.equal(new Set(ids.map(invoiceNumberOf)).size, ids.length);
});

test('the check digit is that of modulus 10', () => {
  for (const [number, digit] of [
    ['7992739871', '3'],
    ['1', '8'],
    ['0', '0'],
    ['', '0'],
    ['4992739871', '6'],
    ['123456781234567', '0'],
  ] as const)
    assert.equal(checkDigitOf(number), digit, number);
});

test('a payment reference with one digit mistyped, or two neighbours swapped, does not check', () => {
  const checks = (ocr: string): boolean => ocr === ocrOf(ocr.slice(0, -1));
  fc.assert(
    fc.property(digits, fc.nat(24), fc.integer({ min: 1, max: 9 }), (number, at, by) => {
      const ocr = ocrOf(number);
      assert.equal(ocr.length, 25);
      assert.ok(checks(ocr));
      const wrong = String((Number(ocr[at]) + by) % 10);
      assert.ok(!checks(ocr.slice(0, at) + wrong + ocr.slice(at + 1)));
      const [a, b] = [ocr[at], ocr[at + 1]];
      // Modulus 10 is blind to 09 and 90 alone.
      if (b === undefined || a === b || `${a}${b}` === '09' || `${a}${b}` === '90') return;
      assert.ok(!checks(ocr.slice(0, at) + b + a + ocr.slice(at + 2)));
    }),
  );
});

// decision: invoice-number-of-a-charge
test('an invoice is due at midnight UTC, 14 days after the charge', () => {
  for (const [charged, due] of [
    ['2026-11-15T00:00:00.000Z', '2026-11-29T00:00:00.000Z'],
    ['2026-11-15T23:59:59.999Z', '2026-11-29T00:00:00.000Z'],
    ['2024-02-15T12:00:00.000Z', '2024-02-29T00:00:00.000Z'],
    ['2026-12-20T12:00:00.000Z', '2027-01-03T00:00:00.000Z'],
  ] as const)
    assert.equal(new Date(dueDateOf(Date.parse(charged))).toISOString(), due);
});

test('what needs a number is an approved charge or refund on invoice that has none', () => {
  const [charge, issued] = [{ kind: 'charge', state: 'approved' }, { number: 1 }];
  const needs = (movement: object, method: object = { invoice: {} }): boolean =>
    isUnnumbered({ method, movements: [movement as Movement] } as unknown as Payment);
  assert.ok(needs(charge) && needs({ ...charge, kind: 'refund' }));
  for (const other of [
    { kind: 'cancel' },
    { kind: 'reservation' },
    { state: 'pending' },
    { state: 'declined' },
    { issued },
  ])
    assert.ok(!needs({ ...charge, ...other }), JSON.stringify(other));
  assert.ok(!needs(charge, {}));
});
