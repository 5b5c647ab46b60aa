// Goal: a post code of the Nordic countries and Germany is kept in one form however it is written, and refused when it
// cannot be one; elsewhere nobody is kept from paying by it. Method: tables for each country, the countries without post
// codes against the list of all, and properties over codes that are made and over any text.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { readCountry } from '../../src/domain/country.ts';
import { hasPostalCodes, postalCodeExample, tidyPostalCode } from '../../web/shared/postal-code.ts';

const lengths = { SWE: 5, NOR: 4, DNK: 4, FIN: 5, ISL: 3, DEU: 5 } as const;

const table: readonly (readonly [country: string, text: string, tidied: string | undefined])[] = [
  ['SWE', '11122', '11122'],
  ['SWE', '111 22', '11122'],
  ['SWE', ' 111\u00a022 ', '11122'],
  ['SWE', '111-22', '11122'],
  ['SWE', 'SE-111 22', '11122'],
  ['SWE', 'S-11122', '11122'],
  ['SWE', 'se 111 22', '11122'],
  ['SWE', 'SE–11122', '11122'],
  ['SWE', '١١١٢٢', '11122'],
  ['SWE', '\u200e11122', '11122'],
  ['SWE', '', undefined],
  ['SWE', '1112', undefined],
  ['SWE', '111222', undefined],
  ['SWE', 'N-11122', undefined],
  ['SWE', '1112a', undefined],
  ['SWE', '11122 Stockholm', undefined],
  ['SWE', 'SE-SE-11122', undefined],
  ['SWE', '1.1122', undefined],
  ['NOR', '0150', '0150'],
  ['NOR', 'N-0150', '0150'],
  ['NOR', 'NO-0150', '0150'],
  ['NOR', '150', undefined],
  ['NOR', '11122', undefined],
  ['DNK', '1050', '1050'],
  ['DNK', 'DK-1050', '1050'],
  ['DNK', 'D-1050', undefined],
  ['FIN', '00100', '00100'],
  ['FIN', 'FI-00100', '00100'],
  ['FIN', 'FIN-00100', '00100'],
  ['FIN', 'AX-22100', '22100'],
  ['FIN', '100', undefined],
  ['ISL', '101', '101'],
  ['ISL', 'IS-101', '101'],
  ['ISL', '1010', undefined],
  ['DEU', '01067', '01067'],
  ['DEU', 'D-01067', '01067'],
  ['DEU', 'DE 01067', '01067'],
  ['DEU', '1067', undefined],
  ['GBR', ' SW1A  1AA ', 'SW1A 1AA'],
  ['GBR', '', undefined],
  ['GBR', '  ', undefined],
  ['GBR', '\u200b', undefined],
  ['GBR', 'SW1A\u00001AA', undefined],
  ['GBR', 'SW1A\ud800', undefined],
  ['JPN', '〒１００', '〒100'],
  ['USA', '12345-6789', '12345-6789'],
  ['USA', 'x'.repeat(32), 'x'.repeat(32)],
  ['USA', 'x'.repeat(33), undefined],
  ['HKG', '', ''],
  ['ARE', ' ', ''],
  ['IRL', '', ''],
  ['IRL', 'D02 AF30', 'D02 AF30'],
  ['HKG', 'x'.repeat(33), undefined],
  ['constructor', '', undefined],
];

describe('a post code', () => {
  for (const [country, text, tidied] of table) {
    test(`of ${country}, ${JSON.stringify(text)}, is ${tidied === undefined ? 'refused' : `'${tidied}'`}`, () => {
      assert.equal(tidyPostalCode(country, text), tidied);
    });
  }

  for (const [country, length] of Object.entries(lengths)) {
    test(`of ${country} has ${length} digits, as its example`, () => {
      assert.equal(tidyPostalCode(country, postalCodeExample(country) ?? '')?.length, length);
      const code = fc.integer({ min: 0, max: 10 ** length - 1 }).map((number) => String(number).padStart(length, '0'));
      fc.assert(
        fc.property(code, fc.nat(length), (digits, at) => {
          assert.equal(tidyPostalCode(country, `${digits.slice(0, at)} ${digits.slice(at)}`), digits);
          assert.equal(tidyPostalCode(country, `${digits}0`), undefined);
          assert.equal(tidyPostalCode(country, digits.slice(1)), undefined);
        }),
      );
    });
  }

  test('once tidied stays as it is', () => {
    fc.assert(
      fc.property(fc.constantFrom('SWE', 'FIN', 'GBR', 'HKG'), fc.string({ unit: 'grapheme' }), (country, text) => {
        const tidied = tidyPostalCode(country, text);
        if (tidied !== undefined) assert.equal(tidyPostalCode(country, tidied), tidied);
      }),
    );
  });

  test('has an example only where it is checked', () => {
    for (const country of ['GBR', 'HKG', '', 'constructor']) assert.equal(postalCodeExample(country), undefined);
  });
});

test('countries without post codes are countries, and none of those that we check', () => {
  const letters = Array.from({ length: 26 }, (_, index) => String.fromCharCode(65 + index));
  const triples = letters.flatMap((a) => letters.flatMap((b) => letters.map((c) => a + b + c)));
  const without = triples.filter((country) => !hasPostalCodes(country));
  assert.ok(without.length > 50);
  assert.deepEqual(
    without.filter((country) => readCountry(country) !== country),
    [],
  );
  for (const country of [...Object.keys(lengths), 'GBR', 'USA', 'FRA']) assert.equal(hasPostalCodes(country), true);
  for (const country of ['ARE', 'HKG', 'IRL']) assert.equal(hasPostalCodes(country), false);
});
