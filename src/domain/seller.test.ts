// Goal: what a seller gives for its invoices is checked as far as it can be, kept in one spelling, and said by name when it
// is wrong. Method: published examples of each kind of number, each with a digit changed; sellers with parts missing.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { canIssueInvoices, findSellerFaults, missingOfSeller, spellSellerField } from './seller.ts';
import { findVatFault, modulus97, vatExampleOf } from './seller-numbers.ts';
import type { Seller, SellerField } from './seller.ts';

const spelled = (given: Seller): Seller =>
  Object.fromEntries(
    Object.entries(given).map(([field, text]) => [field, spellSellerField(field as SellerField, text)]),
  );
const faultsOf = (given: Seller): string[] =>
  findSellerFaults(spelled(given)).map(({ field, fault }) => `${field} ${fault}`);
const faultOf = (given: Seller): string | undefined => {
  const [first, ...others] = faultsOf(given);
  assert.deepEqual(others, []);
  return first;
};

const NUMBERS: readonly (readonly [country: string, field: SellerField, text: string, kept: string])[] = [
  ['SE', 'bankgiro', '991-2346', '9912346'],
  ['SE', 'bankgiro', '5050-1055', '50501055'],
  ['SE', 'plusgiro', '90 19 50-6', '9019506'],
  ['SE', 'iban', 'SE35 5000 0000 0549 1000 0003', 'SE3550000000054910000003'],
  ['NO', 'iban', 'no93 8601 1117 947', 'NO9386011117947'],
  ['DK', 'iban', 'DK50 0040 0440 1162 43', 'DK5000400440116243'],
  ['FI', 'iban', 'FI21 1234 5600 0007 85', 'FI2112345600000785'],
  ['NO', 'account', '8601.11.17947', '86011117947'],
  ['SE', 'companyNumber', '556016-0680', '556016-0680'],
  ['NO', 'companyNumber', '923 609 016', '923 609 016'],
];

for (const [country, field, text, kept] of NUMBERS)
  test(`${field} ${text} is taken, and refused with any digit changed, by what checks it`, () => {
    assert.equal(faultOf({ country, [field]: text }), undefined);
    assert.equal(spellSellerField(field, text), kept);
    for (const [index, sign] of Array.from(text).entries()) {
      if (!/\d/.test(sign)) continue;
      const wrong = text.slice(0, index) + ((Number(sign) + 1) % 10) + text.slice(index + 1);
      assert.equal(faultOf({ country, [field]: wrong }), `${field} fails_check`, wrong);
    }
  });

test('a check digit that does not fit is named beside the one that would', () => {
  const faultWith = (country: string, field: SellerField, text: string) => {
    const [fault] = findSellerFaults(spelled({ country, [field]: text }));
    return fault?.fault === 'fails_check' && [fault.text, fault.digits, fault.right];
  };
  assert.deepEqual(faultWith('SE', 'bankgiro', '991-2347'), ['9912347', '7', '6']);
  assert.deepEqual(faultWith('SE', 'iban', 'SE36 5000 0000 0549 1000 0003'), ['SE3650000000054910000003', '36', '35']);
  assert.deepEqual(faultWith('NO', 'account', '8601.11.17948'), ['86011117948', '8', '7']);
  // Modulus 11 has sums that no digit fits.
  assert.deepEqual(faultWith('NO', 'companyNumber', '100000300'), ['100000300', '0', undefined]);
});

test('everything that is wrong is told at once; what hangs on a country that is none is not', () => {
  const wrong = { iban: 'SE36', bankgiro: '991-2347', vatNumber: 'SE12', companyNumber: '1', bic: 'X', city: ' ' };
  assert.deepEqual(faultsOf({ country: 'SE', ...wrong }), [
    'city is_wrong',
    'vatNumber is_wrong',
    'companyNumber is_wrong',
    'iban is_wrong',
    'bic is_wrong',
    'bankgiro fails_check',
  ]);
  assert.deepEqual(faultsOf({ country: 'Sweden', ...wrong }), [
    'city is_wrong',
    'country is_wrong',
    'iban is_wrong',
    'bic is_wrong',
    'bankgiro fails_check',
  ]);
  assert.deepEqual(faultsOf({ vatNumber: 'SE12', bankgiro: '1', plusgiro: '1' }), [
    'vatNumber needs_country',
    'bankgiro needs_country',
    'plusgiro needs_country',
  ]);
});

