// Formats amounts, dates, numbers and countries with Intl. Amounts are passed as decimal strings, to avoid floating-point
// division.
import { twoLetters } from '../domain/country.ts';
import { exponentOf } from '../domain/currency.ts';
import { localeOf } from '../pages/language.ts';
import type { Language } from '../pages/language.ts';
import { numberFormat } from '../pages/number-format.ts';
import { regionName } from '../pages/region-name.ts';

// Cached, since creating a format takes longer than using it a thousand times.
const keptDays = new Map<Language, Intl.DateTimeFormat>();

/** Minor units as a decimal number: 12345 with two decimals is 123.45. */
function decimalOf(minor: number, exponent: number): `${number}` {
  const digits = String(Math.abs(minor)).padStart(exponent + 1, '0');
  const whole = digits.slice(0, digits.length - exponent);
  const fraction = digits.slice(digits.length - exponent);
  return `${minor < 0 ? '-' : ''}${whole}${fraction === '' ? '' : `.${fraction}`}` as `${number}`;
}

/** Whether 1000 is parted as 10000 is in languages that leave it: on paper, where figures stand below each other. */
type Grouping = 'auto' | 'always';

function digitsOf(currency: string, useGrouping: Grouping) {
  const exponent = exponentOf(currency);
  return { minimumFractionDigits: exponent, maximumFractionDigits: exponent, useGrouping } as const;
}

/** 15000 SEK is "150,00 kr" in Swedish and "SEK 150.00" in English. */
export function formatAmount(minor: number, currency: string, language: Language, grouping: Grouping = 'auto'): string {
  const format = numberFormat(language, { style: 'currency', currency, ...digitsOf(currency, grouping) });
  return format.format(decimalOf(minor, exponentOf(currency)));
}

/** The same without the currency: for the columns of a table. */
export function formatFigure(minor: number, currency: string, language: Language): string {
  return numberFormat(language, digitsOf(currency, 'always')).format(decimalOf(minor, exponentOf(currency)));
}

/** Milliseconds since 1970 as a day for people, in UTC. */
export function formatDate(at: number, language: Language): string {
  const format =
    keptDays.get(language) ?? new Intl.DateTimeFormat(localeOf(language), { dateStyle: 'long', timeZone: 'UTC' });
  keptDays.set(language, format);
  return format.format(at);
}

/** Hundredths of a percent: 2500 is "25 %". */
export function formatTaxRate(taxRate: number, language: Language): string {
  return numberFormat(language, { style: 'percent', maximumFractionDigits: 4 }).format(taxRate / 10_000);
}

/** With at most six decimals, as quantities are taken. */
export function formatQuantity(quantity: number, language: Language): string {
  return numberFormat(language, { maximumFractionDigits: 6 }).format(quantity);
}

/** A country's name, or its code if unknown. */
export function countryName(alpha3: string, language: Language): string {
  const letters = twoLetters(alpha3);
  return letters === undefined ? alpha3 : regionName(letters, language);
}
