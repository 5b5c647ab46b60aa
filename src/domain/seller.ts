// The seller on invoices: address, VAT number and bank details. Everything is optional, and is checked offline, by format
// and check digits.
import { readCountry } from './country.ts';
import { findAccountFault, findCompanyFault, findGiroFault, findIbanFault, findVatFault } from './seller-numbers.ts';
import type { NumberFault } from './seller-numbers.ts';

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
  /** What was found there. */
  readonly text: string;
  readonly country?: string;
} & (NumberFault | { readonly fault: 'needs_country' | 'is_of_another_country' });

const LONGEST_LINE = 128;
const LONGEST_POSTAL_CODE = 16;

const isLine = (text: string): boolean =>
  text.trim() !== '' && text.length <= LONGEST_LINE && text.isWellFormed() && !/[\p{Cc}\p{Zl}\p{Zp}]/u.test(text);

/** Where a field means something: only for sellers of these countries. */
const ONLY_IN: { readonly [Field in SellerField]?: readonly string[] } = {
  bankgiro: ['SWE'],
  plusgiro: ['SWE'],
  account: ['NOR', 'DNK'],
  creditorNumber: ['DNK'],
};

type Check = (text: string, country: string | undefined) => NumberFault | undefined;

const WRONG = { fault: 'is_wrong' } as const;
const must =
  (isRight: (text: string) => boolean): Check =>
  (text) =>
    isRight(text) ? undefined : WRONG;

const CHECKS: Readonly<Record<SellerField, Check>> = {
  name: must(isLine),
  address: must(isLine),
  address2: must(isLine),
  postalCode: must((text) => isLine(text) && text.length <= LONGEST_POSTAL_CODE),
  city: must(isLine),
  country: must((text) => readCountry(text) === text),
  vatNumber: findVatFault,
  companyNumber: (text, country) => (isLine(text) ? findCompanyFault(text, country) : WRONG),
  iban: findIbanFault,
  bic: must((text) => /^[A-Z]{6}[\dA-Z]{2}(?:[\dA-Z]{3})?$/.test(text)),
  bankgiro: (text) => findGiroFault(text, 7),
  plusgiro: (text) => findGiroFault(text, 2),
  account: findAccountFault,
  creditorNumber: must((text) => /^\d{8}$/.test(text)),
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

/** Fields whose format depends on the country: without a valid country they cannot be checked. */
const LOOKS_BY_COUNTRY: ReadonlySet<SellerField> = new Set<SellerField>(['vatNumber', 'companyNumber', 'account']);

type Found = NumberFault | { readonly fault: 'needs_country' | 'is_of_another_country' } | undefined;

function findFault(field: SellerField, text: string, country: string | undefined): Found {
  const only = ONLY_IN[field];
  if ((only ?? field === 'vatNumber') && country === undefined) return { fault: 'needs_country' };
  if (country !== undefined && field !== 'country' && CHECKS.country(country, undefined))
    return LOOKS_BY_COUNTRY.has(field) ? undefined : CHECKS[field](text, undefined);
  if (only && !only.includes(country ?? '')) return { fault: 'is_of_another_country' };
  return CHECKS[field](text, country);
}

/** Everything that is wrong with a seller whose fields are spelled as they are kept. */
export function findSellerFaults(seller: Seller): SellerFault[] {
  const { country } = seller;
  return SELLER_FIELDS.flatMap((field) => {
    const text = seller[field];
    const found = text === undefined ? undefined : findFault(field, text, country);
    return text === undefined || found === undefined
      ? []
      : [{ field, text, ...(country !== undefined && { country }), ...found }];
  });
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
