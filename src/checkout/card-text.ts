// Finds card numbers in other fields: consumers paste them into the wrong one, and a card number must not be stored as a
// name.
import { brandOf, checkCardNumber, digitsOf, toAsciiDigits } from '../../web/shared/card.ts';

const SHORTEST = 13;
const LONGEST = 19;
// Digits with a few separators, such as spaces, dashes, dots or slashes.
const RUN = /\d(?:[^\p{L}\d]{0,3}\d){12,}/gu;

const isCardNumber = (digits: string): boolean =>
  brandOf(digits) !== undefined && checkCardNumber(digits) === undefined;

/** Whether any 13 to 19 digits in a row are the number of a card of a known brand. */
export function holdsCardNumber(text: string): boolean {
  for (const [run] of toAsciiDigits(text).matchAll(RUN)) {
    const digits = digitsOf(run);
    for (let start = 0; start + SHORTEST <= digits.length; start += 1)
      for (let length = SHORTEST; length <= LONGEST && start + length <= digits.length; length += 1)
        if (isCardNumber(digits.slice(start, start + length))) return true;
  }
  return false;
}
