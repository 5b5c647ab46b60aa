// The seller as printed on an invoice: address lines, numbers and payment details, grouped for reading. A test merchant
// without seller details is printed as an example.
import type { Merchant } from '../../domain/merchant.ts';
import type { Language } from '../../pages/language.ts';
import type { Seller } from '../../domain/seller.ts';
import { countryName } from '../formats.ts';

/** A name that has words of its own in each language, or one that every bank spells so. */
export type FactName = 'vatNumber' | 'companyNumber' | 'account' | 'IBAN' | 'BIC' | 'Bankgiro' | 'Plusgiro' | 'FI-kort';
export type SellerFact = { readonly name: FactName; readonly text: string };

export type PrintedSeller = {
  readonly name: string;
  readonly address: readonly string[];
  readonly numbers: readonly SellerFact[];
  /** Where the money goes. */
  readonly accounts: readonly SellerFact[];
  readonly isExample: boolean;
};

/** Nobody's: the numbers are those with which others try their programs out. */
const EXAMPLE: Seller = {
  address: 'Exempelgatan 1',
  postalCode: '123 45',
  city: 'Exempelstad',
  country: 'SWE',
  vatNumber: 'SE000000000001',
  bankgiro: '9912346',
  iban: 'SE3550000000054910000003',
  bic: 'TESTSES0',
};

const inFours = (text: string): string => text.replaceAll(/(.{4})(?=.)/g, '$1 ');
/** 9912346 is 991-2346. */
const bankgiro = (digits: string): string => `${digits.slice(0, -4)}-${digits.slice(-4)}`;
/** 9019506 is 90 19 50-6. */
const plusgiro = (digits: string): string =>
  `${digits.slice(0, -1).replaceAll(/(?<=\d)(?=(?:\d\d)+$)/g, ' ')}-${digits.slice(-1)}`;
/** 86011117947 is 8601.11.17947; a Danish one is as it is. */
const account = (text: string): string => text.replace(/^(\d{4})(\d{2})(\d{5})$/, '$1.$2.$3');

function factsOf(facts: readonly (readonly [FactName, string | undefined])[]): SellerFact[] {
  return facts.flatMap(([name, text]) => (text === undefined ? [] : [{ name, text }]));
}

const shown = <Text extends string>(text: Text | undefined, show: (text: Text) => string): string | undefined =>
  text === undefined ? undefined : show(text);

/** The line of a Danish payment card: its kind, its reference, and whose it is. */
const paymentCard = (reference: string, creditorNumber: string): string => `+71<${reference} +${creditorNumber}<`;

export function printSeller(
  seller: Seller,
  { name, live }: Pick<Merchant, 'name' | 'live'>,
  language: Language,
  reference: string,
): PrintedSeller {
  const { name: own = name, ...given } = seller;
  const isExample = !live && Object.keys(given).length === 0;
  const { address, address2, postalCode, city, country, ...rest } = isExample ? EXAMPLE : given;
  const place = [postalCode, city].filter(Boolean).join(' ');
  const lines = [address, address2, place, country && countryName(country, language)];
  const { vatNumber, companyNumber, creditorNumber } = rest;
  return {
    name: own,
    address: lines.flatMap((line) => (line ? [line] : [])),
    numbers: factsOf([
      ['vatNumber', vatNumber],
      ['companyNumber', companyNumber],
    ]),
    accounts: factsOf([
      ['Bankgiro', shown(rest.bankgiro, bankgiro)],
      ['Plusgiro', shown(rest.plusgiro, plusgiro)],
      ['account', shown(rest.account, account)],
      ['FI-kort', shown(creditorNumber, (number) => paymentCard(reference, number))],
      ['IBAN', shown(rest.iban, inFours)],
      ['BIC', rest.bic],
    ]),
    isExample,
  };
}
