// The rules of a card form: number, brand, expiry and CVC. The page uses them while the consumer types and the service
// when the answer arrives, so both refuse the same things.

export type Brand = 'visa' | 'mastercard' | 'amex' | 'dankort' | 'maestro' | 'diners' | 'discover' | 'jcb';
/** The names that brands give themselves: the same in every language. */
export const BRAND_NAMES: Readonly<Record<string, string>> = {
  visa: 'Visa',
  mastercard: 'Mastercard',
  amex: 'Amex',
  dankort: 'Dankort',
  maestro: 'Maestro',
  diners: 'Diners Club',
  discover: 'Discover',
  jcb: 'JCB',
  unionpay: 'UnionPay',
};

type Rule = readonly [brand: Brand, prefix: RegExp, shortest: number, longest: number];
type Expiry = { readonly month: number; readonly year: number };

// ISO/IEC 7812 allows 19 digits; nothing in use has fewer than 12. Visa's old numbers of 13 are no longer issued, and
// taking them would let a number pass of which three digits are still missing.
const SHORTEST = 12;
const LONGEST = 19;
// Visa is told by its first digit; a Visa/Dankort (4571) is known as Dankort three digits later.
const RULES: readonly Rule[] = [
  ['dankort', /^(?:5019|4571)/, 16, 16],
  ['visa', /^4/, 16, LONGEST],
  ['mastercard', /^(?:5[1-5]|222[1-9]|22[3-9]|2[3-6]|27[01]|2720)/, 16, 16],
  ['amex', /^3[47]/, 15, 15],
  ['maestro', /^(?:50[02-9]|501[0-8]|5[6-8]|6304|6390|67)/, SHORTEST, LONGEST],
  ['diners', /^(?:30[0-5]|3095|3[689])/, 14, LONGEST],
  ['discover', /^(?:6011|64[4-9]|65|622(?:12[6-9]|1[3-9]|[2-8]|91|92[0-5]))/, 16, LONGEST],
  ['jcb', /^35(?:2[89]|[3-8])/, 16, LONGEST],
];
// Banks issue cards for at most ten years or so: what lies further ahead than this is a slip.
const MONTHS_AHEAD = 20 * 12;

const ruleOf = (digits: string): Rule | undefined => RULES.find(([, prefix]) => prefix.test(digits));

/** Arabic, Persian and full-width digits as 0 to 9, since keyboards write them; all else stays. */
export function toAsciiDigits(text: string): string {
  // The last four bits of these characters are the digit.
  return text.replace(/[\u0660-\u0669\u06f0-\u06f9\uff10-\uff19]/g, (digit) => String(digit.charCodeAt(0) & 15));
}

/** The digits of a text, without anything between them. */
export const digitsOf = (text: string): string => toAsciiDigits(text).replace(/[^0-9]/g, '');

/** The brand, as soon as the first digits tell it. */
export const brandOf = (digits: string): Brand | undefined => ruleOf(digits)?.[0];

/** How many digits a number that starts so can have. */
export const longestOf = (digits: string): number => ruleOf(digits)?.[3] ?? LONGEST;

/** A number, whole or not, in the groups in which it is printed on the card. */
export function groupDigits(digits: string): string {
  const shown = digits.slice(0, LONGEST);
  const brand = brandOf(shown);
  const isUneven = brand === 'amex' || (brand === 'diners' && shown.length <= 14);
  const groups = isUneven ? [shown.slice(0, 4), shown.slice(4, 10), shown.slice(10)] : shown.match(/.{1,4}/g);
  return (groups ?? []).filter((group) => group !== '').join(' ');
}

/** Whether the last digit agrees with the others, which it does not after most slips. */
export function passesLuhn(digits: string): boolean {
  if (!/^[0-9]+$/.test(digits)) return false;
  let sum = 0;
  for (let i = 0; i < digits.length; i++) {
    const digit = Number(digits.at(-1 - i));
    const weighed = i % 2 === 0 ? digit : digit * 2;
    sum += weighed > 9 ? weighed - 9 : weighed;
  }
  return sum % 10 === 0;
}

/** What is wrong with a card number. */
export function checkCardNumber(text: string): 'missing' | 'incomplete' | 'invalid' | undefined {
  if (text.trim() === '') return 'missing';
  // Spaces, dashes and invisible marks come with a paste; a letter is a slip.
  if (/[^0-9\s\p{Pd}\p{Cf}.]/u.test(toAsciiDigits(text))) return 'invalid';
  const digits = digitsOf(text);
  if (digits.length < (ruleOf(digits)?.[2] ?? SHORTEST)) return 'incomplete';
  return digits.length <= longestOf(digits) && passesLuhn(digits) ? undefined : 'invalid';
}

