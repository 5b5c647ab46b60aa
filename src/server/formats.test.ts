// Goal: a format accepts what the contract accepts and nothing else. Method: tables of good and bad values for each, and
// properties where a table would miss the edge.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { FORMAT_TEXTS, formats, holdsOnlyTexts, readDay, readMoment } from './formats.ts';

type Table = { readonly good: readonly string[]; readonly bad: readonly string[] };

const NUL = '\0';
const LONE = '\ud800';

const tables: Readonly<Record<'text' | 'web-url' | 'currency' | 'country' | 'header-value' | 'day' | 'moment', Table>> =
  {
    text: {
      good: ['', 'a', 'Åse Ødegård', '\u{1f600}', '\u0001\t\n', '\u202e', "O'Neil; drop table payments"],
      bad: [NUL, `a${NUL}b`, LONE, '\udc00', '\udc00\ud800', `a${LONE}`],
    },
    'web-url': {
      good: [
        'https://shop.example/checkout',
        'http://localhost:3000',
        'HTTPS://SHOP.EXAMPLE',
        'https://user:word@shop.example:8443/a?b=c#d',
        'https://xn--brgruppen-52a.example',
        'http://[::1]:8080/',
        `https://a.example/${'x'.repeat(2_048 - 'https://a.example/'.length)}`,
      ],
      bad: [
        '',
        'shop.example',
        '//shop.example',
        '/checkout',
        'ftp://shop.example',
        'javascript:alert(1)',
        'https://',
        'https:/shop.example',
        'https:shop.example',
        ' https://shop.example',
        'https://shop.example ',
        'https://shop example',
        'https://shop.example/\n',
        `https://shop.example/${NUL}`,
        `https://shop.example/${LONE}`,
        'https://:80',
        'https://shop.example:99999',
        `https://a.example/${'x'.repeat(2_049 - 'https://a.example/'.length)}`,
      ],
    },
    currency: { good: ['SEK', 'sek', 'Eur', 'JPY', 'KWD'], bad: ['', 'SE', 'XXX', 'XAU', 'DEM', 'SEK '] },
    country: { good: ['SE', 'SWE', 'se', 'nor'], bad: ['', 'S', 'UK', 'XX', 'Sweden', ' SE'] },
    'header-value': {
      good: ['', 'shop 1', 'a\tb', '\u00e5', '~'],
      bad: ['a\r\nb', 'a\nb', NUL, '\u007f', '\u0100', '\u{1f600}'],
    },
    day: {
      good: [
        '1990-12-31',
        '2024-02-29',
        '1990-12-31T00:00:00',
        '1990-12-31T23:59:59.999Z',
        '1990-12-31 10:00:00+02:00',
      ],
      bad: [
        '',
        '1990',
        '0000-01-01',
        '1990-13-01',
        '2023-02-29',
        '1990-04-31',
        '31.12.1990',
        '1990-12-31T25:00:00',
        '1990-12-31x',
      ],
    },
    moment: {
      good: ['2026-11-15', '2026-11-15T08:00:00Z', '2026-11-15T08:00', '2026-11-15T08:00:00.123+02:00', '1970-01-01'],
      bad: [
        '',
        '2026',
        '2026-02-30',
        '1969-12-31',
        '2026-11-15 08:00:00Z',
        '2026-11-15T24:30:00Z',
        'yesterday',
        '2026-11-15Z',
      ],
    },
  };

for (const [name, { good, bad }] of Object.entries(tables))
  describe(`format ${name}`, () => {
    const format = formats[name as keyof typeof tables];
    const isGood = (text: string): boolean => (format instanceof RegExp ? format.test(text) : format(text));
    test('takes what it should', () => {
      for (const text of good) assert.ok(isGood(text), JSON.stringify(text));
    });
    test('takes nothing else', () => {
      for (const text of bad) assert.ok(!isGood(text), JSON.stringify(text));
    });
  });

test('every format has words for its error, and no words are without a format', () => {
  assert.deepEqual(Object.keys(FORMAT_TEXTS).toSorted(), Object.keys(formats).toSorted());
});

describe('six decimals', () => {
  const { validate } = formats['six-decimals'];
  test('are counted as they are written, also in small and large numbers', () => {
    for (const good of [0, 1, 0.1, 0.000001, 1e-6, 1.123456, 999_999_999.999999, 1e9])
      assert.ok(validate(good), String(good));
    for (const bad of [1e-7, 0.0000001, 1.1234567, 1.5e-6, 123.4567891, 0.1 + 0.7])
      assert.ok(!validate(bad), String(bad));
  });

  test('every whole number of millionths is taken', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 1_000_000_000_000_000 }), (n) =>
        assert.ok(validate(n / 1_000_000), String(n)),
      ),
      { numRuns: 1_000 },
    );
  });
});

describe('days and moments', () => {
  // decision: dates-and-times
  test('a day is its midnight UTC, whatever time and offset come with it', () => {
    for (const text of ['1990-12-31', '1990-12-31T23:59:59Z', '1990-12-31T00:00:00+14:00', '1990-12-31 01:00:00-12:00'])
      assert.equal(readDay(text), Date.UTC(1990, 11, 31), text);
  });

  test('a moment without an offset is UTC, a date is its midnight', () => {
    assert.equal(readMoment('2026-11-15T08:00'), Date.UTC(2026, 10, 15, 8));
    assert.equal(readMoment('2026-11-15T08:00:00.5'), Date.UTC(2026, 10, 15, 8, 0, 0, 500));
    assert.equal(readMoment('2026-11-15T08:00:00+02:00'), Date.UTC(2026, 10, 15, 6));
    assert.equal(readMoment('2026-11-15'), Date.UTC(2026, 10, 15));
  });

  test('every timestamp that we write ourselves is read back as it was', () => {
    const dates = fc.date({ min: new Date(0), max: new Date('9999-12-31T23:59:59.999Z'), noInvalidDate: true });
    fc.assert(
      fc.property(dates, (date) => {
        assert.equal(readMoment(date.toISOString()), date.getTime());
        assert.equal(readDay(date.toISOString()), Math.floor(date.getTime() / 86_400_000) * 86_400_000);
      }),
    );
  });
});

test('a value that is kept as it came holds only texts that can be stored, in its names and at any depth', () => {
  for (const good of [null, 1, true, 'a', [], {}, { a: [{ b: '\u{1f600}' }] }]) assert.ok(holdsOnlyTexts(good));
  for (const bad of [NUL, LONE, [NUL], { a: NUL }, { [NUL]: 1 }, { [LONE]: 1 }, { a: [1, { b: { c: `x${LONE}` } }] }])
    assert.ok(!holdsOnlyTexts(bad), JSON.stringify(bad));
});
