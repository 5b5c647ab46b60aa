// Goal: the currencies and countries are the active ones, in one spelling, and amounts are shown with the right number
// of decimals. Method: counts and samples of the published lists, and a property over all of them.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { readCountry } from './country.ts';
import { currencies, readCurrency, showAmount } from './currency.ts';

test('every currency is taken in any case and given in upper case', () => {
  assert.equal(new Set(currencies).size, currencies.length);
  for (const code of currencies) {
    assert.match(code, /^[A-Z]{3}$/);
    for (const text of [code, code.toLowerCase(), code.charAt(0) + code.slice(1).toLowerCase()])
      assert.equal(readCurrency(text), code);
  }
});

test('what is no active currency with a minor unit is not taken', () => {
  // Gold, the test code, no currency at all; retired ones; what is not three letters.
  for (const text of [
    'XAU',
    'XTS',
    'XXX',
    'XDR',
    'DEM',
    'FIM',
    'HRK',
    'LTL',
    'ZWL',
    'ANG',
    '',
    'SE',
    'SEKK',
    ' SEK',
    '752',
  ])
    assert.equal(readCurrency(text), undefined, text);
});

// decision: currencies
test('an amount is shown with the decimals of its currency', () => {
  for (const [amount, currency, shown] of [
    [12_345, 'SEK', '123.45 SEK'],
    [5, 'EUR', '0.05 EUR'],
    [0, 'EUR', '0.00 EUR'],
    [-5, 'EUR', '-0.05 EUR'],
    [-12_345, 'NOK', '-123.45 NOK'],
    [500, 'JPY', '500 JPY'],
    [500, 'ISK', '500 ISK'],
    [1_234, 'KWD', '1.234 KWD'],
    [12_345, 'CLF', '1.2345 CLF'],
    [1_000_000_000_000, 'DKK', '10000000000.00 DKK'],
  ] as const)
    assert.equal(showAmount(amount, currency), shown);
});

test('no digit of a shown amount is lost, in any currency', () => {
  const amounts = fc.integer({ min: -1_000_000_000_000, max: 1_000_000_000_000 });
  fc.assert(
    fc.property(amounts, fc.constantFrom(...currencies), (amount, currency) => {
      const [shown = '', code] = showAmount(amount, currency).split(' ');
      assert.equal(code, currency);
      assert.equal(Number(shown.replace('.', '')), amount);
    }),
  );
});

test('a country is taken by two letters or three, in any case, and given by three', () => {
  for (const [text, code] of [
    ['SE', 'SWE'],
    ['se', 'SWE'],
    ['SWE', 'SWE'],
    ['nor', 'NOR'],
    ['DK', 'DNK'],
    ['FI', 'FIN'],
    ['GB', 'GBR'],
    ['AX', 'ALA'],
    ['MK', 'MKD'],
  ] as const)
    assert.equal(readCountry(text), code);
  for (const text of ['', 'S', 'XX', 'UK', 'EU', 'SWEDEN', 'XKX', ' SE', '752'])
    assert.equal(readCountry(text), undefined);
});

test('there are 249 countries, and their codes of two and three letters belong to one each', () => {
  const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ'.split('');
  const two = letters.flatMap((a) => letters.map((b) => a + b)).filter((code) => readCountry(code) !== undefined);
  assert.equal(two.length, 249);
  const three = new Set(two.map((code) => readCountry(code)));
  assert.equal(three.size, 249);
  for (const code of three) assert.equal(readCountry(code as string), code);
});
