// Who sells, as an invoice has to name it: address, number for VAT, and where the money goes. Everything is optional, and
// each thing is checked as far as it can be without asking anybody: by its shape, and by its check digits where it has any.
import { readCountry } from './country.ts';
import { checkDigitOf } from './invoice.ts';

export type Seller = {
  /** As it is registered; the merchant's own name where it is left out. */
  readonly name?: string;
  readonly address?: string;
  readonly address2?: string;
  readonly postalCode?: string;
  readonly city?: string;
  /** Three letters of ISO 3166. */
  readonly country?: string;
  readonly vatNumber?: string;
  readonly companyNumber?: string;
  readonly iban?: string;
  readonly bic?: string;
  /** Swedish. */
  readonly bankgiro?: string;
  readonly plusgiro?: string;
  /** Of Norway: eleven digits. Of Denmark: the four of the bank, and the account's. */
  readonly account?: string;
  /** Danish: eight digits, to which a payment card with a reference is paid. */
  readonly creditorNumber?: string;
};

export type SellerField = keyof Seller;
/** What is wrong with a field: itself, or that the country of the seller has no such thing. */
export type SellerFault = {
  readonly field: SellerField;
  readonly fault: 'is_wrong' | 'needs_country' | 'is_of_another_country';
};

const LONGEST_LINE = 128;

const isLine = (text: string): boolean =>
  text.trim() !== '' && text.length <= LONGEST_LINE && text.isWellFormed() && !/[\p{Cc}\p{Zl}\p{Zp}]/u.test(text);

const isDigitChecked = (digits: string): boolean => checkDigitOf(digits.slice(0, -1)) === digits.slice(-1);

/** Norwegian accounts and company numbers: weights 2 to 7, from the right, modulus 11. */
function passesModulus11(digits: string): boolean {
  const weighted = Array.from(digits.slice(0, -1))
    .toReversed()
    .reduce((sum, digit, index) => sum + Number(digit) * (2 + (index % 6)), 0);
  return String((11 - (weighted % 11)) % 11) === digits.slice(-1);
}

/** ISO 7064, as IBANs and RF references have it: the remainder of all of it, letters as numbers from 10. */
export function modulus97(text: string): number {
  const digits = Array.from(text, (sign) => Number.parseInt(sign, 36)).join('');
  return Number(BigInt(digits) % 97n);
}

const isIban = (text: string): boolean =>
  /^[A-Z]{2}\d{2}[\dA-Z]{11,30}$/.test(text) && modulus97(text.slice(4) + text.slice(0, 4)) === 1;

/** The shapes of numbers for VAT; those of other countries have letters and digits. */
const VAT_SHAPES: Readonly<Record<string, RegExp>> = {
  AUT: /^ATU\d{8}$/,
  BEL: /^BE[01]\d{9}$/,
  CHE: /^CHE\d{9}(?:MWST|TVA|IVA)?$/,
  DEU: /^DE\d{9}$/,
  DNK: /^DK\d{8}$/,
  ESP: /^ES[\dA-Z]\d{7}[\dA-Z]$/,
  EST: /^EE\d{9}$/,
  FIN: /^FI\d{8}$/,
  FRA: /^FR[\dA-HJ-NP-Z]{2}\d{9}$/,
  GBR: /^GB(?:\d{9}|\d{12})$/,
  IRL: /^IE\d[\dA-Z+*]\d{5}[A-Z]{1,2}$/,
  ITA: /^IT\d{11}$/,
  LTU: /^LT(?:\d{9}|\d{12})$/,
  LUX: /^LU\d{8}$/,
  LVA: /^LV\d{11}$/,
  NLD: /^NL\d{9}B\d{2}$/,
  NOR: /^(?:NO)?\d{9}MVA$/,
  POL: /^PL\d{10}$/,
  PRT: /^PT\d{9}$/,
  SWE: /^SE\d{12}$/,
};
const ANY_VAT_NUMBER = /^[\dA-Z]{4,20}$/;

/** A company's number where its shape is known; elsewhere any short line. */
const COMPANY_NUMBERS: Readonly<Record<string, (digits: string) => boolean>> = {
  SWE: (digits) => /^\d{10}$/.test(digits) && isDigitChecked(digits),
  NOR: (digits) => /^\d{9}$/.test(digits) && passesModulus11(digits),
  DNK: (digits) => /^\d{8}$/.test(digits),
  FIN: (digits) => /^\d{8}$/.test(digits),
};
const LONGEST_COMPANY_NUMBER = 32;

