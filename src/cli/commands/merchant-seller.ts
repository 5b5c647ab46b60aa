// The seller options of `kassa merchant update`: what invoices say about the seller, and where they are paid to.
import { SELLER_FIELDS, spellSellerField } from '../../domain/seller.ts';
import type { SellerFault, SellerField } from '../../domain/seller.ts';
import { companyDigitsOf, LONGEST_COMPANY_NUMBER, vatExampleOf } from '../../domain/seller-numbers.ts';
import type { SellerChange } from '../../merchants/merchants.ts';
import { UserError } from '../../ops/user-error.ts';
import type { Option, Options } from '../terminal/command.ts';

/** Removes the current value. */
const NONE = 'none';

type Words = {
  readonly option: string;
  readonly value: string;
  readonly what: string;
  /** The rule for a valid value, in that country. */
  readonly rule: string | ((country: string | undefined) => string);
  /** Which characters are the check digits. */
  readonly checkedBy?: string;
  /** The only countries it exists in. */
  readonly only?: string;
};

const LINE = 'must be one line of 1 to 128 characters';
const LAST_DIGIT = 'its last digit';

const WORDS: Readonly<Record<SellerField, Words>> = {
  name: {
    option: 'seller-name',
    value: 'NAME',
    what: 'Registered company name, shown on invoices instead of its name.',
    rule: LINE,
  },
  address: { option: 'address', value: 'LINE', what: 'Street and number of the seller, for invoices.', rule: LINE },
  address2: { option: 'address-2', value: 'LINE', what: 'Second line of the address.', rule: LINE },
  postalCode: {
    option: 'postal-code',
    value: 'CODE',
    what: 'Postal code.',
    rule: 'must be one line of 1 to 16 characters',
  },
  city: { option: 'city', value: 'CITY', what: 'City.', rule: LINE },
  country: {
    option: 'country',
    value: 'SE',
    what: 'Country code, of two or three letters.',
    rule: 'must be a country code of two or three letters, such as SE or SWE',
  },
  vatNumber: {
    option: 'vat-number',
    value: 'N',
    what: 'VAT number, such as SE556703748501.',
    rule: (country) => {
      const example = vatExampleOf(country);
      return example === undefined ? 'must have 4 to 20 letters and digits' : `must look like ${example} in ${country}`;
    },
  },
  companyNumber: {
    option: 'company-number',
    value: 'N',
    what: 'Company registration number.',
    rule: (country) => {
      const digits = companyDigitsOf(country);
      return digits === undefined
        ? `must be one line of 1 to ${LONGEST_COMPANY_NUMBER} characters`
        : `must have ${digits} digits in ${country}`;
    },
    checkedBy: LAST_DIGIT,
  },
  iban: {
    option: 'iban',
    value: 'IBAN',
    what: 'Bank account that invoices are paid to.',
    rule: 'must be an IBAN: a two-letter country code, two check digits, and 11 to 30 letters and digits',
    checkedBy: 'its third and fourth characters',
  },
  bic: {
    option: 'bic',
    value: 'BIC',
    what: "BIC of the seller's bank.",
    rule: 'must have eight or eleven letters and digits, such as ESSESESS',
  },
  bankgiro: {
    option: 'bankgiro',
    value: 'N',
    what: 'Sweden: bankgiro number.',
    rule: 'must have seven or eight digits',
    checkedBy: LAST_DIGIT,
    only: 'Sweden',
  },
  plusgiro: {
    option: 'plusgiro',
    value: 'N',
    what: 'Sweden: plusgiro number.',
    rule: 'must have two to eight digits',
    checkedBy: LAST_DIGIT,
    only: 'Sweden',
  },
  account: {
    option: 'account',
    value: 'N',
    what: 'Norway: kontonummer. Denmark: reg. number and account, such as "1234 0001234567".',
    rule: (country) =>
      country === 'NOR'
        ? 'must be a kontonummer of eleven digits'
        : 'must be "REG ACCOUNT": four digits, a space, and five to ten digits',
    checkedBy: LAST_DIGIT,
    only: 'Norway or Denmark',
  },
  creditorNumber: {
    option: 'creditor-number',
    value: 'N',
    what: 'Denmark: kreditornummer, for payments with +71.',
    rule: 'must have eight digits',
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

const LONGEST_FOUND = 60;

/** The given text, on one line. */
function quote(text: string): string {
  const start = text.length > LONGEST_FOUND ? `${text.slice(0, LONGEST_FOUND)}…` : text;
  return /^[\p{L}\p{N}](?:[\p{L}\p{N} ./-]*[\p{L}\p{N}])?…?$/u.test(start) ? start : JSON.stringify(start);
}

function explainCheck(signs: string, digits: string, right: string | undefined): string {
  if (right === undefined) return `${signs} is a check digit, and no digit fits the others: one of them is mistyped`;
  return `${signs} must be ${right} to match the others, not ${digits}: one of them is mistyped`;
}

/** The option, its value, and what was expected. */
function explain(fault: SellerFault, given: SellerChange): string {
  const { field, text, country } = fault;
  const { option, rule, only, checkedBy = '' } = WORDS[field];
  const found = `--${option} is ${quote(text)}${given[field] === undefined ? ' (current value)' : ''}`;
  switch (fault.fault) {
    case 'is_wrong':
      return `${found}; it ${typeof rule === 'string' ? rule : rule(country)}.`;
    case 'fails_check':
      return `${found}; ${explainCheck(checkedBy, fault.digits, fault.right)}.`;
    case 'needs_country':
      return `${found}; it requires --country, which determines its format.`;
    case 'is_of_another_country':
      return `${found}; it is only for sellers in ${only}, and the country is ${country}. --iban works in every country.`;
  }
}

/** All faults at once, one per line. */
export function explainSellerFaults(faults: readonly SellerFault[], given: SellerChange): UserError {
  const [first = '', ...others] = faults.map((fault) => explain(fault, given));
  if (others.length === 0) return new UserError(first);
  const head = `Nothing was changed: ${faults.length} of the seller's details are invalid:`;
  return new UserError([head, first, ...others].join('\n  '));
}
