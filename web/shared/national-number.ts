// The numbers by which the Nordic countries know persons and companies. Only the shape is checked: the simulator takes
// any person, and a number with the right check digit would be no more true. Countries are given by their three letters.
import { toAsciiDigits } from './card.ts';

type Shape = { readonly person: RegExp; readonly example: string; readonly organisation: RegExp };

const LONGEST_ORGANISATION_NUMBER = 64;
// The examples are nobody's: they are published for tests, and no Norwegian is born in month 81. An organisation number
// may come as the VAT number made of it, and a sole trader in Sweden has a personal one.
const shapes: ReadonlyMap<string, Shape> = new Map([
  [
    'SWE',
    {
      person: /^(?:[0-9]{2})?([0-9]{6})[-+]?([0-9]{4})$/,
      example: '19121212-1212',
      organisation: /^(?:[0-9]{2})?[0-9]{6}-?[0-9]{4}$/,
    },
  ],
  ['NOR', { person: /^([0-9]{6})-?([0-9]{5})$/, example: '01819012345', organisation: /^(?:NO)?[0-9]{9}(?:MVA)?$/ }],
  ['DNK', { person: /^([0-9]{6})-?([0-9]{4})$/, example: '251248-9996', organisation: /^(?:DK)?[0-9]{8}$/ }],
  [
    'FIN',
    {
      // The sign in the middle tells the century; the last one is never a letter that looks like a digit.
      person: /^([0-9]{6}[-+A-FU-Y])([0-9]{3}[0-9A-FHJ-NPR-Y])$/,
      example: '131052-308T',
      organisation: /^(?:FI)?[0-9]{7}-?[0-9]$/,
    },
  ],
]);

const squeeze = (text: string): string =>
  toAsciiDigits(text)
    .replace(/[\s\p{Cf}]/gu, '')
    .replace(/\p{Pd}/gu, '-')
    .toUpperCase();

/** Whether persons in this country have a number that an invoice asks for. */
export const hasNationalNumber = (country: string): boolean => shapes.has(country);

/** A number to show beside the field. */
export const nationalNumberExample = (country: string): string | undefined => shapes.get(country)?.example;

/**
 * The one form of a person's number, however it was written: ten digits in Sweden, without the century; Finland keeps
 * its sign and its letter. Undefined when it has not the country's shape, or the country has no such numbers.
 */
export function tidyNationalNumber(country: string, text: string): string | undefined {
  const parts = shapes.get(country)?.person.exec(squeeze(text));
  return parts == null ? undefined : parts.slice(1).join('');
}

/** Whether a text has the shape of a person's number in this country. */
export const isNationalNumber = (country: string, text: string): boolean =>
  tidyNationalNumber(country, text) !== undefined;

/** Whether we know the shape of a company's number in this country. */
export const hasOrganisationNumber = (country: string): boolean => shapes.has(country);

/** Whether a text can be a company's number: by its shape where we know it, elsewhere any short text. */
export function isOrganisationNumber(country: string, text: string): boolean {
  const shape = shapes.get(country)?.organisation;
  if (shape !== undefined) return shape.test(squeeze(text).replaceAll('.', ''));
  return (
    text.trim().length <= LONGEST_ORGANISATION_NUMBER && /[^\s\p{Cf}]/u.test(text) && !/[\p{Cc}\p{Cs}]/u.test(text)
  );
}