function isCompanyNumber(text: string, country = ''): boolean {
  const check = COMPANY_NUMBERS[country];
  if (check) return check(text.replaceAll(/[ -]/g, ''));
  return isLine(text) && text.length <= LONGEST_COMPANY_NUMBER;
}

const ACCOUNTS: Readonly<Record<string, (text: string) => boolean>> = {
  NOR: (text) => /^\d{11}$/.test(text) && passesModulus11(text),
  DNK: (text) => /^\d{4} \d{5,10}$/.test(text),
};

/** Where a field means something: only for sellers of these countries. */
const ONLY_IN: { readonly [Field in SellerField]?: readonly string[] } = {
  bankgiro: ['SWE'],
  plusgiro: ['SWE'],
  account: ['NOR', 'DNK'],
  creditorNumber: ['DNK'],
};

type Check = (text: string, country: string | undefined) => boolean;

const CHECKS: Readonly<Record<SellerField, Check>> = {
  name: isLine,
  address: isLine,
  address2: isLine,
  postalCode: (text) => isLine(text) && text.length <= 16,
  city: isLine,
  country: (text) => readCountry(text) === text,
  vatNumber: (text, country = '') => (VAT_SHAPES[country] ?? ANY_VAT_NUMBER).test(text),
  companyNumber: isCompanyNumber,
  iban: isIban,
  bic: (text) => /^[A-Z]{6}[\dA-Z]{2}(?:[\dA-Z]{3})?$/.test(text),
  bankgiro: (text) => /^\d{7,8}$/.test(text) && isDigitChecked(text),
  plusgiro: (text) => /^\d{2,8}$/.test(text) && isDigitChecked(text),
  account: (text, country = '') => ACCOUNTS[country]?.(text) ?? false,
  creditorNumber: (text) => /^\d{8}$/.test(text),
};

export const SELLER_FIELDS = Object.keys(CHECKS) as readonly SellerField[];

const compact = (text: string): string => text.replaceAll(/[\s./-]/g, '').toUpperCase();
const digitsOf = (text: string): string => text.replaceAll(/[\s.-]/g, '');

/** The one spelling in which each is kept; printing parts it again. */
const SPELLINGS: { readonly [Field in SellerField]?: (text: string) => string } = {
  country: (text) => readCountry(text) ?? text,
  vatNumber: compact,
  iban: compact,
  bic: compact,
  bankgiro: digitsOf,
  plusgiro: digitsOf,
  // A Danish account is two numbers: how they were parted says which is which.
  account: (text) => (/^\d{4}[ -]+\d{5,10}$/.test(text.trim()) ? text.trim().replace(/[ -]+/, ' ') : digitsOf(text)),
  creditorNumber: digitsOf,
};

export const spellSellerField = (field: SellerField, text: string): string =>
  SPELLINGS[field]?.(text) ?? text.trim().replaceAll(/ +/g, ' ');

/** The first thing that is wrong with a seller whose fields are spelled as they are kept. */
export function findSellerFault(seller: Seller): SellerFault | undefined {
  for (const field of SELLER_FIELDS) {
    const text = seller[field];
    if (text === undefined) continue;
    const only = ONLY_IN[field];
    if ((only ?? field === 'vatNumber') && seller.country === undefined) return { field, fault: 'needs_country' };
    if (only && !only.includes(seller.country ?? '')) return { field, fault: 'is_of_another_country' };
    if (!CHECKS[field](text, seller.country)) return { field, fault: 'is_wrong' };
  }
  return undefined;
}

/** What an invoice must say of its seller and does not: each as the fields of which one is enough. */
export function missingOfSeller(seller: Seller = {}): (readonly SellerField[])[] {
  const needed: (readonly SellerField[])[] = [
    ['address'],
    ['postalCode'],
    ['city'],
    ['country'],
    ['vatNumber', 'companyNumber'],
    ['iban', 'bankgiro', 'plusgiro', 'account', 'creditorNumber'],
  ];
  return needed.filter((fields) => fields.every((field) => seller[field] === undefined));
}

export const canIssueInvoices = ({ live, seller }: { readonly live: boolean; readonly seller?: Seller }): boolean =>
  !live || missingOfSeller(seller).length === 0;
