// Who a consumer is and how to reach them. The rules are lenient on purpose: nobody is turned away for how they spell
// their name or write their number, only for what cannot be stored, sent or called.
import { toAsciiDigits } from './card.ts';

// RFC 5321 lets no address be longer.
const LONGEST_EMAIL = 254;
const LONGEST_NAME = 128;

/** Something@something.tld; a list, a name in brackets and invisible characters are what mail would fail on. */
export function isEmail(text: string): boolean {
  if (text.length > LONGEST_EMAIL || /[\s<>,;:"()\p{Cc}\p{Cf}\p{Cs}]/u.test(text)) return false;
  return /^[^@]+@(?:[^@.]+\.)+[^@.]{2,}$/u.test(text);
}

/** A name in any script and with any sign in it, as long as something can be seen. */
export function isName(text: string): boolean {
  if (/[\p{Cc}\p{Cs}]/u.test(text) || !/[^\s\p{Cf}]/u.test(text)) return false;
  return Array.from(text.trim()).length <= LONGEST_NAME;
}

/** A calling code such as +46, or +1242 with the area that stands for a country. */
export const isPhonePrefix = (text: string): boolean => /^\+[1-9][0-9]{0,3}$/.test(text);

/**
 * A phone number without what people put between its digits, and without the prefix when it was typed or filled in
 * there as well. A zero at its start stays, since it belongs to the number in some countries.
 */
export function tidyPhoneNumber(text: string, prefix?: string): string {
  const plain = toAsciiDigits(text).replace(/[\s\p{Pd}\p{Cf}()./]/gu, '');
  if (prefix === undefined || !isPhonePrefix(prefix)) return plain;
  const start = [prefix, prefix.replace('+', '00')].find((code) => plain.startsWith(code)) ?? '';
  return plain.slice(start.length);
}

/** A number that can be called: E.164 allows 15 digits, and no country has fewer than 4. */
export const isPhoneNumber = (text: string, prefix?: string): boolean =>
  /^[0-9]{4,15}$/.test(tidyPhoneNumber(text, prefix));
