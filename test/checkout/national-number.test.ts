// Goal: a person's and a company's number is taken in every way in which it is written in its country, has one form
// afterwards, and is refused when it has another shape. Method: tables for each country, and properties over numbers
// that are made.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import {
  hasNationalNumber,
  hasOrganisationNumber,
  isNationalNumber,
  isOrganisationNumber,
  nationalNumberExample,
  tidyNationalNumber,
} from '../../web/shared/national-number.ts';

const NORDIC = ['SWE', 'NOR', 'DNK', 'FIN'];
const OTHERS = ['ISL', 'DEU', 'USA', '', 'swe', 'constructor'];

const persons: readonly (readonly [country: string, text: string, tidied: string | undefined])[] = [
  ['SWE', '440424-1111', '4404241111'],
  ['SWE', '4404241111', '4404241111'],
  ['SWE', '19440424-1111', '4404241111'],
  ['SWE', '194404241111', '4404241111'],
  ['SWE', '440424+1111', '4404241111'],
  ['SWE', ' 440424 – 1111 ', '4404241111'],
  ['SWE', '٤٤٠٤٢٤-١١١١', '4404241111'],
  ['SWE', '440484-1111', '4404841111'],
  ['SWE', '44042-41111', undefined],
  ['SWE', '440424-111', undefined],
  ['SWE', '440424--1111', undefined],
  ['SWE', '0440424-1111', undefined],
  ['SWE', '440424-111A', undefined],
  ['SWE', '', undefined],
  ['NOR', '01819012345', '01819012345'],
  ['NOR', '018190 12345', '01819012345'],
  ['NOR', '0181901234', undefined],
  ['NOR', '018190123456', undefined],
  ['DNK', '251248-9996', '2512489996'],
  ['DNK', '2512489996', '2512489996'],
  ['DNK', '251248+9996', undefined],
  ['DNK', '251248-999', undefined],
  ['FIN', '131052-308T', '131052-308T'],
  ['FIN', '131052-308t', '131052-308T'],
  ['FIN', '131002a308t', '131002A308T'],
  ['FIN', '131052+308T', '131052+308T'],
  ['FIN', '131052Y3081', '131052Y3081'],
  ['FIN', '131052308T', undefined],
  ['FIN', '131052G308T', undefined],
  ['FIN', '131052-308O', undefined],
  ['FIN', '131052-30T', undefined],
  ['DEU', '131052-3081', undefined],
  ['constructor', '4404241111', undefined],
];

const companies: Readonly<Record<string, { readonly good: readonly string[]; readonly bad: readonly string[] }>> = {
  SWE: {
    good: ['556677-8899', '5566778899', '165566778899', '440424-1111', '556677–8899', ' 556677 8899 '],
    bad: ['', '556677-889', '556677+8899', '55667788990', 'ABCDEF-GHIJ'],
  },
  NOR: {
    good: ['987654321', '987 654 321', 'NO 987 654 321 MVA', '987.654.321'],
    bad: ['', '98765432', '9876543210', 'DK987654321'],
  },
  DNK: { good: ['12345678', '12 34 56 78', 'DK12345678', 'dk 12345678'], bad: ['', '1234567', '123456789'] },
  FIN: { good: ['1234567-8', '12345678', 'FI12345678'], bad: ['', '123456-78', '1234567-', '1234567-89'] },
  DEU: {
    good: ['HRB 12345 B', 'x', 'x'.repeat(64)],
    bad: ['', ' ', '\u200b', 'x'.repeat(65), 'a\u0000', 'a\nb', '\ud800'],
  },
};

describe('a national number', () => {
  for (const [country, text, tidied] of persons) {
    test(`of ${country}, '${text}', is ${tidied === undefined ? 'refused' : 'taken'}`, () => {
      assert.equal(tidyNationalNumber(country, text), tidied);
      assert.equal(isNationalNumber(country, text), tidied !== undefined);
    });
  }

  test('is had by four countries, each with an example that is taken', () => {
    for (const country of NORDIC) {
      assert.equal(hasNationalNumber(country), true);
      assert.equal(isNationalNumber(country, nationalNumberExample(country) ?? ''), true);
    }
    for (const country of OTHERS) {
      assert.equal(hasNationalNumber(country), false);
      assert.equal(nationalNumberExample(country), undefined);
    }
  });

  test('of Sweden has one form however it is written', () => {
    const digit = fc.integer({ min: 0, max: 9 });
    const someDigits = fc.array(digit, { minLength: 10, maxLength: 10 }).map((list) => list.join(''));
    fc.assert(
      fc.property(
        someDigits,
        fc.constantFrom('', '19', '20'),
        fc.constantFrom('', '-', '+', ' '),
        (digits, century, sign) => {
          assert.equal(tidyNationalNumber('SWE', century + digits.slice(0, 6) + sign + digits.slice(6)), digits);
        },
      ),
    );
  });

  test('once tidied stays as it is', () => {
    const someText = fc.string({
      unit: fc.constantFrom(...Array.from('0123456789-+ aT')),
      minLength: 9,
      maxLength: 13,
    });
    fc.assert(
      fc.property(fc.constantFrom(...NORDIC), someText, (country, text) => {
        const tidied = tidyNationalNumber(country, text);
        if (tidied !== undefined) assert.equal(tidyNationalNumber(country, tidied), tidied);
      }),
      { examples: NORDIC.map((country): [string, string] => [country, nationalNumberExample(country) ?? '']) },
    );
  });
});

describe('an organisation number', () => {
  for (const [country, { good, bad }] of Object.entries(companies)) {
    for (const text of good) {
      test(`of ${country} is taken: '${text}'`, () => assert.equal(isOrganisationNumber(country, text), true));
    }
    for (const text of bad) {
      test(`of ${country} is refused: ${JSON.stringify(text)}`, () => {
        assert.equal(isOrganisationNumber(country, text), false);
      });
    }
  }

  test('has a known shape in four countries', () => {
    for (const country of NORDIC) assert.equal(hasOrganisationNumber(country), true);
    for (const country of OTHERS) assert.equal(hasOrganisationNumber(country), false);
  });
});
