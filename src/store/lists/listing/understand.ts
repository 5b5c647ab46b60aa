// The possible meanings of a search text. A text can have several; each is searched in an index of its own, and all
// results are shown.
import { readId } from '../../../domain/id.ts';
import { amountsIn } from './amounts.ts';
import type { AmountMeaning } from './amounts.ts';

export type Meaning =
  | { readonly kind: 'id'; readonly id: string }
  | { readonly kind: 'reference'; readonly reference: string }
  /** The prefix of a reference or e-mail address, ignoring case. */
  | { readonly kind: 'beginning'; readonly text: string }
  /** A shortened id, as lists show it: its beginning and, if known, its end. */
  | { readonly kind: 'short id'; readonly first: string; readonly last: string }
  | { readonly kind: 'email'; readonly email: string }
  | { readonly kind: 'phone'; readonly digits: string }
  | { readonly kind: 'last four'; readonly digits: string; readonly method?: string }
  | { readonly kind: 'method'; readonly method: string }
  | AmountMeaning
  /** The prefix of a first name. */
  | { readonly kind: 'first name'; readonly first: string }
  /** The prefix of a last name or company name and, with more words, of a first name. */
  | { readonly kind: 'name'; readonly last: string; readonly first?: string };

/** The names of methods on the page, with the names that payments store. */
export type MethodNames = readonly (readonly [shown: string, method: string])[];

const LONGEST_TEXT = 256;
// More words are not a name.
const MOST_WORDS = 6;
// The last digits of phone numbers that are indexed: fewer than any national number has, so prefixes do not matter.
export const PHONE_DIGITS = 7;
const MOST_PHONE_DIGITS = 15;
const PHONE = /^\+?[\d\s()/.-]+$/;
// Fewer letters match too much.
const FEWEST_LETTERS = 3;
const LONGEST_REFERENCE = 128;
const SHORT_ID = /^(01[\da-f]{6,29})(?:(?:…|\.{2,3})([\da-f]{1,24}))?$/;
// Including placeholders for masked digits.
const LAST_FOUR = /^(?:(.*?[^\s•*.x…])?(?:\s+|(?<=\D)(?=[•*…])|^(?=[•*]))[\s•*.x…]*)?(\d{4})$/iu;

function namesIn(text: string): Meaning[] {
  if (!/\p{L}/u.test(text) || text.includes('@') || amountsIn(text).length > 0) return [];
  const [last, first] = text.split(',').map((part) => part.trim());
  if (last && first) return [{ kind: 'name', last, first }];
  const words = text.split(' ');
  if (words.length > MOST_WORDS) return [];
  const splits = words.slice(1).map((_word, index): Meaning => {
    const [before, after] = [words.slice(0, index + 1), words.slice(index + 1)];
    return { kind: 'name', last: after.join(' '), first: before.join(' ') };
  });
  return [{ kind: 'first name', first: text }, { kind: 'name', last: text }, ...splits];
}

const plain = (text: string): string => text.toLowerCase().replaceAll(/[^\p{L}\d]/gu, '');

const methodCalled = (name: string, methods: MethodNames): string | undefined =>
  methods.find(([shown]) => plain(shown) === plain(name))?.[1];

function cardsIn(text: string, methods: MethodNames): Meaning[] {
  const whole = methodCalled(text, methods);
  if (whole !== undefined) return [{ kind: 'method', method: whole }];
  const [, name, digits] = LAST_FOUR.exec(text) ?? [];
  if (digits === undefined) return [];
  if (name === undefined) return [{ kind: 'last four', digits }];
  const method = methodCalled(name, methods);
  return method === undefined ? [] : [{ kind: 'last four', digits, method }];
}

function phonesIn(text: string): Meaning[] {
  const digits = text.replaceAll(/\D/g, '');
  const isPhone = PHONE.test(text) && digits.length >= PHONE_DIGITS && digits.length <= MOST_PHONE_DIGITS;
  return isPhone ? [{ kind: 'phone', digits }] : [];
}

function shortIdIn(text: string): Meaning[] {
  const [, first, last = ''] = SHORT_ID.exec(text.toLowerCase().replaceAll('-', '')) ?? [];
  return first === undefined ? [] : [{ kind: 'short id', first, last }];
}

export function understand(searched: string, methods: MethodNames = []): Meaning[] {
  // Removes characters that the database cannot store; only characters that people type count as letters.
  const wellFormed = searched.toWellFormed().replaceAll('\0', '').normalize('NFC');
  const text = wellFormed.trim().replaceAll(/\s+/g, ' ').slice(0, LONGEST_TEXT);
  if (text === '') return [];
  const id = readId(text.replaceAll('-', ''));
  const reference: Meaning = { kind: 'reference', reference: text };
  if (id !== undefined) return [{ kind: 'id', id }, reference];
  const isBeginning = text.length >= FEWEST_LETTERS && text.length <= LONGEST_REFERENCE;
  const begins: Meaning[] = isBeginning ? [{ kind: 'beginning', text }] : [];
  if (text.includes('@')) return [{ kind: 'email', email: text }, reference, ...begins];
  const digits = [...cardsIn(text, methods), ...phonesIn(text), ...amountsIn(text)];
  return [reference, ...digits, ...shortIdIn(text), ...begins, ...namesIn(text)];
}
