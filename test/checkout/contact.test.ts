// Goal: nobody is refused for how a name, an address of mail or a phone number is written, and nothing passes that
// cannot be stored, sent or called. Method: tables of good and bad texts, the calling codes against the list of
// countries, and properties over names and numbers of any kind.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { readCountry } from '../../src/domain/country.ts';
import { callingCodeOf, callingCodes } from '../../web/shared/calling-code.ts';
import { isEmail, isName, isPhoneNumber, isPhonePrefix, tidyPhoneNumber } from '../../web/shared/contact.ts';

type Table = {
  readonly rule: (text: string) => boolean;
  readonly good: readonly string[];
  readonly bad: readonly string[];
};

const tables: Readonly<Record<string, Table>> = {
  'e-mail': {
    rule: isEmail,
    good: [
      'a@b.se',
      'anna.lind+shop@mail.example.co.uk',
      "o'neil@example.com",
      'åsa@räksmörgås.se',
      '用户@例子.中国',
      'пример@почта.рф',
      'a..b@docomo.example',
      `${'a'.repeat(242)}@example.com`,
    ],
    bad: [
      '',
      '@',
      'a',
      'a@b',
      'a@b.',
      'a@.se',
      'a@b..se',
      'a@b.s',
      '@b.se',
      'a@@b.se',
      'a@b@c.se',
      'a b@c.se',
      ' a@b.se',
      'a@b.se ',
      'a@b.se\n',
      'a@b.se,c@d.se',
      '<a@b.se>',
      'mailto:a@b.se',
      'a\u0000@b.se',
      'a\u200b@b.se',
      'a\ud800@b.se',
      `${'a'.repeat(243)}@example.com`,
      `a@${'b.'.repeat(100_000)}`,
    ],
  },
  name: {
    rule: isName,
    good: [
      'A',
      "Seán O'Neil-Ødegård, Jr.",
      'X Æ A-12',
      '李小龍',
      'محمد',
      'می\u200cخواهم',
      'José\u0301',
      'Smith & Søn (A/S) "3"',
      '\u{1f600}',
      ' Anna ',
      '\u{20bb7}'.repeat(128),
      'a'.repeat(128),
    ],
    bad: ['', ' ', '\u00a0', '\u200b', 'A\u0000', 'A\nB', 'A\tB', 'A\u007f', '\ud800', 'a'.repeat(129)],
  },
  'phone prefix': {
    rule: isPhonePrefix,
    good: ['+46', '+1', '+358', '+1242'],
    bad: ['', '+', '46', '0046', '+046', '+12345', '+4a', ' +46', '+46 ', '+٤٦'],
  },
  'phone number': {
    rule: isPhoneNumber,
    good: [
      '1234',
      '070-123 45 67',
      '(08) 123.456',
      '08/123456',
      '70\u00a0123\u202f45',
      '070–1234567',
      '٠٧٠١٢٣٤٥٦٧',
      '123456789012345',
    ],
    bad: ['', ' ', '123', '1234567890123456', '+46701234567', '070123456x', '12a34', '----', '070 123, 070 124'],
  },
};

for (const [name, { rule, good, bad }] of Object.entries(tables)) {
  describe(name, () => {
    for (const text of good) {
      test(`takes ${JSON.stringify(text.slice(0, 40))}`, () => assert.equal(rule(text), true));
    }
    for (const text of bad) {
      test(`refuses ${JSON.stringify(text.slice(0, 40))}`, () => assert.equal(rule(text), false));
    }
  });
}

test('a name is taken in the letters and signs of any script', () => {
  const sign = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 1 }).filter((text) => !/[\s\p{C}]/u.test(text));
  fc.assert(fc.property(sign, (text) => assert.equal(isName(text), true)));
});

describe('a tidied phone number', () => {
  const table: readonly (readonly [text: string, prefix: string | undefined, tidied: string])[] = [
    ['070-123 45 67', '+46', '0701234567'],
    ['+46 (0)70-123 45 67', '+46', '0701234567'],
    ['\u202a+46 70 1234567\u202c', '+46', '701234567'],
    ['0046701234567', '+46', '701234567'],
    ['+47 70123456', '+46', '+4770123456'],
    ['4670123', '+46', '4670123'],
    ['+4670123', undefined, '+4670123'],
    ['1234', 'nonsense', '1234'],
    ['١٢٣٤', '+46', '1234'],
    ['12 x 34', '+46', '12x34'],
    ['', '+46', ''],
  ];
  for (const [text, prefix, tidied] of table) {
    test(`of '${text}' with ${prefix ?? 'no prefix'} is '${tidied}'`, () => {
      assert.equal(tidyPhoneNumber(text, prefix), tidied);
    });
  }

  test('is taken with its own prefix before it, refused with that of another country', () => {
    assert.equal(isPhoneNumber('+46701234567', '+46'), true);
    assert.equal(isPhoneNumber('+47701234567', '+46'), false);
  });

  test('is the same with anything usual between its digits', () => {
    const gap = fc.constantFrom('', ' ', '-', '(', ')', '.', '\u00a0');
    const someDigits = fc.array(fc.tuple(fc.integer({ min: 1, max: 9 }), gap), { minLength: 4, maxLength: 15 });
    fc.assert(
      fc.property(someDigits, (list) => {
        const text = list.flat().join('');
        assert.equal(tidyPhoneNumber(text, '+46'), list.map(([digit]) => digit).join(''));
        assert.equal(isPhoneNumber(text), true);
      }),
    );
  });
});

describe('a calling code', () => {
  const europe =
    'ALB AND ARM AUT AZE BEL BGR BIH BLR CHE CYP CZE DEU DNK ESP EST FIN FRA GBR GEO GRC HRV HUN IRL ISL ITA LIE LTU LUX ' +
    'LVA MCO MDA MKD MLT MNE NLD NOR POL PRT ROU RUS SMR SRB SVK SVN SWE TUR UKR VAT';
  test('is known for all of Europe', () => {
    assert.deepEqual(
      europe.split(' ').filter((country) => callingCodeOf(country) === undefined),
      [],
    );
  });

  const known = {
    SWE: '+46',
    NOR: '+47',
    DNK: '+45',
    FIN: '+358',
    ISL: '+354',
    DEU: '+49',
    GBR: '+44',
    USA: '+1',
    IND: '+91',
  };
  for (const [country, code] of Object.entries(known)) {
    test(`of ${country} is ${code}`, () => assert.equal(callingCodeOf(country), code));
  }
  for (const country of ['', 'SE', 'swe', 'XXX', 'constructor']) {
    test(`of '${country}' is not known`, () => assert.equal(callingCodeOf(country), undefined));
  }

  test('is listed once, is a prefix, and belongs to a country', () => {
    assert.equal(new Set(callingCodes).size, callingCodes.length);
    assert.deepEqual(
      callingCodes.filter((code) => !isPhonePrefix(code)),
      [],
    );
    const letters = Array.from({ length: 26 }, (_, index) => String.fromCharCode(65 + index));
    const triples = letters.flatMap((a) => letters.flatMap((b) => letters.map((c) => a + b + c)));
    const named = triples.filter((country) => callingCodeOf(country) !== undefined);
    assert.ok(named.length > 120);
    assert.deepEqual(
      named.filter((country) => readCountry(country) !== country),
      [],
    );
    assert.deepEqual(new Set(named.map(callingCodeOf)), new Set(callingCodes));
  });
});
