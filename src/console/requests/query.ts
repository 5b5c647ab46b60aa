// What the list of requests shows, as its address says it. What cannot be understood is left out, and named.
import { readId } from '../../domain/id.ts';
import type { Merchant } from '../../domain/merchant.ts';
import { readMoment } from '../../server/formats.ts';
import { API_ROUTES } from '../../api/request-log/api-routes.ts';
import { maskRequestId } from '../../api/request-log/mask-text.ts';
import { findPaymentOf, listRequests, STATUSES } from '../../store/request-log/read.ts';
import type { RequestFilter } from '../../store/request-log/read.ts';
import type { Pool } from '../../store/connections/pool.ts';
import { writeMoment } from '../page/time.ts';

/** The fields of the address, in the order in which it is written. */
export const FIELDS = ['q', 'status', 'route', 'key', 'from', 'to'] as const;
export type Field = (typeof FIELDS)[number];
export type Address = Readonly<Partial<Record<Field | 'before', string>>>;

const LONGEST = 128;
const KEY_ID = /^[\w-]{1,64}$/;

const readTime = (text: string): string | undefined => {
  const atMs = readMoment(text);
  return atMs === undefined ? undefined : writeMoment(atMs);
};

const READERS: Readonly<Record<Field | 'before', (text: string) => string | undefined>> = {
  q: (text) => text,
  status: (text) => STATUSES.find((status) => status === text),
  route: (text) => API_ROUTES.find((route) => route === text),
  key: (text) => (KEY_ID.test(text) ? text : undefined),
  from: readTime,
  to: readTime,
  before: readId,
};

const clean = (text: string): string =>
  text
    .toWellFormed()
    .replaceAll(/\p{Cc}/gu, '')
    .trim()
    .slice(0, LONGEST);

export function readAddress(query: unknown): { readonly address: Address; readonly faults: readonly Field[] } {
  const faults: Field[] = [];
  const address: Partial<Record<Field | 'before', string>> = {};
  for (const field of [...FIELDS, 'before'] as const) {
    const given = (query as Record<string, unknown>)[field];
    const text = typeof given === 'string' ? clean(given) : '';
    if (text === '') continue;
    const read = READERS[field](text);
    if (read !== undefined) address[field] = read;
    else if (field !== 'before') faults.push(field);
  }
  return { address, faults };
}

/** What stands after the path: from the first page on, unless the change says where. */
export function writeAddress(address: Address, change: Address = {}): string {
  const { before: _page, ...fields } = address;
  const written = { ...fields, ...change };
  const pairs = ([...FIELDS, 'before'] as const).flatMap((field) =>
    written[field] === undefined || written[field] === '' ? [] : [[field, written[field]] as [string, string]],
  );
  return pairs.length === 0 ? '' : `?${new URLSearchParams(pairs).toString()}`;
}

export const isNarrowed = (address: Address): boolean => FIELDS.some((field) => address[field] !== undefined);

type Whose = Pick<Merchant, 'id' | 'parts'>;

/** A text is the id of a payment, of a charge or refund of one, or of a request. A caller's own ids may look like ours. */
async function readSearch(pool: Pool, merchant: Whose, text: string): Promise<RequestFilter> {
  const requestId = maskRequestId(text);
  const id = readId(text.replaceAll('-', ''));
  if (id === undefined) return { requestId };
  const paymentId = await findPaymentOf(pool, merchant.id, id);
  if (paymentId !== undefined) return { paymentId };
  const { requests } = await listRequests(pool, merchant, { requestId, limit: 1 });
  return requests.length > 0 ? { requestId } : { paymentId: id };
}

export async function filterOf(pool: Pool, merchant: Whose, address: Address): Promise<RequestFilter> {
  const { q, status, route, key, from, to } = address;
  const [method, url] = route?.split(' ') ?? [];
  return {
    ...(q !== undefined && (await readSearch(pool, merchant, q))),
    ...(status !== undefined && { status: status as NonNullable<RequestFilter['status']> }),
    ...(method !== undefined && url !== undefined && { method, route: url }),
    ...(key !== undefined && { keyId: key }),
    ...(from !== undefined && { fromMs: Date.parse(from) }),
    ...(to !== undefined && { toMs: Date.parse(to) }),
  };
}
