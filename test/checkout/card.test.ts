// Goal: the card form takes every card as people write it, tells what is wrong with the rest, and never stands in the
// way of typing or deleting. Method: tables of good and bad input for each rule, properties over any digits, and typing
// played key by key.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import {
  brandOf,
  checkCardNumber,
  checkCvc,
  checkExpiry,
  digitsOf,
  expiryOf,
  formatExpiry,
  groupDigits,
  isExpired,
  longestOf,
  passesLuhn,
  readExpiry,
  toAsciiDigits,
} from '../../web/shared/card.ts';
import type { Brand } from '../../web/shared/card.ts';

const NOW = Date.UTC(2026, 7, 15);
const digits = (minLength: number, maxLength: number) =>
  fc.array(fc.integer({ min: 0, max: 9 }), { minLength, maxLength }).map((list) => list.join(''));

describe('digits', () => {
  const table: readonly (readonly [text: string, digits: string])[] = [
    ['', ''],
    ['4242 4242-4242.4242', '4242424242424242'],
    ['٠١٢٣٤٥٦٧٨٩', '0123456789'],
    ['۰۱۲۳۴۵۶۷۸۹', '0123456789'],
    ['０１２３４５６７８９', '0123456789'],
    ['4\u00a02\u200e4\t2\n', '4242'],
    ['card no. 4x', '4'],
    ['²½Ⅷ①', ''],
  ];
  for (const [text, expected] of table) {
    test(`of ${JSON.stringify(text)}`, () => assert.equal(digitsOf(text), expected));
  }

  test('are made ASCII while all else stays', () => {
    assert.equal(toAsciiDigits('١２/۳ a–é\u{1f600}'), '12/3 a–é\u{1f600}');
  });
});

describe('brand', () => {
  const table: readonly (readonly [prefixes: string, brand: Brand | undefined])[] = [
    ['4 40 4242 4570 4572', 'visa'],
    ['4571 45710000 5019 501900', 'dankort'],
    ['51 52 53 54 55 5413 2221 2229 223 229 23 26 270 271 2720', 'mastercard'],
    ['34 37 371449635398431', 'amex'],
    ['500 502 509 5018 5010 56 57 58 6304 6390 67 6759', 'maestro'],
    ['300 305 3095 36 38 39', 'diners'],
    ['6011 644 649 65 622126 622925 6225', 'discover'],
    ['3528 3529 353 358', 'jcb'],
    [
      '0 1 2 22 222 2220 27 272 2721 28 3 30 306 309 35 352 3527 359 5 50 501 59 6 60 64 643 62 622125 622926 7 8 9 x',
      undefined,
    ],
  ];
  for (const [prefixes, brand] of table) {
    for (const prefix of prefixes.split(' ')) {
      test(`of ${prefix} is ${brand ?? 'not told'}`, () => assert.equal(brandOf(prefix), brand));
    }
  }

  test('of nothing is not told', () => assert.equal(brandOf(''), undefined));

  test('once told stays, but for Visa that becomes Visa/Dankort', () => {
    fc.assert(
      fc.property(digits(1, 18), digits(1, 1), (start, next) => {
        const before = brandOf(start);
        const after = brandOf(start + next);
        assert.ok(before === undefined || after === before || (start + next === '4571' && after === 'dankort'));
      }),
      { examples: [['457', '1']] },
    );
  });
});

describe('groups', () => {
  const table: readonly (readonly [digits: string, groups: string])[] = [
    ['', ''],
    ['4', '4'],
    ['4242', '4242'],
    ['42424', '4242 4'],
    ['4242424242424242', '4242 4242 4242 4242'],
    ['4242424242424242424', '4242 4242 4242 4242 424'],
    ['42424242424242424249', '4242 4242 4242 4242 424'],
    ['3782', '3782'],
    ['37828', '3782 8'],
    ['378282246310005', '3782 822463 10005'],
    ['36227206271667', '3622 720627 1667'],
    ['3622720627166712', '3622 7206 2716 6712'],
  ];
  for (const [text, expected] of table) {
    test(`of ${text} are '${expected}'`, () => assert.equal(groupDigits(text), expected));
  }

  test('hold all digits and end in none of the spaces', () => {
    fc.assert(
      fc.property(fc.constantFrom('', '4', '34', '36', '5019'), digits(0, 15), (start, rest) => {
        const grouped = groupDigits(start + rest);
        assert.equal(digitsOf(grouped), start + rest);
        assert.equal(grouped, grouped.trim());
        assert.equal(groupDigits(digitsOf(grouped)), grouped);
      }),
    );
  });

  for (const [text, longest] of Object.entries({ 4: 19, 4571: 16, 51: 16, 34: 15, 36: 19, 67: 19, 9: 19 })) {
    test(`of a number that starts with ${text} hold at most ${longest}`, () => assert.equal(longestOf(text), longest));
  }
  test('of a number yet unknown hold at most 19', () => assert.equal(longestOf(''), 19));
});

