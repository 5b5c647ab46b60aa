// What somebody may mean by the text that they search for. A text can mean several things; each is looked up by an index
// of its own, and what any of them finds is shown.
import { currenciesWith, exponentOf, readCurrency, readNumber } from '../../domain/currency.ts';
import { readId } from '../../domain/id.ts';

export type Meaning =
  | { readonly kind: 'id'; readonly id: string }
  | { readonly kind: 'reference'; readonly reference: string }
  | { readonly kind: 'email'; readonly email: string }
  | { readonly kind: 'phone'; readonly digits: string }
  | { readonly kind: 'last four'; readonly digits: string }
  | { readonly kind: 'amount'; readonly amount: number; readonly currencies: readonly string[] }
  /** The beginning of a last name or of a company's, and, where more words are there, of a first name. */
  | { readonly kind: 'name'; readonly last: string; readonly first?: string };

const LONGEST_TEXT = 256;
// More are no name.
const MOST_WORDS = 6;
// What an index of phones holds of each: shorter than every national number, so that no prefix matters.
export const PHONE_DIGITS = 7;
const MOST_PHONE_DIGITS = 15;
const PHONE = /^\+?[\d\s()/.-]+$/;
const AMOUNT = /^(\d{1,3}(?:[\s'’]\d{3})+|\d+)([.,]\d{1,4})?\s*([a-z]{3})?$/i;
const DECIMALS = [2, 0, 3, 4];

function amountsIn(text: string): Meaning[] {
  const [, whole = '', part = '', code] = AMOUNT.exec(text) ?? [];
  if (whole === '') return [];
  const number = whole.replaceAll(/\D/g, '') + part;
  const currency = code === undefined ? undefined : readCurrency(code);
  if (code !== undefined && currency === undefined) return [];
  const decimals = currency === undefined ? DECIMALS : [exponentOf(currency)];
  return decimals.flatMap((each): Meaning[] => {
    const amount = readNumber(number, each);
    if (amount === undefined || amount === 0) return [];
    return [{ kind: 'amount', amount, currencies: currency === undefined ? currenciesWith(each) : [currency] }];
  });
}

function namesIn(text: string): Meaning[] {
  if (!/\p{L}/u.test(text) || text.includes('@') || AMOUNT.test(text)) return [];
  const [last, first] = text.split(',').map((part) => part.trim());
  if (last && first) return [{ kind: 'name', last, first }];
  const words = text.split(' ');
  if (words.length > MOST_WORDS) return [];
  const splits = words.slice(1).map((_word, index): Meaning => {
    const [before, after] = [words.slice(0, index + 1), words.slice(index + 1)];
    return { kind: 'name', last: after.join(' '), first: before.join(' ') };
  });
  return [{ kind: 'name', last: text }, ...splits];
}

function digitsIn(text: string): Meaning[] {
  const digits = text.replaceAll(/\D/g, '');
  if (/^\d{4}$/.test(text)) return [{ kind: 'last four', digits }];
  const isPhone = PHONE.test(text) && digits.length >= PHONE_DIGITS && digits.length <= MOST_PHONE_DIGITS;
  return isPhone ? [{ kind: 'phone', digits }] : [];
}

export function understand(searched: string): Meaning[] {
  // What no text in the database can hold is taken away.
  const text = searched.toWellFormed().replaceAll('\0', '').trim().replaceAll(/\s+/g, ' ').slice(0, LONGEST_TEXT);
  if (text === '') return [];
  const id = readId(text.replaceAll('-', ''));
  const reference: Meaning = { kind: 'reference', reference: text };
  if (id !== undefined) return [{ kind: 'id', id }, reference];
  if (text.includes('@')) return [{ kind: 'email', email: text }, reference];
  return [reference, ...digitsIn(text), ...amountsIn(text), ...namesIn(text)];
}
