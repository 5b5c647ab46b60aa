// Post codes: checked and made uniform where we know their shape, the Nordic countries and Germany, and taken as they
// are elsewhere. Countries are given by their three letters.
import { toAsciiDigits } from './card.ts';

type Shape = { readonly digits: number; readonly prefix: RegExp; readonly example: string };

const LONGEST = 32;
// What people write before the digits: the letters of the post or of the cars.
const shapes: ReadonlyMap<string, Shape> = new Map([
  ['SWE', { digits: 5, prefix: /^SE?/i, example: '111 22' }],
  ['NOR', { digits: 4, prefix: /^NO?/i, example: '0150' }],
  ['DNK', { digits: 4, prefix: /^DK/i, example: '1050' }],
  ['FIN', { digits: 5, prefix: /^(?:FIN?|AX)/i, example: '00100' }],
  ['ISL', { digits: 3, prefix: /^IS/i, example: '101' }],
  ['DEU', { digits: 5, prefix: /^DE?/i, example: '10115' }],
]);
// Without post codes, or with ones that hardly anyone uses, as in Ireland and Panama.
const WITHOUT =
  'ABW AGO ARE ATG BDI BEN BES BFA BHS BLZ BOL BWA CAF CIV CMR COD COG COK COM CUW DJI DMA ERI FJI GHA GMB GNQ GRD GUY ' +
  'HKG IRL JAM KIR KNA LBY MAC MLI MRT MWI NIU NRU PAN PRK QAT RWA SLB SLE SOM STP SUR SXM SYC SYR TGO TKL TLS TON TTO ' +
  'TUV UGA VUT YEM ZWE';
const without: ReadonlySet<string> = new Set(WITHOUT.split(' '));

/** Whether an address in this country needs a post code. */
export const hasPostalCodes = (country: string): boolean => !without.has(country);

/** A post code to show beside the field; only where we check it. */
export const postalCodeExample = (country: string): string | undefined => shapes.get(country)?.example;

/**
 * The post code as it is kept: digits alone where we know the shape, otherwise the text without needless spaces, empty
 * where there are none. Undefined when it cannot be one.
 */
export function tidyPostalCode(country: string, text: string): string | undefined {
  const plain = toAsciiDigits(text)
    .replace(/\p{Cf}/gu, '')
    .trim();
  const shape = shapes.get(country);
  if (shape !== undefined) {
    const digits = plain.replace(shape.prefix, '').replace(/[\s\p{Pd}]/gu, '');
    return /^[0-9]+$/.test(digits) && digits.length === shape.digits ? digits : undefined;
  }
  const code = plain.replace(/\s+/g, ' ');
  if (code === '') return hasPostalCodes(country) ? undefined : '';
  return code.length > LONGEST || /[\p{Cc}\p{Cs}]/u.test(code) ? undefined : code;
}