describe('check digit', () => {
  for (const bad of ['', 'x', '4242424242424241', '4242 4242 4242 4242', '٠']) {
    test(`fails for '${bad}'`, () => assert.equal(passesLuhn(bad), false));
  }

  test('is one of ten, and one wrong digit fails', () => {
    fc.assert(
      fc.property(digits(11, 18), fc.nat(17), fc.integer({ min: 1, max: 9 }), (start, place, by) => {
        const right = Array.from('0123456789', (last) => start + last).filter(passesLuhn);
        assert.equal(right.length, 1);
        const [number = ''] = right;
        const at = place % number.length;
        const wrong = number.slice(0, at) + String((Number(number[at]) + by) % 10) + number.slice(at + 1);
        assert.equal(passesLuhn(wrong), false);
      }),
    );
  });
});

describe('card number', () => {
  const table: Readonly<Record<'missing' | 'incomplete' | 'invalid' | 'fine', readonly string[]>> = {
    missing: ['', '   ', '\t', '\u00a0'],
    incomplete: [
      '4242 4242 4242',
      '5413 0000 0000 000',
      ...'4 4222222222222 37828224631000 3622720627166 99999999999 -'.split(' '),
    ],
    invalid: [
      '4242 4242 4242 424x',
      '4242424242424242 Anna',
      '4242/4242/4242/4242',
      ...'4242424242424241 3782822463100050 54130000000000000 42424242424242424242 999999999999'.split(' '),
      '4'.repeat(100_000),
    ],
    fine: [
      '4925000000000004',
      '5413 0000 0000 0000',
      ' 4242-4242-4242-4242 ',
      '٤٢٤٢٤٢٤٢٤٢٤٢٤٢٤٢',
      '\u202a4000000000000002\u202c',
      ...'4268270087374847 5213199803453465 4000002760003184 4000008400001629 378282246310005 36227206271667'.split(
        ' ',
      ),
      ...'5019717010103742 6759649826438453 6011111111111117 3566002020360505'.split(' '),
    ],
  };
  for (const [outcome, texts] of Object.entries(table)) {
    for (const text of texts) {
      test(`${JSON.stringify(text.slice(0, 40))} is ${outcome}`, () => {
        assert.equal(checkCardNumber(text), outcome === 'fine' ? undefined : outcome);
      });
    }
  }
});

describe('expiry', () => {
  const readable: readonly (readonly [text: string, month: number, year: number])[] = [
    ['12/30', 12, 2030],
    ['1230', 12, 2030],
    ['12 / 2030', 12, 2030],
    ['122030', 12, 2030],
    ['1/30', 1, 2030],
    ['12-2030', 12, 2030],
    ['12–30', 12, 2030],
    ['12.30', 12, 2030],
    ['12 30', 12, 2030],
    [' 01 / 30 ', 1, 2030],
    ['2030-12', 12, 2030],
    ['١٢/٣٠', 12, 2030],
    ['01/00', 1, 2000],
    ['12/1999', 12, 1999],
  ];
  for (const [text, month, year] of readable) {
    test(`${text} is read`, () => assert.deepEqual(readExpiry(text), { month, year }));
  }
  const unreadable =
    '|1|12|123|130|12/3|12/203|12/20301|0/30|00/30|13/30|1330|2030|123/30|12/|/30|12//|a/b|12/3a|12x30|-1/30|12/0030|2030-13';
  for (const text of unreadable.split('|')) {
    test(`'${text}' is not`, () => assert.equal(readExpiry(text), undefined));
  }

  const parts: readonly (readonly [month: string | number, year: string | number, isOne: boolean])[] = [
    [12, 30, true],
    ['12', '30', true],
    ['12', 2030, true],
    [' 12 ', ' 2030 ', true],
    [0, 30, false],
    [13, 30, false],
    ['', '', false],
    ['012', '30', false],
    [12.5, 30, false],
    ...[Number.NaN, -30, 203, '20 30', 1e21].map((year) => [12, year, false] as const),
  ];
  for (const [month, year, isOne] of parts) {
    test(`in parts ${JSON.stringify([month, year])} is ${isOne ? 'read' : 'refused'}`, () => {
      assert.deepEqual(expiryOf(month, year), isOne ? { month: 12, year: 2030 } : undefined);
    });
  }

  test('holds to the end of its month', () => {
    const isOver = (month: number, now: number) => isExpired({ month, year: 2026 }, now);
    assert.equal(isOver(8, Date.UTC(2026, 8, 1) - 1), false);
    assert.equal(isOver(8, Date.UTC(2026, 8, 1)), true);
    assert.equal(isOver(12, Date.UTC(2027, 0, 1) - 1), false);
    assert.equal(isOver(12, Date.UTC(2027, 0, 1)), true);
  });

  const checked: readonly (readonly [text: string, outcome: ReturnType<typeof checkExpiry>])[] = [
    ['', 'missing'],
    ['  ', 'missing'],
    ['12', 'invalid'],
    ['13/30', 'invalid'],
    ['abc', 'invalid'],
    ['07/26', 'expired'],
    ['12/1999', 'expired'],
    ['08/26', undefined],
    ['08/46', undefined],
    ['09/46', 'invalid'],
    ['12/2999', 'invalid'],
  ];
  for (const [text, outcome] of checked) {
    test(`'${text}' in August 2026 is ${outcome ?? 'fine'}`, () => assert.equal(checkExpiry(text, NOW), outcome));
  }
});

