// Goal: an invoice is paid with a reference that the banks of its seller's country take. Method: published examples, and
// the checks as a bank makes them, over many numbers.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { checkDigitOf } from './check-digit.ts';
import { invoiceNumberOf, ocrOf } from './invoice.ts';
import { makeId } from './id.ts';
import { isReferenceKnown, referenceOf } from './payment-reference.ts';
import { modulus97 } from './seller-numbers.ts';

const id = makeId(1_763_193_600_000, 4095, '8000000000000001');
const invoiceNumber = invoiceNumberOf(id);
const of = (country: string | undefined, number: number): string =>
  referenceOf({ id, invoiceNumber, issued: { number, seller: { ...(country && { country }) } } });
const numbers = fc.integer({ min: 1, max: 99_999_999_999_999 });

// decision: payment-references-of-invoices
test('Swedish and Norwegian ones are the long number with its check digit, as before and without a seller', () => {
  for (const country of ['SWE', 'NOR', undefined]) assert.equal(of(country, 7), ocrOf(invoiceNumber));
  assert.equal(referenceOf({ id, invoiceNumber }), ocrOf(invoiceNumber));
});

// decision: payment-references-of-invoices
test('Finnish ones check by the weights 7, 3, 1 and fit into 20 digits', () => {
  assert.equal(of('FIN', 1), '10000016');
  fc.assert(
    fc.property(numbers, (number) => {
      const digits = Array.from(of('FIN', number), Number);
      assert.ok(digits.length >= 4 && digits.length <= 20 && digits[0] !== 0);
      const [check = 0, ...base] = digits.toReversed();
      const weighted = base.reduce((sum, digit, at) => sum + digit * ([7, 3, 1][at % 3] ?? 0), check);
      assert.equal(weighted % 10, 0);
    }),
  );
});

// decision: payment-references-of-invoices
test('Danish ones have fifteen digits, the last of which checks the others', () => {
  assert.equal(of('DNK', 1), '000000000000018');
  fc.assert(
    fc.property(numbers, (number) => {
      const reference = of('DNK', number);
      assert.match(reference, /^\d{15}$/);
      assert.equal(checkDigitOf(reference.slice(0, -1)), reference.slice(-1));
    }),
  );
});

// decision: payment-references-of-invoices
test('elsewhere they are those of ISO 11649', () => {
  fc.assert(
    fc.property(numbers, (number) => {
      const reference = of('DEU', number);
      assert.match(reference, /^RF\d{2}[\dA-Z]{1,21}$/);
      assert.equal(modulus97(reference.slice(4) + reference.slice(0, 4)), 1);
    }),
  );
});

// decision: payment-references-of-invoices
test('one that is made of the number is known when the number is', () => {
  const issued = { number: 1, seller: {} };
  assert.ok(isReferenceKnown({ id, issued }, { seller: { country: 'FIN' } }));
  assert.ok(!isReferenceKnown({ id }, { seller: { country: 'FIN' } }));
  assert.ok(isReferenceKnown({ id }, { seller: { country: 'SWE' } }));
  assert.ok(isReferenceKnown({ id }, {}));
});
