// What a merchant's invoices say of it, as `kassa merchant update` takes it: who sells, and where the money goes.
import { SELLER_FIELDS, spellSellerField } from '../../domain/seller.ts';
import type { Seller, SellerFault, SellerField } from '../../domain/seller.ts';
import type { SellerChange } from '../../merchants/merchants.ts';
import { UserError } from '../../ops/user-error.ts';
import type { Option, Options } from '../terminal/command.ts';

/** Takes away what there is. */
const NONE = 'none';

type Words = {
  readonly option: string;
  readonly value: string;
  readonly what: string;
  /** What it must be. */
  readonly rule: string;
  /** Of which sellers. */
  readonly only?: string;
};

const LINE = 'must have 1 to 128 characters, in one line.';

const WORDS: Readonly<Record<SellerField, Words>> = {
  name: {
    option: 'seller-name',
    value: 'NAME',
    what: 'On invoices, in place of its name: the company as it is registered.',
    rule: LINE,
  },
  address: { option: 'address', value: 'LINE', what: 'Of the seller on invoices: street and number.', rule: LINE },
  address2: { option: 'address-2', value: 'LINE', what: 'More of the address.', rule: LINE },
  postalCode: {
    option: 'postal-code',
    value: 'CODE',
    what: 'Its postal code.',
    rule: 'must have 1 to 16 characters.',
  },
  city: { option: 'city', value: 'CITY', what: 'Its town.', rule: LINE },
  country: {
    option: 'country',
    value: 'SE',
    what: 'Its country, by two or three letters.',
    rule: 'must be the two or three letters of a country, such as SE or SWE.',
  },
  vatNumber: {
    option: 'vat-number',
    value: 'N',
    what: 'Its number for VAT, such as SE556703748501.',
    rule: 'must have the shape of a VAT number of the country: SE556703748501, NO923456783MVA, DK12345678, FI12345671.',
  },
  companyNumber: {
    option: 'company-number',
    value: 'N',
    what: 'Its number in the register of companies.',
    rule: 'must be a number as the register of the country gives it, with its check digit where it has one.',
  },
  iban: {
    option: 'iban',
    value: 'IBAN',
    what: 'The bank account to which invoices are paid.',
    rule: 'is no IBAN: its letters, its length or its check digits are wrong.',
  },
  bic: {
    option: 'bic',
    value: 'BIC',
    what: 'The BIC of its bank.',
    rule: 'must have eight or eleven letters and digits, such as ESSESESS.',
  },
  bankgiro: {
    option: 'bankgiro',
    value: 'N',
    what: 'Sweden: its bankgiro.',
    rule: 'must have seven or eight digits, the last of which checks the others.',
    only: 'Sweden',
  },
  plusgiro: {
    option: 'plusgiro',
    value: 'N',
    what: 'Sweden: its plusgiro.',
    rule: 'must have two to eight digits, the last of which checks the others.',
    only: 'Sweden',
  },
  account: {
    option: 'account',
    value: 'N',
    what: 'Norway: its kontonummer. Denmark: reg. number and account, such as "1234 0001234567".',
    rule: 'must be a kontonummer of eleven digits with its check digit, or "REG ACCOUNT" of four and five to ten digits.',
    only: 'Norway or Denmark',
  },
  creditorNumber: {
    option: 'creditor-number',
    value: 'N',
    what: 'Denmark: its kreditornummer, for payments by +71.',
    rule: 'must have eight digits.',
    only: 'Denmark',
  },
};

export const SELLER_OPTIONS: Readonly<Record<string, Option>> = Object.fromEntries(
  SELLER_FIELDS.map((field) => {
    const { option, value, what } = WORDS[field];
    return [option, { type: 'string', value, what }];
  }),
);

export function readSeller(options: Options): SellerChange {
  const change: { -readonly [Field in SellerField]?: string | null } = {};
  for (const field of SELLER_FIELDS) {
    const text = options[WORDS[field].option];
    if (typeof text === 'string') change[field] = text === NONE ? null : spellSellerField(field, text);
  }
  return change;
}

export function explainSellerFault({ field, fault }: SellerFault): UserError {
  const { option, rule, only } = WORDS[field];
  switch (fault) {
    case 'is_wrong':
      return new UserError(`--${option} ${rule}`);
    case 'needs_country':
      return new UserError(`--${option} needs --country, which says what it must look like.`);
    case 'is_of_another_country':
      return new UserError(`--${option} is for sellers in ${only}; --iban is for all.`);
  }
}

/** Each by the name of its option, as it is typed. */
export const sellerFields = (seller: Seller): object =>
  Object.fromEntries(
    SELLER_FIELDS.filter((field) => seller[field] !== undefined).map((field) => [WORDS[field].option, seller[field]]),
  );