/** An expiry out of its two parts, the year with two digits or four. */
export function expiryOf(month: string | number, year: string | number): Expiry | undefined {
  const [mm, yy] = [month, year].map((part) => toAsciiDigits(String(part)).trim());
  if (!/^(?:0?[1-9]|1[0-2])$/.test(mm ?? '') || !/^(?:[0-9]{2}|[12][0-9]{3})$/.test(yy ?? '')) return undefined;
  return { month: Number(mm), year: Number(yy) + (yy?.length === 2 ? 2000 : 0) };
}

/** An expiry as it was typed, pasted (12-2030) or filled in by a browser (2030-12). */
export function readExpiry(text: string): Expiry | undefined {
  const plain = toAsciiDigits(text).trim();
  const [, year, month] = /^([0-9]{4})[\s/.\p{Pd}]+([0-9]{2})$/u.exec(plain) ?? [];
  if (month !== undefined && year !== undefined) return expiryOf(month, year);
  const parts =
    /^([0-9]{2})([0-9]{2}|[0-9]{4})$/.exec(plain) ?? /^([0-9]{1,2})[\s/.\p{Pd}]+([0-9]{2}|[0-9]{4})$/u.exec(plain);
  return parts === null ? undefined : expiryOf(parts[1] ?? '', parts[2] ?? '');
}

/** A card is valid to the end of its month, in UTC so that page and service say the same. */
export function isExpired({ month, year }: Expiry, nowMs: number): boolean {
  return nowMs >= Date.UTC(year, month, 1);
}

/** What is wrong with an expiry. */
export function checkExpiry(text: string, nowMs: number): 'missing' | 'invalid' | 'expired' | undefined {
  if (text.trim() === '') return 'missing';
  const expiry = readExpiry(text);
  if (expiry === undefined) return 'invalid';
  const now = new Date(nowMs);
  const monthsAhead = (expiry.year - now.getUTCFullYear()) * 12 + expiry.month - 1 - now.getUTCMonth();
  if (monthsAhead > MONTHS_AHEAD) return 'invalid';
  return isExpired(expiry, nowMs) ? 'expired' : undefined;
}

/** Whether a text came out of another by taking one piece away. */
function isCutFrom(text: string, previous: string): boolean {
  if (text.length >= previous.length) return false;
  let same = 0;
  while (same < text.length && text[same] === previous[same]) same++;
  return previous.endsWith(text.slice(same));
}

/** An expiry while it is typed, as 'MM / YY'; after a deletion nothing is put back. */
export function formatExpiry(text: string, previous = ''): string {
  if (isCutFrom(text, previous)) return text.replace(/[\s/]+$/, '');
  const expiry = readExpiry(text);
  if (expiry !== undefined && expiry.year >= 2000 && expiry.year < 2100) {
    return `${String(expiry.month).padStart(2, '0')} / ${String(expiry.year).slice(2)}`;
  }
  const plain = toAsciiDigits(text).replace(/[^0-9\s/.\p{Pd}]/gu, '');
  const [, head = '', separator = '', tail = ''] = /^[^0-9]*([0-9]*)([^0-9]*)(.*)$/s.exec(plain) ?? [];
  if (head === '' || head === '0' || (head === '1' && separator === '')) return head;
  // A month of one digit is over with a separator, or when a second digit would make it more than 12.
  const isShort = head.length === 1 || Number(head.slice(0, 2)) > 12;
  const month = isShort ? `0${head[0] ?? ''}` : head.slice(0, 2);
  const year = (head.slice(isShort ? 1 : 2) + digitsOf(tail)).slice(0, 4);
  return `${month} / ${year.replace(/^20(?=..)/, '')}`;
}

/** What is wrong with a card's verification code. */
export function checkCvc(text: string, brand: Brand | undefined): 'missing' | 'invalid' | undefined {
  const code = toAsciiDigits(text).trim();
  if (code === '') return 'missing';
  const shape = brand === undefined ? /^[0-9]{3,4}$/ : brand === 'amex' ? /^[0-9]{4}$/ : /^[0-9]{3}$/;
  return shape.test(code) ? undefined : 'invalid';
}
