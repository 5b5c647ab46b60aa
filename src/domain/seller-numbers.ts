// Formats and check digits of a seller's numbers, by country. A wrong format and a wrong check digit are different errors,
// since they hint at different mistakes.
import { checkDigitOf } from './check-digit.ts';

/** `right`: the check digits that the rest asks for; none where no digit fits it. */
export type NumberFault =
  | { readonly fault: 'is_wrong' }
  | { readonly fault: 'fails_check'; readonly digits: string; readonly right?: string };

const WRONG = { fault: 'is_wrong' } as const;

const compareCheck = (digits: string, right: string | undefined): NumberFault | undefined =>
  digits === right ? undefined : { fault: 'fails_check', digits, ...(right !== undefined && { right }) };

/** Luhn, modulus 10. */
const findLuhnFault = (digits: string): NumberFault | undefined =>
  compareCheck(digits.slice(-1), checkDigitOf(digits.slice(0, -1)));

/** Norwegian accounts and company numbers: weights 2 to 7, from the right, modulus 11. */
function findModulus11Fault(digits: string): NumberFault | undefined {
  const weighted = Array.from(digits.slice(0, -1))
    .toReversed()
    .reduce((sum, digit, index) => sum + Number(digit) * (2 + (index % 6)), 0);
  const right = (11 - (weighted % 11)) % 11;
  return compareCheck(digits.slice(-1), right === 10 ? undefined : String(right));
}

/** ISO 7064, as IBANs and RF references have it: the remainder of all of it, letters as numbers from 10. */
export function modulus97(text: string): number {
  const digits = Array.from(text, (sign) => Number.parseInt(sign, 36)).join('');
  return Number(BigInt(digits) % 97n);
}

export function findIbanFault(text: string): NumberFault | undefined {
  if (!/^[A-Z]{2}\d{2}[\dA-Z]{11,30}$/.test(text)) return WRONG;
  const [country, check, account] = [text.slice(0, 2), text.slice(2, 4), text.slice(4)];
  return compareCheck(check, String(98 - modulus97(`${account}${country}00`)).padStart(2, '0'));
}

type Shape = { readonly pattern: RegExp; readonly example: string };

/** The shapes of numbers for VAT; those of other countries have letters and digits. */
const VAT_SHAPES: Readonly<Record<string, Shape>> = {
  AUT: { pattern: /^ATU\d{8}$/, example: 'ATU12345678' },
  BEL: { pattern: /^BE[01]\d{9}$/, example: 'BE0123456789' },
  CHE: { pattern: /^CHE\d{9}(?:MWST|TVA|IVA)?$/, example: 'CHE123456789MWST' },
  DEU: { pattern: /^DE\d{9}$/, example: 'DE123456789' },
  DNK: { pattern: /^DK\d{8}$/, example: 'DK12345678' },
  ESP: { pattern: /^ES[\dA-Z]\d{7}[\dA-Z]$/, example: 'ESB12345678' },
  EST: { pattern: /^EE\d{9}$/, example: 'EE123456789' },
  FIN: { pattern: /^FI\d{8}$/, example: 'FI12345671' },
  FRA: { pattern: /^FR[\dA-HJ-NP-Z]{2}\d{9}$/, example: 'FR12345678901' },
  GBR: { pattern: /^GB(?:\d{9}|\d{12})$/, example: 'GB123456789' },
  IRL: { pattern: /^IE\d[\dA-Z+*]\d{5}[A-Z]{1,2}$/, example: 'IE1234567T' },
  ITA: { pattern: /^IT\d{11}$/, example: 'IT12345678901' },
  LTU: { pattern: /^LT(?:\d{9}|\d{12})$/, example: 'LT123456789' },
  LUX: { pattern: /^LU\d{8}$/, example: 'LU12345678' },
  LVA: { pattern: /^LV\d{11}$/, example: 'LV12345678901' },
  NLD: { pattern: /^NL\d{9}B\d{2}$/, example: 'NL123456789B01' },
  NOR: { pattern: /^(?:NO)?\d{9}MVA$/, example: 'NO923456783MVA' },
  POL: { pattern: /^PL\d{10}$/, example: 'PL1234567890' },
  PRT: { pattern: /^PT\d{9}$/, example: 'PT123456789' },
  SWE: { pattern: /^SE\d{12}$/, example: 'SE556703748501' },
};
const ANY_VAT_NUMBER = /^[\dA-Z]{4,20}$/;

export const findVatFault = (text: string, country = ''): NumberFault | undefined =>
  (VAT_SHAPES[country]?.pattern ?? ANY_VAT_NUMBER).test(text) ? undefined : WRONG;

/** What one of that country looks like, where its shape is known. */
export const vatExampleOf = (country = ''): string | undefined => VAT_SHAPES[country]?.example;

/** How many digits a company's number has where its shape is known, and what checks them; elsewhere it is a short line. */
const COMPANY_NUMBERS: Readonly<
  Record<string, { readonly length: number; readonly check?: (digits: string) => NumberFault | undefined }>
> = {
  SWE: { length: 10, check: findLuhnFault },
  NOR: { length: 9, check: findModulus11Fault },
  DNK: { length: 8 },
  FIN: { length: 8 },
};
export const LONGEST_COMPANY_NUMBER = 32;

export const companyDigitsOf = (country = ''): number | undefined => COMPANY_NUMBERS[country]?.length;

export function findCompanyFault(text: string, country = ''): NumberFault | undefined {
  const known = COMPANY_NUMBERS[country];
  if (known === undefined) return text.length <= LONGEST_COMPANY_NUMBER ? undefined : WRONG;
  const digits = text.replaceAll(/[ -]/g, '');
  return /^\d+$/.test(digits) && digits.length === known.length ? known.check?.(digits) : WRONG;
}

export function findAccountFault(text: string, country = ''): NumberFault | undefined {
  if (country === 'DNK') return /^\d{4} \d{5,10}$/.test(text) ? undefined : WRONG;
  return country === 'NOR' && /^\d{11}$/.test(text) ? findModulus11Fault(text) : WRONG;
}

const LONGEST_GIRO = 8;

export const findGiroFault = (text: string, shortest: number): NumberFault | undefined =>
  /^\d+$/.test(text) && text.length >= shortest && text.length <= LONGEST_GIRO ? findLuhnFault(text) : WRONG;
