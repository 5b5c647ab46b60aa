// Which language a consumer reads, and how amounts, dates, numbers and countries are written in it. All by Intl, and
// amounts as decimal texts, so that no amount ever goes through a floating-point division.
import { twoLetters } from '../../domain/country.ts';
import { exponentOf } from '../../domain/currency.ts';
import { LANGUAGES } from '../view.ts';
import type { Language } from '../view.ts';
import type { Catalogue } from './catalogue.ts';
import { da } from './da.ts';
import { de } from './de.ts';
import { en } from './en.ts';
import { es } from './es.ts';
import { fi } from './fi.ts';
import { fr } from './fr.ts';
import { nb } from './nb.ts';
import { nl } from './nl.ts';
import { pl } from './pl.ts';
import { sv } from './sv.ts';

const CATALOGUES: Readonly<Record<Language, Catalogue>> = { en, sv, nb, da, fi, de, fr, nl, es, pl };

const LOCALES: Readonly<Record<Language, string>> = {
  en: 'en-GB',
  sv: 'sv-SE',
  nb: 'nb-NO',
  da: 'da-DK',
  fi: 'fi-FI',
  de: 'de-DE',
  fr: 'fr-FR',
  nl: 'nl-NL',
  es: 'es-ES',
  pl: 'pl-PL',
};

/** Each language by its own name. */
export const LANGUAGE_NAMES: Readonly<Record<Language, string>> = {
  en: 'English',
  sv: 'Svenska',
  nb: 'Norsk',
  da: 'Dansk',
  fi: 'Suomi',
  de: 'Deutsch',
  fr: 'Français',
  nl: 'Nederlands',
  es: 'Español',
  pl: 'Polski',
};

// Browsers and shops say Norwegian in three ways; whoever reads one reads the others.
const OTHER_NAMES: Readonly<Record<string, Language>> = { no: 'nb', nn: 'nb' };
// Enough for all languages that a browser names.
const LONGEST_HEADER = 500;

export const catalogueOf = (language: Language): Catalogue => CATALOGUES[language];
export const localeOf = (language: Language): string => LOCALES[language];

/** The language of a tag like sv, sv-SE or nb_NO, in any case. */
function languageOfTag(tag: string): Language | undefined {
  const primary = (/^[a-z]+/i.exec(tag.trim())?.[0] ?? '').toLowerCase();
  return LANGUAGES.find((language) => language === primary) ?? new Map(Object.entries(OTHER_NAMES)).get(primary);
}

/** The languages of an Accept-Language header, the most wanted first. */
function preferencesOf(acceptLanguage: string): string[] {
  return acceptLanguage
    .slice(0, LONGEST_HEADER)
    .split(',')
    .map((preference) => {
      const [tag = '', ...parameters] = preference.split(';');
      const quality = parameters.map((text) => /^\s*q\s*=\s*([\d.]+)\s*$/i.exec(text)?.[1]).find(Boolean);
      return { tag, weight: quality === undefined ? 1 : Number(quality) };
    })
    .filter(({ weight }) => weight > 0)
    .toSorted((a, b) => b.weight - a.weight)
    .map(({ tag }) => tag);
}

/** What the address asks for, else the best of what the browser asks for that there is, else English. */
export function readLanguage(query: string | undefined, acceptLanguage: string | undefined): Language {
  for (const tag of [query ?? '', ...preferencesOf(acceptLanguage ?? '')]) {
    const language = languageOfTag(tag);
    if (language !== undefined) return language;
  }
  return 'en';
}

// Making a format takes longer than using it a thousand times.
const kept = new Map<string, Intl.NumberFormat>();
const keptDays = new Map<Language, Intl.DateTimeFormat>();

function numberFormat(language: Language, options: Intl.NumberFormatOptions): Intl.NumberFormat {
  const key = `${language} ${JSON.stringify(options)}`;
  const format = kept.get(key) ?? new Intl.NumberFormat(LOCALES[language], options);
  kept.set(key, format);
  return format;
}

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
    keptDays.get(language) ?? new Intl.DateTimeFormat(LOCALES[language], { dateStyle: 'long', timeZone: 'UTC' });
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

/** A country's name; its letters when the language has no name for it. */
export function countryName(alpha3: string, language: Language): string {
  const letters = twoLetters(alpha3);
  if (letters === undefined) return alpha3;
  return new Intl.DisplayNames([LOCALES[language]], { type: 'region' }).of(letters) ?? alpha3;
}
