// The state of a list in its URL, so that it survives a reload and can be shared. Times in URLs are in UTC. Invalid
// parameters are ignored and reported.
import { readCurrency } from '../../domain/currency.ts';
import { STATE_NAMES } from '../../domain/state.ts';
import type { PaymentState } from '../../domain/state.ts';
import { readMoment } from '../../server/formats.ts';
import type { Language } from '../../pages/language.ts';
import { readCursor, SORTS } from '../../store/lists/listing/listing.ts';
import type { ListingQuery, Sort } from '../../store/lists/listing/listing.ts';
import { writeMoment } from '../page/time.ts';
import { methodNamesIn } from './payment-text.ts';

/** The fields of the address, in the order in which it is written. */
export const FIELDS = [
  'q',
  'state',
  'method',
  'currency',
  'from',
  'to',
  'least',
  'most',
  'myReference',
  'sort',
] as const;
export type Field = (typeof FIELDS)[number];

/** What was understood of an address, field by field, as texts in one spelling. */
export type Address = Readonly<Partial<Record<Field | 'after', string>>>;

const LONGEST = 256;
const AMOUNT = /^\d{1,10}(?:[.,]\d{1,4})?$/;

const oneOf =
  (known: readonly string[]) =>
  (text: string): string | undefined =>
    known.includes(text) ? text : undefined;

const readTime = (text: string): string | undefined => {
  const atMs = readMoment(text);
  return atMs === undefined ? undefined : writeMoment(atMs);
};

const readAmount = (text: string): string | undefined =>
  AMOUNT.test(text.replaceAll(' ', '')) ? text.replaceAll(' ', '').replace(',', '.') : undefined;

const READERS: Readonly<Record<Field | 'after', (text: string) => string | undefined>> = {
  q: (text) => text,
  state: oneOf(STATE_NAMES),
  method: (text) => (/^[A-Za-z]{1,32}$/.test(text) ? text : undefined),
  currency: readCurrency,
  from: readTime,
  to: readTime,
  least: readAmount,
  most: readAmount,
  myReference: (text) => (text.length <= 36 ? text : undefined),
  sort: oneOf(SORTS),
  after: (text) => (readCursor(text) === undefined ? undefined : text),
};

const clean = (text: string): string => text.toWellFormed().replaceAll('\0', '').trim().slice(0, LONGEST);

export function readAddress(query: unknown): { readonly address: Address; readonly faults: readonly string[] } {
  const faults: string[] = [];
  const address: Partial<Record<Field | 'after', string>> = {};
  for (const field of [...FIELDS, 'after'] as const) {
    const given = (query as Record<string, unknown>)[field];
    const text = typeof given === 'string' ? clean(given) : '';
    if (text === '') continue;
    const read = READERS[field](text);
    if (read === undefined) faults.push(field);
    else if (field !== 'sort' || read !== 'newest') address[field] = read;
  }
  return { address, faults };
}

export function queryOf(merchantId: number, address: Address, limit: number, language: Language): ListingQuery {
  const { q, state, method, currency, from, to, least, most, myReference, sort, after } = address;
  return {
    merchantId,
    limit,
    sort: (sort ?? 'newest') as Sort,
    ...(q !== undefined && { text: q, methodNames: methodNamesIn(language) }),
    ...(state !== undefined && { state: state as PaymentState }),
    ...(method !== undefined && { method }),
    ...(currency !== undefined && { currency }),
    ...(from !== undefined && { fromMs: Date.parse(from) }),
    ...(to !== undefined && { toMs: Date.parse(to) }),
    ...(least !== undefined && { least }),
    ...(most !== undefined && { most }),
    ...(myReference !== undefined && { myReference }),
    ...(after !== undefined && { after }),
  };
}

/** What stands after the path: from the first page on, unless the change says where. */
export function writeAddress(address: Address, change: Address = {}): string {
  const { after: _before, ...fields } = address;
  const written = { ...fields, ...change };
  const pairs = ([...FIELDS, 'after'] as const).flatMap((field) =>
    written[field] === undefined || written[field] === '' ? [] : [[field, written[field]] as [string, string]],
  );
  return pairs.length === 0 ? '' : `?${new URLSearchParams(pairs).toString()}`;
}

/** Whether anything narrows the list. */
export const isNarrowed = (address: Address): boolean =>
  FIELDS.some((field) => field !== 'sort' && address[field] !== undefined);