test('numbers for VAT have the shape of their country', () => {
  const right = [
    ['SE', 'SE 556016-0680 01'],
    ['NO', '923 609 016 MVA'],
    ['DK', 'DK12345678'],
    ['FI', 'FI-12345671'],
    ['DE', 'DE 123456789'],
    ['FR', 'FRXX123456789'],
    ['NL', 'NL123456789B01'],
    ['ES', 'ESB12345678'],
    ['PL', 'PL1234567890'],
    ['US', '12-3456789'],
  ] as const;
  for (const [country, vatNumber] of right) assert.equal(faultOf({ country, vatNumber }), undefined, vatNumber);
  for (const country of ['SE', 'NO', 'DK', 'FI', 'DE', 'FR', 'NL', 'ES', 'PL'])
    for (const vatNumber of ['12345', 'XX123456789', 'SE1'])
      assert.equal(faultOf({ country, vatNumber }), 'vatNumber is_wrong', `${country} ${vatNumber}`);
  const countries = 'AUT BEL CHE DEU DNK ESP EST FIN FRA GBR IRL ITA LTU LUX LVA NLD NOR POL PRT SWE'.split(' ');
  for (const country of countries)
    assert.equal(findVatFault(vatExampleOf(country) as string, country), undefined, `the example of ${country}`);
});

test('what only some countries have is refused elsewhere, and without a country', () => {
  assert.equal(faultOf({ country: 'NO', bankgiro: '991-2346' }), 'bankgiro is_of_another_country');
  assert.equal(faultOf({ country: 'SE', account: '86011117947' }), 'account is_of_another_country');
  assert.equal(faultOf({ country: 'NO', creditorNumber: '12345678' }), 'creditorNumber is_of_another_country');
  assert.equal(faultOf({ bankgiro: '991-2346' }), 'bankgiro needs_country');
  assert.equal(faultOf({ vatNumber: 'SE556016068001' }), 'vatNumber needs_country');
  assert.equal(faultOf({ iban: 'SE3550000000054910000003' }), undefined, 'an IBAN says itself whose it is');
});

test('a Danish account is the bank and the account', () => {
  assert.equal(faultOf({ country: 'DK', account: '1234 0001234567' }), undefined);
  assert.equal(spellSellerField('account', '1234-0001234567'), '1234 0001234567');
  assert.equal(faultOf({ country: 'DK', account: '12340001234567' }), 'account is_wrong');
  assert.equal(faultOf({ country: 'DK', creditorNumber: '1234 5678' }), undefined);
});

test('texts are lines: none is empty, long or of two lines', () => {
  for (const text of ['', ' ', 'a'.repeat(129), 'one\ntwo', 'a\u2028b', '\ud800'])
    for (const field of ['name', 'address', 'address2', 'postalCode', 'city'] as const)
      assert.equal(findSellerFaults({ [field]: text })[0]?.field, field, JSON.stringify(text));
  assert.equal(faultOf({ country: 'Sweden' }), 'country is_wrong');
  assert.equal(faultOf({ bic: 'ESSESES' }), 'bic is_wrong');
  assert.equal(faultOf({ bic: 'esse se ss' }), undefined);
});

const WHOLE: Seller = {
  address: 'Storgatan 1',
  postalCode: '111 22',
  city: 'Stockholm',
  country: 'SWE',
  companyNumber: '556016-0680',
  bankgiro: '9912346',
};

test('a live merchant can issue invoices once they say who sells and where the money goes', () => {
  assert.deepEqual(missingOfSeller(WHOLE), []);
  assert.ok(canIssueInvoices({ live: true, seller: WHOLE }));
  for (const field of Object.keys(WHOLE) as SellerField[]) {
    const { [field]: _, ...rest } = WHOLE;
    assert.ok(missingOfSeller(rest).some((fields) => fields.includes(field)));
    assert.ok(!canIssueInvoices({ live: true, seller: rest }));
  }
  assert.ok(canIssueInvoices({ live: false }) && !canIssueInvoices({ live: true }));
});

test('the check of ISO 7064 catches every changed digit', () => {
  assert.equal(modulus97('539007547034RF18'), 1);
  const iban = '50000000054910000003SE35';
  fc.assert(
    fc.property(fc.nat(19), fc.nat(9), (at, sign) => {
      const changed = iban.slice(0, at) + sign + iban.slice(at + 1);
      assert.equal(modulus97(changed) === 1, changed === iban);
    }),
  );
});
