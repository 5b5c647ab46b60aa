// Finds a card number in a text that should hold none: consumers paste where the cursor happens to be, and what is
// stored as somebody's name would be a stored card number all the same.
import { brandOf, checkCardNumber, digitsOf, toAsciiDigits } from '../../web/shared/card.ts';

const SHORTEST = 13;
const LONGEST = 19;
// Digits with a few signs between them that are neither letters nor digits: spaces of any kind, dashes, dots, slashes.
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
