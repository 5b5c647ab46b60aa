// The reference with which an invoice is paid, as the banks of the seller's country check it. In Sweden and Norway (OCR,
// KID) it is the long number with its check digit, and so it is where nothing is known of the seller; Finnish and Danish
// references and those of ISO 11649 are shorter, and made of the number in the merchant's series.
import { checkDigitOf } from './check-digit.ts';
import { invoiceNumberOf, ocrOf } from './invoice.ts';
import type { Merchant } from './merchant.ts';
import type { Movement } from './movement.ts';
import { modulus97 } from './seller-numbers.ts';

const DIGITS = 6;
// A Finnish reference begins with no zero.
const finnishBase = (number: number): string => `1${String(number).padStart(DIGITS, '0')}`;

/** Weights 7, 3, 1 from the right; what is missing to the next ten. */
function finnishReference(base: string): string {
  const sum = Array.from(base)
    .toReversed()
    .reduce((total, digit, index) => total + Number(digit) * ([7, 3, 1][index % 3] ?? 0), 0);
  return `${base}${(10 - (sum % 10)) % 10}`;
}

/** Of a Danish payment card of kind 71: fifteen digits, the last of which checks the others. */
const DANISH_DIGITS = 14;

function danishReference(number: number): string {
  const base = String(number).padStart(DANISH_DIGITS, '0');
  return base + checkDigitOf(base);
}

/** RF, two check digits, and the number. */
function creditorReference(number: number): string {
  const base = String(number).padStart(DIGITS, '0');
  return `RF${String(98 - modulus97(`${base}RF00`)).padStart(2, '0')}${base}`;
}

type Charge = Pick<Movement, 'id' | 'invoiceNumber' | 'issued'>;

const isLong = (country: string | undefined): boolean =>
  country === undefined || country === 'SWE' || country === 'NOR';

export function referenceOf({ id, invoiceNumber = invoiceNumberOf(id), issued }: Charge): string {
  const country = issued?.seller.country;
  if (issued === undefined || isLong(country)) return ocrOf(invoiceNumber);
  if (country === 'FIN') return finnishReference(finnishBase(issued.number));
  return country === 'DNK' ? danishReference(issued.number) : creditorReference(issued.number);
}

/** Whether it is known already: not where it is made of a number that is still to be given. */
export const isReferenceKnown = ({ issued }: Charge, { seller }: Pick<Merchant, 'seller'>): boolean =>
  issued !== undefined || isLong(seller?.country);
