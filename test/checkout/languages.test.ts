// Goal: no language is English by mistake, each says that nothing was charged, and amounts, rates and countries are written
// exactly and as its readers write them. Method: texts are compared with English ones; tables for the rest; amounts at both
// ends of what is taken. That no text is missing is checked in test/tidy.
import assert from 'node:assert/strict';
import { countryName, formatAmount, formatDate, formatQuantity, formatTaxRate } from '../../src/checkout/formats.ts';
import { appTexts, checkoutTexts } from '../../src/checkout/texts.ts';
import { LANGUAGES, localeOf, nameOf, readLanguage } from '../../src/pages/language.ts';
import type { Language } from '../../src/pages/language.ts';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { nationalNumberExample } from '../../web/shared/national-number.ts';
import { fillIn } from '../../web/shared/fill-in.ts';
import { countries, readCountry, twoLetters } from '../../src/domain/country.ts';
import { currencies, exponentOf } from '../../src/domain/currency.ts';

/** Every text with its path: 'script.errors.expired' → 'This card has expired.'. */
function textsOf(value: object, path = ''): Map<string, string> {
  return new Map(
    Object.entries(value).flatMap(([key, inner]: [string, unknown]) =>
      typeof inner === 'string' ? [[path + key, inner] as const] : [...textsOf(inner as object, `${path}${key}.`)],
    ),
  );
}

/** In the words of each; the check says nothing of words. */
const NOTHING_CHARGED: Readonly<Partial<Record<Language, RegExp>>> = {
  en: /nothing has been charged/i,
  sv: /inga pengar har dragits/i,
  nb: /ingen penger er trukket/i,
  da: /der er ikke trukket nogen penge/i,
  fi: /sinulta (?:ei )?ole veloitettu mitään/i,
  de: /wurde nichts abgebucht/i,
  fr: /rien n’a été débité/i,
  nl: /er is niets afgeschreven/i,
  es: /no se ha cobrado nada/i,
  pl: /nic nie zostało pobrane/i,
};

const english = textsOf(checkoutTexts('en'));
/** What Intl puts between digits and letters is not always the space of the keyboard. */
const plain = (text: string): string => text.replaceAll(/[\u00A0\u202F]/g, ' ').replaceAll('\u2212', '-');

describe('texts', () => {
  for (const language of LANGUAGES.filter((each) => each !== 'en'))
    test(`${language} is not English by mistake`, () => {
      // Names, and what is the same word in both.
      const same = [...textsOf(checkoutTexts(language))].filter(([path, text]) => text === english.get(path));
      assert.ok(same.length < 10, JSON.stringify(same));
    });

  for (const [language, nothingCharged] of Object.entries(NOTHING_CHARGED) as [Language, RegExp][])
    test(`${language} says of every refusal that nothing was charged`, () => {
      const { script, lastTry, states } = checkoutTexts(language);
      for (const text of [
        script.declined,
        script.wrongCvc,
        script.cardExpired,
        script.invoiceRefused,
        script.challengeFailed,
        script.challengeLeft,
        script.tooManyAttempts,
        script.shopRefused,
        lastTry.declined.text,
        lastTry.challengeFailed.text,
        appTexts(language, 'Swish').declined.text,
        states.expired.text,
        states.terminated.text,
        states.unavailable.text,
      ])
        assert.match(text, nothingCharged);
    });

  test('the button names the amount, whatever word the shop chose', () => {
    for (const language of LANGUAGES)
      for (const text of Object.values(checkoutTexts(language).payment.button)) {
        assert.ok(fillIn(text, { amount: '150,00 kr' }).includes('150,00 kr'), text);
      }
  });

  test('national numbers have a label in every country that has one', () => {
    const numbered = countries.filter((country) => nationalNumberExample(country) !== undefined);
    assert.deepEqual(numbered.toSorted(), Object.keys(checkoutTexts('en').script.nationalNumber).toSorted());
  });

  test('a text keeps what has no value', () => {
    assert.equal(fillIn('Pay {amount} to {shop}', { amount: 1 }), 'Pay 1 to {shop}');
    assert.equal(fillIn('{shop}', { shop: '$& {amount}' }), '$& {amount}');
  });
});

