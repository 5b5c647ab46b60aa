// Goal: whatever people know about a payment is understood, in all its meanings. Method: a table of texts.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { exponentOf, showNumber } from '../../../domain/currency.ts';
import { LANGUAGES, localeOf } from '../../../pages/language.ts';
import { understand } from './understand.ts';

const ID = '01a1e3f13f6f7395baf8b9db31f9458a';

/** The meanings of a text, abbreviated. */
const meant = (text: string): string[] =>
  understand(text, METHODS).map((meaning) => {
    switch (meaning.kind) {
      case 'amount':
        return `${meaning.amount} ${meaning.currencies.length > 1 ? 'any' : meaning.currencies[0]}`;
      case 'name':
        return [meaning.last, ...(meaning.first === undefined ? [] : [meaning.first])].join(', ');
      case 'first name':
        return `first ${meaning.first}`;
      case 'last four':
        return [meaning.digits, ...(meaning.method === undefined ? [] : [meaning.method])].join(' of ');
      case 'method':
        return `by ${meaning.method}`;
      case 'short id':
        return `id ${meaning.first}…${meaning.last}`;
      default:
        return meaning.kind;
    }
  });

const METHODS = [
  ['Visa', 'Visa'],
  ['Mastercard', 'MasterCard'],
  ['Faktura', 'EasyInvoice'],
] as const;

const [REFERENCE, BEGINS] = ['reference', 'beginning'];
const cases: readonly (readonly [text: string, meanings: readonly string[]])[] = [
  ['', []],
  [' \0 ', []],
  [ID, ['id', REFERENCE]],
  [ID.toUpperCase(), ['id', REFERENCE]],
  ['01a1e3f1-3f6f-7395-baf8-b9db31f9458a', ['id', REFERENCE]],
  ['01a1e3f1…f9458a', [REFERENCE, BEGINS, 'id 01a1e3f1…f9458a', 'first 01a1e3f1…f9458a', '01a1e3f1…f9458a']],
  ['ada@example.com', ['email', REFERENCE, BEGINS]],
  ['1234', [REFERENCE, BEGINS, '1234', '123400 any', '1234 any', '1234000 any', '12340000 any']],
  ['123.45', [REFERENCE, BEGINS, '12345 any', '123450 any', '1234500 any']],
  ['123,45 SEK', [REFERENCE, BEGINS, '12345 SEK']],
  ['SEK 123.45', [REFERENCE, BEGINS, '12345 SEK']],
  ['123,45 kr', [REFERENCE, BEGINS, '12345 any']],
  ['kr 123', [REFERENCE, BEGINS, '12300 any', '123 ISK']],
  ['€1.435,00', [REFERENCE, BEGINS, '143500 EUR']],
  ['1 234 567,5 eur', [REFERENCE, BEGINS, '123456750 EUR']],
  ['1,234,567.50 EUR', [REFERENCE, BEGINS, '123456750 EUR']],
  ['1,435 SEK', [REFERENCE, BEGINS, '143500 SEK']],
  ['1.435 KWD', [REFERENCE, BEGINS, '1435000 KWD', '1435 KWD']],
  ['12.34.56', [REFERENCE, BEGINS]],
  ['500 JPY', [REFERENCE, BEGINS, '500 JPY']],
  ['500 XXX', [REFERENCE, BEGINS, 'first 500 XXX', '500 XXX', 'XXX, 500']],
  ['+46 70-123 45 67', [REFERENCE, BEGINS, 'phone']],
  [
    '0701234567',
    [REFERENCE, BEGINS, 'phone', '70123456700 any', '701234567 any', '701234567000 any', '7012345670000 any'],
  ],
  ['visa', [REFERENCE, BEGINS, 'by Visa', 'first visa', 'visa']],
  ['FAKTURA', [REFERENCE, BEGINS, 'by EasyInvoice', 'first FAKTURA', 'FAKTURA']],
  ['Visa 0004', [REFERENCE, BEGINS, '0004 of Visa', 'first Visa 0004', 'Visa 0004', '0004, Visa']],
  ['Mastercard •• 0004', [REFERENCE, BEGINS, '0004 of MasterCard', ...namesOf('Mastercard •• 0004')]],
  ['•• 0004', [REFERENCE, BEGINS, '0004']],
  ['Order 0004', [REFERENCE, BEGINS, 'first Order 0004', 'Order 0004', '0004, Order']],
  ['order-7', [REFERENCE, BEGINS, 'first order-7', 'order-7']],
  ['Lovelace', [REFERENCE, BEGINS, 'first Lovelace', 'Lovelace']],
  ['A\u030Akesson', [REFERENCE, BEGINS, 'first Åkesson', 'Åkesson']],
  ['Ada  Lovelace', [REFERENCE, BEGINS, 'first Ada Lovelace', 'Ada Lovelace', 'Lovelace, Ada']],
  ['Lovelace, Ada', [REFERENCE, BEGINS, 'Lovelace, Ada']],
  ['a b c', [REFERENCE, BEGINS, 'first a b c', 'a b c', 'b c, a', 'c, a b']],
];

function namesOf(text: string): string[] {
  const [one = '', two = '', three = ''] = text.split(' ');
  return [`first ${text}`, text, `${two} ${three}, ${one}`, `${three}, ${one} ${two}`];
}

for (const language of LANGUAGES)
  for (const [amount, currency] of [
    [143_500, 'SEK'],
    [123_456_789, 'NOK'],
    [1_435, 'JPY'],
    [1_234_567, 'KWD'],
    [99, 'EUR'],
  ] as const) {
    const digits = exponentOf(currency);
    const figure = new Intl.NumberFormat(localeOf(language), { minimumFractionDigits: digits }).format(
      showNumber(amount, currency) as `${number}`,
    );
    test(`${figure} ${currency} in ${language}, with and without its currency`, () => {
      assert.ok(meant(`${figure} ${currency}`).includes(`${amount} ${currency}`), figure);
      assert.ok(
        understand(figure).some(
          (each) => each.kind === 'amount' && each.amount === amount && each.currencies.includes(currency),
        ),
        figure,
      );
    });
  }

for (const [text, meanings] of cases)
  test(JSON.stringify(text), () => {
    assert.deepEqual(meant(text).toSorted(), meanings.toSorted());
  });
