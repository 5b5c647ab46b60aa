// Texts that may be kept unless they hold what must not be: a card number in whatever spelling, an e-mail address, a phone
// number, a key or a secret. One hit hides the whole text, since what stands around it is mostly of the same kind.
import { readId } from '../../domain/id.ts';

/** What stands in place of something that is not kept. */
export const MASK = '•••';

// Longer ones are cut: they are kept to be recognized, not to be read.
const LONGEST_TEXT = 256;

const EMAIL = /[^\s@<>"']@[^\s@<>"']+\.[^\s@<>"']/;
const PHONE = /\+\d[\d\s().\-/]{6,}\d/;
// Keys of ours, secrets of webhooks, values of Authorization, and words that announce something secret.
const SECRET = new RegExp(
  [
    'secret-?key|checkout-?key|whsec_',
    String.raw`\b(?:bearer|basic|digest)\s+\S`,
    String.raw`\b(?:cvc2?|cvv2?|cvn|pan|pin|passw(?:or)?d|token|authorization|api-?key)\b`,
  ].join('|'),
  'i',
);
const ASCII = /^[\x20-\x7e]*$/;
const MOMENT = /^\d{4}-\d\d-\d\d(?:[T ][\d:.]+(?:Z|[+-]\d\d:?\d\d)?)?$/;
// Digits in a row, or with signs between them that people write into numbers.
const DIGIT_RUN = /\d(?:[^\p{L}\p{N}]{0,3}\d){11,}/gu;

// At least as many digits as a card has, wherever.
const MANY_DIGITS = /^(?:\D*\d){12}/;

const SHORTEST_CARD = 12;
const LONGEST_CARD = 19;

/** Whether digits from one place on can be a card's number: by its first digit and its check digit. */
function isCardAt(digits: string, start: number, length: number): boolean {
  if (!/[2-6]/.test(digits.charAt(start))) return false;
  let sum = 0;
  for (let place = 0; place < length; place += 1) {
    const digit = digits.charCodeAt(start + length - 1 - place) - 48;
    const counted = place % 2 === 0 ? digit : digit * 2;
    sum += counted > 9 ? counted - 9 : counted;
  }
  return sum % 10 === 0;
}

// A whole row of digits, or of groups of four. Cards that begin with a 2 begin with 22 to 27, and no year does.
const WHOLE_ROW = /(?<!\d[._-]?)(?:\d{12,19}|\d{4}(?:[._-]\d{4}){2,3}(?:[._-]\d{1,3})?)(?![._-]?\d)/g;
const FIRST_DIGITS = /^(?:2[2-7]|[3-6])/;

/** Whether it holds a card's number where nobody would look for one: a count or a time that has more digits is none. */
export const holdsWholeCardNumber = (text: string): boolean =>
  Array.from(text.matchAll(WHOLE_ROW), ([row]) => row.replaceAll(/\D/g, '')).some(
    (digits) => FIRST_DIGITS.test(digits) && isCardAt(digits, 0, digits.length),
  );

/** Whether a text holds digits that can be a card's number, also within a longer row of them. */
function holdsCardNumber(text: string): boolean {
  if (text.length < SHORTEST_CARD || !MANY_DIGITS.test(text)) return false;
  for (const [run] of text.matchAll(DIGIT_RUN)) {
    const digits = run.replaceAll(/\D/g, '');
    for (let start = 0; start + SHORTEST_CARD <= digits.length; start += 1)
      for (let length = SHORTEST_CARD; length <= LONGEST_CARD && start + length <= digits.length; length += 1)
        if (isCardAt(digits, start, length)) return true;
  }
  return false;
}

const isDelicate = (text: string): boolean =>
  EMAIL.test(text) || PHONE.test(text) || SECRET.test(text) || holdsCardNumber(text);

const PLAIN_NAME = /^[\w.$-]{1,64}$/;
// What no field is called: a key of ours, or one that a merchant brought along.
const KEY = /(?:secret|checkout)-?key-?\w{4}|whsec_.|(?:[\da-f]-?){20}/i;

/** The name of a field or of a parameter, which whoever asks can choose as well. */
export const maskName = (name: string): string =>
  PLAIN_NAME.test(name) && !KEY.test(name) && !holdsCardNumber(name) ? name : MASK;

/** A text of ours: whatever it repeats of what was sent is not in there, unless it slipped in. */
export const maskOwnText = (text: string): string => (EMAIL.test(text) || holdsCardNumber(text) ? MASK : text);

/** A text as it is kept: itself, its beginning, or the mask. */
export function maskText(text: string): string {
  if (text.length < SHORTEST_CARD && /^[\w.:-]*$/.test(text) && !SECRET.test(text)) return text;
  if (text.length <= 36 && (MOMENT.test(text) || readId(text.replaceAll('-', '')) !== undefined)) return text;
  const beginning = text.slice(0, LONGEST_TEXT);
  const plain = ASCII.test(beginning) ? beginning : inAscii(beginning);
  if (/^\s*[[{]/.test(plain) || isDelicate(plain)) return MASK;
  return text.length > LONGEST_TEXT ? `${beginning.toWellFormed()}…` : text;
}

/** Digits of other scripts and of full width are digits, whatever that is not seen stands between them. */
const inAscii = (text: string): string =>
  text
    .normalize('NFKC')
    .replaceAll(/\p{Nd}/gu, digitOf)
    .replaceAll(/\p{Cf}/gu, '');

/** The digit that a sign of any script stands for; in each of them the ten follow each other from a round code. */
function digitOf(sign: string): string {
  if (sign >= '0' && sign <= '9') return sign;
  let zero = sign.codePointAt(0) ?? 0;
  const code = zero;
  while (code - zero < 9 && /\p{Nd}/u.test(String.fromCodePoint(zero - 1))) zero -= 1;
  return String((code - zero) % 10);
}

/** An address: what is asked for and who asks stay out of it. */
export function maskUrl(text: string): string {
  try {
    const url = new URL(text);
    if (!/^https?:$/.test(url.protocol)) return MASK;
    const user = url.username === '' && url.password === '' ? '' : `${MASK}@`;
    const more = url.search === '' && url.hash === '' ? '' : `?${MASK}`;
    const path = `${url.host}${url.pathname}`;
    return isDelicate(decodeURIComponent(path))
      ? MASK
      : `${url.protocol}//${user}${path.slice(0, LONGEST_TEXT)}${more}`;
  } catch {
    return MASK;
  }
}