describe('the language', () => {
  const cases: readonly (readonly [query: string | undefined, header: string | undefined, language: Language])[] = [
    [undefined, undefined, 'en'],
    ['sv', undefined, 'sv'],
    ['sv-SE', 'de', 'sv'],
    ['SV_se', undefined, 'sv'],
    ['no', undefined, 'nb'],
    ['nn', undefined, 'nb'],
    ['nb-NO', undefined, 'nb'],
    ['da-DK', undefined, 'da'],
    ['fi-FI', undefined, 'fi'],
    ['de-AT', undefined, 'de'],
    ['en-GB', 'sv', 'en'],
    ['fr-FR', undefined, 'fr'],
    ['fr-CA', 'fi', 'fr'],
    ['nl-BE', undefined, 'nl'],
    ['es-MX', undefined, 'es'],
    ['pl', undefined, 'pl'],
    ['it-IT', undefined, 'en'],
    ['it-IT', 'fi', 'fi'],
    ['', 'da', 'da'],
    ['constructor', undefined, 'en'],
    ['svenska', undefined, 'en'],
    [undefined, 'no,en;q=0.8', 'nb'],
    [undefined, 'it-IT,it;q=0.9,de;q=0.8,en;q=0.7', 'de'],
    [undefined, 'it-IT,it;q=0.9,pl;q=0.8,en;q=0.7', 'pl'],
    [undefined, 'en;q=0.5, sv-SE;q=0.9', 'sv'],
    [undefined, 'sv;q=0, da', 'da'],
    [undefined, 'en ; q = 0.1 , fi ; q=0.2', 'fi'],
    [undefined, '*', 'en'],
    [undefined, ';;;,,q=,=', 'en'],
    [undefined, `${'x,'.repeat(5_000)}sv`, 'en'],
  ];
  for (const [query, header, language] of cases)
    test(`of ${query ?? 'nothing'} and ${(header ?? 'nothing').slice(0, 40)} is ${language}`, () => {
      assert.equal(readLanguage(query, header), language);
    });

  test('is always one that there is', () => {
    fc.assert(
      fc.property(fc.option(fc.string(), { nil: undefined }), fc.option(fc.string(), { nil: undefined }), (a, b) =>
        LANGUAGES.includes(readLanguage(a, b)),
      ),
    );
  });

  test('has a name of its own and a locale', () => {
    assert.equal(new Set(LANGUAGES.map(nameOf)).size, LANGUAGES.length);
    for (const language of LANGUAGES) assert.ok(localeOf(language).startsWith(`${language}-`));
  });
});

