// Password rules: long and not common, without composition rules or expiry. Common words are also recognized when
// repeated, in leetspeak, or with digits and symbols around them, so that a list of short words also covers long
// variants.
import { readFileSync } from 'node:fs';

export const SHORTEST_PASSWORD = 12;
export const LONGEST_PASSWORD = 128;

export type BadPassword = 'too_short' | 'too_long' | 'common';

const LIKE_LETTERS: Readonly<Record<string, string>> = {
  0: 'o',
  1: 'i',
  3: 'e',
  4: 'a',
  5: 's',
  7: 't',
  '@': 'a',
  $: 's',
  '!': 'i',
};

let words: ReadonlySet<string> | undefined;
const commonWords = (): ReadonlySet<string> =>
  (words ??= new Set(readFileSync(new URL('./well-known-passwords.txt', import.meta.url), 'utf8').split(/\s+/)));

/** abcabcabc → abc. */
const unrepeat = (text: string): string => /^(.+?)\1*$/su.exec(text)?.[1] ?? text;

// Of those that are typed along a row of keys or count on.
const ROWS = [
  '0123456789',
  'abcdefghijklmnopqrstuvwxyz',
  'qwertyuiop',
  'asdfghjkl',
  'zxcvbnm',
  'qwertzuiop',
  'azertyuiop',
];
const RUNS = [...ROWS, ...ROWS.map((row) => Array.from(row).toReversed().join(''))].map((row) => row + row);

const unleet = (text: string): string => text.replaceAll(/[013457@$!]/g, (sign) => LIKE_LETTERS[sign] ?? sign);

// A year, a date, a few signs. More than that is a number of its own.
const MOST_AROUND = 8;

/** Without digits and signs before and after it. */
function bare(text: string): string {
  const word = text.replaceAll(/^[^\p{L}]+|[^\p{L}]+$/gu, '');
  return text.length - word.length <= MOST_AROUND ? word : text;
}

function isCommon(password: string, personal: readonly string[]): boolean {
  const text = password.toLowerCase();
  const isKnown = (word: string): boolean =>
    commonWords().has(word) || personal.includes(word) || RUNS.some((run) => run.includes(word));
  return [text, bare(text), unleet(text), bare(unleet(bare(text)))].some(
    (spelling) => isKnown(spelling) || isKnown(unrepeat(spelling)),
  );
}

/** The e-mail address, its parts and our own name are no secrets either. */
export function judgePassword(password: string, email: string): BadPassword | undefined {
  const length = Array.from(password.normalize('NFKC')).length;
  if (length < SHORTEST_PASSWORD) return 'too_short';
  if (length > LONGEST_PASSWORD) return 'too_long';
  const personal = [email, ...email.split('@'), ...email.split(/[@.+_-]/), 'kassa'].map((part) => part.toLowerCase());
  return isCommon(password, personal) ? 'common' : undefined;
}