describe('expiry while it is typed', () => {
  const table: readonly (readonly [text: string, previous: string, shown: string])[] = [
    ['', '', ''],
    ['0', '', '0'],
    ['1', '', '1'],
    ['4', '', '04 / '],
    ['12', '1', '12 / '],
    ['04', '0', '04 / '],
    ['13', '1', '01 / 3'],
    ['1/', '1', '01 / '],
    ['1 ', '1', '01 / '],
    ['1x', '1', '1'],
    ['0/', '0', '0'],
    ['/', '', ''],
    ['abc', '', ''],
    ['12 / /', '12 / ', '12 / '],
    ['123', '12', '12 / 3'],
    ['12 / 30', '12 / 3', '12 / 30'],
    ['12 / 203', '12 / 20', '12 / 203'],
    ['12 / 2030', '12 / 203', '12 / 30'],
    ['12 / 301', '12 / 30', '12 / 301'],
    ['1230', '', '12 / 30'],
    ['12-2030', '', '12 / 30'],
    ['2030-12', '', '12 / 30'],
    ['1/30', '', '01 / 30'],
    ['١٢', '١', '12 / '],
    ['12/1999', '', '12 / 1999'],
    ['12/19991', '', '12 / 1999'],
    ['12/20301', '', '12 / 30'],
    ['4', '12 / 30', '04 / '],
    ['12 /', '12 / ', '12'],
    ['12 / ', '12 / 3', '12'],
    ['1', '12', '1'],
    ['0', '04', '0'],
    ['', '12 / 30', ''],
    ['1 / 30', '12 / 30', '1 / 30'],
    ['12 / 0', '12 / 30', '12 / 0'],
  ];
  for (const [text, previous, shown] of table) {
    test(`'${text}' after '${previous}' is '${shown}'`, () => assert.equal(formatExpiry(text, previous), shown));
  }

  test('needs no previous text', () => assert.equal(formatExpiry('1230'), '12 / 30'));

  const someMonth = fc.integer({ min: 1, max: 12 });
  const someYear = fc.integer({ min: 0, max: 99 });
  test('comes out as meant, key by key, with two or four digits of the year, with a slash or without', () => {
    fc.assert(
      fc.property(someMonth, someYear, fc.boolean(), fc.boolean(), (month, year, isLong, hasSlash) => {
        const mm = String(month).padStart(2, '0');
        const yy = String(year).padStart(2, '0');
        let shown = '';
        for (const key of `${mm}${hasSlash ? '/' : ''}${isLong ? '20' : ''}${yy}`)
          shown = formatExpiry(shown + key, shown);
        assert.equal(shown, `${mm} / ${yy}`);
      }),
    );
  });

  test('can always be deleted to nothing, each key taking something away', () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom(...Array.from('0123456789/ -')) }), (text) => {
        let shown = formatExpiry(text);
        while (shown !== '') {
          const next = formatExpiry(shown.slice(0, -1), shown);
          assert.ok(next.length < shown.length);
          shown = next;
        }
      }),
    );
  });

  test('is settled after one pass, and read as before', () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom(...Array.from('0123456789/ -٣a')) }), (text) => {
        const shown = formatExpiry(text);
        assert.equal(formatExpiry(shown), shown);
        const expiry = readExpiry(text);
        // Of another century it is shown as it is typed: it is over, or no card's.
        if (expiry && expiry.year >= 2000 && expiry.year < 2100) assert.deepEqual(readExpiry(shown), expiry);
      }),
    );
  });
});

describe('verification code', () => {
  const table: readonly (readonly [text: string, brand: Brand | undefined, outcome: ReturnType<typeof checkCvc>])[] = [
    ['', 'visa', 'missing'],
    [' ', undefined, 'missing'],
    ['123', 'visa', undefined],
    [' 123 ', 'dankort', undefined],
    ['١٢٣', 'visa', undefined],
    ['12', 'visa', 'invalid'],
    ['1234', 'visa', 'invalid'],
    ['1234', 'amex', undefined],
    ['123', 'amex', 'invalid'],
    ['123', undefined, undefined],
    ['1234', undefined, undefined],
    ['12345', undefined, 'invalid'],
    ['12a', undefined, 'invalid'],
    ['1 23', 'visa', 'invalid'],
  ];
  for (const [text, brand, outcome] of table) {
    test(`'${text}' of ${brand ?? 'an unknown card'} is ${outcome ?? 'fine'}`, () => {
      assert.equal(checkCvc(text, brand), outcome);
    });
  }
});