describe('amounts', () => {
  const cases: readonly (readonly [minor: number, currency: string, language: Language, shown: string])[] = [
    [15_000, 'SEK', 'sv', '150,00 kr'],
    [15_000, 'SEK', 'en', 'SEK 150.00'],
    [15_000, 'NOK', 'nb', '150,00 kr'],
    [15_000, 'DKK', 'da', '150,00 kr.'],
    [15_000, 'EUR', 'fi', '150,00 €'],
    [123_456, 'EUR', 'de', '1.234,56 €'],
    [123_456, 'EUR', 'fr', '1 234,56 €'],
    [123_456, 'EUR', 'nl', '€ 1.234,56'],
    [1_234_567, 'EUR', 'es', '12.345,67 €'],
    [1_234_567, 'PLN', 'pl', '12 345,67 zł'],
    [1_000_000_000_000, 'EUR', 'de', '10.000.000.000,00 €'],
    [999_999_999_999, 'EUR', 'en', '€9,999,999,999.99'],
    [1_000_000_000_000, 'SEK', 'sv', '10 000 000 000,00 kr'],
    [1_000_000_000_000, 'JPY', 'en', 'JP¥1,000,000,000,000'],
    [500, 'JPY', 'de', '500 ¥'],
    [1_234_567, 'KWD', 'en', 'KWD 1,234.567'],
    [999_999_999_999, 'KWD', 'de', '999.999.999,999 KWD'],
    [12_345, 'ISK', 'en', 'ISK 12,345'],
    [-13_160, 'SEK', 'sv', '-131,60 kr'],
    [-1, 'EUR', 'de', '-0,01 €'],
    [5, 'EUR', 'en', '€0.05'],
    [0, 'SEK', 'sv', '0,00 kr'],
  ];
  for (const [minor, currency, language, shown] of cases)
    test(`${minor} ${currency} in ${language} is ${shown}`, () => {
      assert.equal(plain(formatAmount(minor, currency, language)), shown);
    });

  test('of every currency lose no digit in any language', () => {
    const amount = fc.integer({ min: -1_000_000_000_000, max: 1_000_000_000_000 });
    fc.assert(
      fc.property(
        amount,
        fc.constantFrom(...currencies),
        fc.constantFrom(...LANGUAGES),
        (minor, currency, language) => {
          const digits = plain(formatAmount(minor, currency, language)).replaceAll(/\D/g, '');
          assert.equal(digits, String(Math.abs(minor)).padStart(exponentOf(currency) + 1, '0'));
        },
      ),
    );
  });
});

describe('numbers, days and countries', () => {
  test('a tax rate is written in percent', () => {
    assert.equal(plain(formatTaxRate(2_500, 'sv')), '25 %');
    assert.equal(plain(formatTaxRate(2_550, 'fi')), '25,5 %');
    assert.equal(plain(formatTaxRate(2_500, 'en')), '25%');
    assert.equal(plain(formatTaxRate(0, 'de')), '0 %');
  });

  test('a quantity keeps its six decimals', () => {
    assert.equal(formatQuantity(3, 'sv'), '3');
    assert.equal(formatQuantity(0.000001, 'sv'), '0,000001');
    assert.equal(formatQuantity(1_000_000_000, 'en'), '1,000,000,000');
  });

  test('a day is the same one everywhere', () => {
    const at = Date.UTC(2026, 0, 31, 23, 59);
    assert.equal(formatDate(at, 'en'), '31 January 2026');
    assert.equal(formatDate(at, 'sv'), '31 januari 2026');
    assert.equal(formatDate(at, 'de'), '31. Januar 2026');
    assert.equal(formatDate(at, 'fr'), '31 janvier 2026');
    assert.equal(formatDate(at, 'nl'), '31 januari 2026');
    assert.equal(formatDate(at, 'es'), '31 de enero de 2026');
    assert.equal(formatDate(at, 'pl'), '31 stycznia 2026');
  });

  test('a country has its name in the language', () => {
    assert.equal(countryName('SWE', 'sv'), 'Sverige');
    assert.equal(countryName('SWE', 'fi'), 'Ruotsi');
    assert.equal(countryName('DEU', 'da'), 'Tyskland');
    assert.equal(countryName('DEU', 'fr'), 'Allemagne');
    assert.equal(countryName('DEU', 'nl'), 'Duitsland');
    assert.equal(countryName('DEU', 'es'), 'Alemania');
    assert.equal(countryName('DEU', 'pl'), 'Niemcy');
    assert.equal(countryName('XXX', 'en'), 'XXX');
    for (const country of countries) assert.doesNotMatch(countryName(country, 'en'), /^[A-Z]{2,3}$/, country);
  });

  test('two and three letters are each other’s', () => {
    for (const country of countries) assert.equal(readCountry(twoLetters(country) ?? ''), country);
    assert.equal(twoLetters('XXX'), undefined);
  });
});
