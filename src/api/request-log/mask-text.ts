// Texts that may be kept unless they hold something sensitive: a card number in any spelling, an e-mail address, a phone
// number, a key or a secret. One hit hides the whole text, since its surroundings are usually of the same kind.
import { readId } from '../../domain/id.ts';
import { holdsCardNumber } from '../../server/card-numbers.ts';

/** The placeholder for what is not kept. */
export const MASK = '•••';

// Longer ones are cut: they are kept to be recognized, not to be read.
const LONGEST_TEXT = 256;
// Read beyond the kept part, for matches that begin in it.
const LONGEST_LOOKED_AT = LONGEST_TEXT + 64;
const SHORTEST_SECRET = 12;

const EMAIL = /[^\s@<>"']@[^\s@<>"']+\.[^\s@<>"']/;
const PHONE = /\+\d[\d\s().\-/]{6,}\d/;
// Our keys, secrets of webhooks, values of Authorization, and words that announce a secret.
const SECRET = new RegExp(
  [
    'secret-?key|checkout-?key|whsec_',
    String.raw`\b(?:bearer|basic|digest)\s+\S`,
    String.raw`\b(?:cvc2?|cvv2?|cvn|pan|pin|passw(?:or)?d|token|authorization|api-?key)\b`,
  ].join('|'),
  'i',
);
const ESCAPES = /&#x?[\da-f]{1,6};|\\u[\da-f]{4}|(?:%[\da-f]{2})+/gi;
const ESCAPE = new RegExp(ESCAPES.source, 'i');
const ASCII = /^[\x20-\x7e]*$/;
const MOMENT = /^\d{4}-\d\d-\d\d(?:[T ][\d:.]+(?:Z|[+-]\d\d:?\d\d)?)?$/;
// As long as a key, whatever separates its digits.
const KEY_DIGITS = /(?:[\da-f][^\p{L}\p{N}]{0,3}){32,}/giu;
const HEX_ID = /(?<![\da-z])[\da-f]{8}(?:-?[\da-f]{4}){3}-?[\da-f]{12}(?![\da-z])/gi;
// One key in 5,000 looks like that: a time of this century, and the version of our ids.
const OUR_TIME = /^0[0-3]/;

/** Our ids, which may be shown although they are as long as a key. */
export const isOurId = (text: string): boolean => OUR_TIME.test(text) && readId(text.replaceAll('-', '')) !== undefined;

const withoutOurIds = (text: string): string => text.replaceAll(HEX_ID, (id) => (isOurId(id) ? '…' : id));

const holdsKey = (text: string): boolean => Array.from(text.matchAll(KEY_DIGITS)).some(([digits]) => /\d/.test(digits));

const holdsDigits = (text: string): boolean => holdsCardNumber(text) || holdsKey(text);

function isDelicate(text: string): boolean {
  if (EMAIL.test(text) || PHONE.test(text) || SECRET.test(text)) return true;
  return holdsDigits(withoutOurIds(text));
}

const PLAIN_NAME = /^[\w.$-]{1,64}$/;
// Not a field name: one of our keys, or one that a merchant brought along.
const KEY = /(?:secret|checkout)-?key-?\w{4}|whsec_.|(?:[\da-f][.$_-]*){20}/i;

/** The name of a field or of a parameter, which the client chooses as well. */
export const maskName = (name: string): string =>
  PLAIN_NAME.test(name) && !KEY.test(name) && !holdsCardNumber(name) ? name : MASK;

/** One of our own texts: masked only if an e-mail address or a long number slipped in. */
export const maskOwnText = (text: string): string =>
  EMAIL.test(text) || holdsDigits(withoutOurIds(text)) ? MASK : text;

/** A text as it is kept: verbatim, its beginning, or the mask. */
export function maskText(text: string): string {
  if (text.length < SHORTEST_SECRET && /^[\w.:-]*$/.test(text) && !SECRET.test(text)) return text;
  if (text.length <= 36 && (MOMENT.test(text) || isOurId(text))) return text;
  const plain = plainOf(text.slice(0, LONGEST_LOOKED_AT));
  if (/^\s*[[{]/.test(plain)) return MASK;
  if (isDelicate(plain)) return isHex(text) && !holdsCardNumber(text) ? `${text.slice(0, SHOWN_OF_HEX)}${MASK}` : MASK;
  return text.length > LONGEST_TEXT ? `${text.slice(0, LONGEST_TEXT).toWellFormed()}…` : text;
}

/** A request id, which was checked on arrival: a trace id is as long as a key, but is none. */
export const maskRequestId = (text: string): string => (/^[\da-f]{32}$/.test(text) ? text : maskText(text));

// A foreign key or id: enough to be recognized, and 96 bits short of its use.
const SHOWN_OF_HEX = 8;
const isHex = (text: string): boolean => /^[\da-f]{8}(?:-?[\da-f]{4}){3}-?[\da-f]{12}$/i.test(text);

/** Decoded for checking: escapes are resolved, and all digits are ASCII. */
function plainOf(text: string): string {
  const read = ESCAPE.test(text) ? text.replaceAll(ESCAPES, unescape) : text;
  return ASCII.test(read) ? read : inAscii(read);
}

/** Resolves an escape of a URL, of HTML, or of JSON in JSON. */
function unescape(escape: string): string {
  if (escape.startsWith('%')) return Buffer.from(escape.replaceAll('%', ''), 'hex').toString('utf8');
  const isDecimal = /^&#\d/.test(escape);
  const code = Number.parseInt(escape.replace(/^(?:&#x?|\\u)/i, ''), isDecimal ? 10 : 16);
  return code >= 0x20 && code <= 0xffff ? String.fromCharCode(code) : ' ';
}

/** Converts digits of other scripts and of full width, and drops invisible characters between them. */
const inAscii = (text: string): string =>
  text
    .normalize('NFKC')
    .replaceAll(/\p{Nd}/gu, digitOf)
    .replaceAll(/\p{Cf}/gu, '');

/** The value of a digit in any script; in each script the ten are consecutive from a round code. */
function digitOf(sign: string): string {
  if (sign >= '0' && sign <= '9') return sign;
  let zero = sign.codePointAt(0) ?? 0;
  const code = zero;
  while (code - zero < 9 && /\p{Nd}/u.test(String.fromCodePoint(zero - 1))) zero -= 1;
  return String((code - zero) % 10);
}

/** A URL without its query and credentials. */
export function maskUrl(text: string): string {
  try {
    const url = new URL(text);
    if (!/^https?:$/.test(url.protocol)) return MASK;
    const user = url.username === '' && url.password === '' ? '' : `${MASK}@`;
    const more = url.search === '' && url.hash === '' ? '' : `?${MASK}`;
    const path = `${url.host}${url.pathname}`;
    return isDelicate(plainOf(path.slice(0, LONGEST_LOOKED_AT)))
      ? MASK
      : `${url.protocol}//${user}${path.slice(0, LONGEST_TEXT)}${more}`;
  } catch {
    return MASK;
  }
}
