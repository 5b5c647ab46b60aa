// What a merchant's invoices say of it, as `kassa merchant update` takes it: who sells, and where the money goes.
import { SELLER_FIELDS, spellSellerField } from '../../domain/seller.ts';
import type { SellerFault, SellerField } from '../../domain/seller.ts';
import { companyDigitsOf, LONGEST_COMPANY_NUMBER, vatExampleOf } from '../../domain/seller-numbers.ts';
import type { SellerChange } from '../../merchants/merchants.ts';
import { UserError } from '../../ops/user-error.ts';
import type { Option, Options } from '../terminal/command.ts';

/** Takes away what there is. */
const NONE = 'none';

type Words = {
  readonly option: string;
  readonly value: string;
  readonly what: string;
  /** What it must be, in that country. */
  readonly rule: string | ((country: string | undefined) => string);
  /** Which of its signs check the others. */
  readonly checkedBy?: string;
  /** Of which sellers. */
  readonly only?: string;
};

const LINE = 'must have 1 to 128 characters, in one line';
const LAST_DIGIT = 'its last digit';

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
    rule: 'must have 1 to 16 characters, in one line',
  },
  city: { option: 'city', value: 'CITY', what: 'Its town.', rule: LINE },
  country: {
    option: 'country',
    value: 'SE',
    what: 'Its country, by two or three letters.',
    rule: 'must be the two or three letters of a country, such as SE or SWE',
  },
  vatNumber: {
    option: 'vat-number',
    value: 'N',
    what: 'Its number for VAT, such as SE556703748501.',
    rule: (country) => {
      const example = vatExampleOf(country);
      return example === undefined ? 'must have 4 to 20 letters and digits' : `must look like ${example} in ${country}`;
    },
  },
  companyNumber: {
    option: 'company-number',
    value: 'N',
    what: 'Its number in the register of companies.',
    rule: (country) => {
      const digits = companyDigitsOf(country);
      return digits === undefined
        ? `must have 1 to ${LONGEST_COMPANY_NUMBER} characters, in one line`
        : `must have ${digits} digits in ${country}`;
    },
    checkedBy: LAST_DIGIT,
  },
  iban: {
    option: 'iban',
    value: 'IBAN',
    what: 'The bank account to which invoices are paid.',
    rule: 'must be an IBAN: the two letters of a country, two check digits, and 11 to 30 letters and digits',
    checkedBy: 'its third and fourth sign',
  },
  bic: {
    option: 'bic',
    value: 'BIC',
    what: 'The BIC of its bank.',
    rule: 'must have eight or eleven letters and digits, such as ESSESESS',
  },
  bankgiro: {
    option: 'bankgiro',
    value: 'N',
    what: 'Sweden: its bankgiro.',
    rule: 'must have seven or eight digits',
    checkedBy: LAST_DIGIT,
    only: 'Sweden',
  },
  plusgiro: {
    option: 'plusgiro',
    value: 'N',
    what: 'Sweden: its plusgiro.',
    rule: 'must have two to eight digits',
    checkedBy: LAST_DIGIT,
    only: 'Sweden',
  },
  account: {
    option: 'account',
    value: 'N',
    what: 'Norway: its kontonummer. Denmark: reg. number and account, such as "1234 0001234567".',
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
    what: 'Denmark: its kreditornummer, for payments by +71.',
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

/** As it was found, on one line. */
function quote(text: string): string {
  const start = text.length > LONGEST_FOUND ? `${text.slice(0, LONGEST_FOUND)}…` : text;
  return /^[\p{L}\p{N}](?:[\p{L}\p{N} ./-]*[\p{L}\p{N}])?…?$/u.test(start) ? start : JSON.stringify(start);
}

function explainCheck(signs: string, digits: string, right: string | undefined): string {
  if (right === undefined) return `${signs} checks the others, and no digit fits them: one is mistyped`;
  return `${signs} must be ${right} to fit the others, found ${digits}: one of them is mistyped`;
}

/** The field, what was found, and what was expected. */
function explain(fault: SellerFault, given: SellerChange): string {
  const { field, text, country } = fault;
  const { option, rule, only, checkedBy = '' } = WORDS[field];
  const found = `--${option} is ${quote(text)}${given[field] === undefined ? ', from before' : ''}`;
  switch (fault.fault) {
    case 'is_wrong':
      return `${found}; it ${typeof rule === 'string' ? rule : rule(country)}.`;
    case 'fails_check':
      return `${found}; ${explainCheck(checkedBy, fault.digits, fault.right)}.`;
    case 'needs_country':
      return `${found}; it needs --country, which says what it must look like.`;
    case 'is_of_another_country':
      return `${found}; it is for sellers in ${only}, and the country is ${country}. --iban is for all.`;
  }
}

/** All of them at once, each on a line of its own. */
export function explainSellerFaults(faults: readonly SellerFault[], given: SellerChange): UserError {
  const [first = '', ...others] = faults.map((fault) => explain(fault, given));
  if (others.length === 0) return new UserError(first);
  const head = `${faults.length} things are wrong with what invoices are to say, and nothing was changed:`;
  return new UserError([head, first, ...others].join('\n  '));
}
