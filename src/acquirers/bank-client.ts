// A remote acquirer over HTTP: `kassa bank`, or anything with the same protocol. A call is one attempt with a timeout. A
// response that is incomplete, late or not valid is an unknown outcome; in particular, a 404 of a proxy does not count as
// the bank's.
import type { Outcome } from '../domain/settle.ts';
import { callOnce } from './call.ts';
import type { Answered, CallFailed } from './call.ts';
import type { Outgoing } from '../ops/tracing/tracer.ts';
import type { AcquirerRequest, BookLine, BookPage, BookQuery, NotFound, RemoteAcquirer, Unknown } from './acquirer.ts';

export type BankAccess = {
  readonly name: string;
  readonly url: string;
  readonly key: string;
  readonly timeoutMs: number;
  /** Creates spans for calls, if tracing is on. */
  readonly outgoing?: Outgoing;
};

const NOT_FOUND: NotFound = { result: 'not_found' };

// The answer to an operation has a few hundred bytes; more is not from the bank.
const LONGEST_ANSWER_BYTES = 65_536;
// A page of the book has 500 lines of some 200 bytes.
const LONGEST_PAGE_BYTES = 4_194_304;
// The book is only read by commands and nightly jobs.
const BOOK_TIMEOUT_MS = 30_000;

// It is stored with the movement and sent to merchants: a sentence, not a page.
const LONGEST_REASON = 200;

const TOO_MANY = 429;
// The minimum, and the default if the bank sends no Retry-After.
const AGAIN_AFTER_S = 1;

// Two digits, or a letter and a digit, as the card schemes have them.
const ISSUER_CODE = /^[0-9A-Z]{2}$/;

type Fields = Readonly<Record<string, unknown>>;
/** `operation`: the path without ids, if that differs. */
type Place = { readonly path: string; readonly operation?: string };

type Reply = { readonly status: number; readonly body: Fields; readonly retryAfter: string | undefined };

/** Empty unless the text is a JSON object. */
function parseObject(text: string): Fields {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? (value as Fields) : {};
  } catch {
    return {};
  }
}

/** Text that is safe to store, send and show: one line, not too long. */
function reasonOf(reason: unknown): string {
  if (typeof reason !== 'string') return 'declined';
  const plain = reason.toWellFormed().replaceAll(/[\p{Cc}\p{Cf}\s]+/gu, ' ');
  return Array.from(plain.trim()).slice(0, LONGEST_REASON).join('').trim() || 'declined';
}

/** The movement's outcome in the body; undefined if there is none. */
function outcomeOf({ id, state, reason, retryable, issuerCode }: Fields, movementId: string): Outcome | undefined {
  if (id !== movementId) return undefined;
  if (state === 'approved') return { result: 'approved' };
  if (state !== 'declined') return undefined;
  return {
    result: 'declined',
    reason: reasonOf(reason),
    ...(typeof retryable === 'boolean' && { retryable }),
    ...(typeof issuerCode === 'string' && ISSUER_CODE.test(issuerCode) && { issuerCode }),
  };
}

const KINDS: ReadonlySet<unknown> = new Set(['reservation', 'charge', 'refund', 'cancel']);

function lineOf(value: unknown): BookLine {
  const { id, kind, state, amount, currency, at } = (value ?? {}) as Fields;
  const isLine =
    typeof id === 'string' &&
    KINDS.has(kind) &&
    (state === 'approved' || state === 'declined') &&
    Number.isSafeInteger(amount) &&
    typeof currency === 'string' &&
    Number.isSafeInteger(at);
  if (!isLine) throw new Error('a line of the book is malformed');
  return { movementId: id, kind, state, amount, currency, at } as BookLine;
}

function pageOf({ lines, next }: Fields): BookPage {
  if (!Array.isArray(lines)) throw new Error('the book has no lines');
  return { lines: lines.map(lineOf), ...(typeof next === 'string' && { next }) };
}

function searchOf({ fromMs, toMs, after }: BookQuery): string {
  const given = Object.entries({ from: fromMs, to: toMs, after }).filter(([, value]) => value !== undefined);
  return new URLSearchParams(given.map(([name, value]): [string, string] => [name, String(value)])).toString();
}

const describeStatus = (status: number): string =>
  status === 401 || status === 403 ? `it refuses this key (${status})` : `it answers ${status}`;

/** Further information in a response without an outcome. */
function unknownOf({ status, retryAfter }: Reply): Unknown {
  const why =
    status === 200 || status === 404 ? `${describeStatus(status)}, but not as a bank` : describeStatus(status);
  if (status !== TOO_MANY) return { result: 'unknown', why };
  const seconds = /^\d+$/.test(retryAfter ?? '') ? Math.max(Number(retryAfter), AGAIN_AFTER_S) : AGAIN_AFTER_S;
  return { result: 'unknown', why, againAfterMs: seconds * 1_000 };
}

export function bankAcquirer({ name, url, key, timeoutMs, outgoing }: BankAccess): RemoteAcquirer {
  const base = url.replace(/\/+$/, '');

  const attributesOf = (method: string, operation: string) => ({
    'http.request.method': method,
    'url.template': operation,
    'kassa.acquirer': name,
  });

  async function call(
    { path, operation = path }: Place,
    limits: { ms: number; bytes: number },
    body?: object,
  ): Promise<Reply> {
    const method = body === undefined ? 'GET' : 'POST';
    const make = (more: Readonly<Record<string, string>>): Promise<Answered> =>
      callOnce(`${base}${path}`, {
        method,
        headers: { ...more, authorization: key, ...(body !== undefined && { 'content-type': 'application/json' }) },
        ...(body !== undefined && { body: JSON.stringify(body) }),
        timeoutMs: limits.ms,
        mostBytes: limits.bytes,
      });
    const { status, retryAfter, text } = await (outgoing
      ? outgoing({ name: `${method} ${operation}`, attributes: attributesOf(method, operation) }, make)
      : make({}));
    const told = status === 200 || status === 404 ? parseObject(text) : {};
    return { status, body: told, retryAfter };
  }

  /** Parses the response; any failure is an unknown outcome. */
  async function ask<Result>(
    place: Place,
    read: (reply: Reply) => Result | undefined,
    body?: object,
  ): Promise<Result | Unknown> {
    try {
      const reply = await call(place, { ms: timeoutMs, bytes: LONGEST_ANSWER_BYTES }, body);
      return read(reply) ?? unknownOf(reply);
    } catch (error) {
      const { message, isNotSent } = error as CallFailed;
      return { result: 'unknown', why: message, ...(isNotSent && { notSent: true }) };
    }
  }

  const placeOf = (movementId: string, rest = ''): Place => ({
    path: `/operations/${encodeURIComponent(movementId)}${rest}`,
    operation: `/operations/{id}${rest}`,
  });

  const readOutcome = ({ status, body }: Reply, movementId: string): Outcome | undefined =>
    status === 200 ? outcomeOf(body, movementId) : undefined;

  const isNotFound = ({ status, body: { id, state } }: Reply, movementId: string): boolean =>
    status === 404 && id === movementId && state === 'not_found';

  const isForbidden = ({ status, body: { id, state } }: Reply, movementId: string): boolean =>
    status === 200 && id === movementId && state === 'forbidden';

  return {
    name,
    isLocal: false,
    send({ movementId, ...request }: AcquirerRequest) {
      const body = { id: movementId, ...request };
      return ask<Outcome>({ path: '/operations' }, (reply) => readOutcome(reply, movementId), body);
    },
    find(movementId) {
      return ask<Outcome | NotFound>(placeOf(movementId), (reply) =>
        isNotFound(reply, movementId) ? NOT_FOUND : readOutcome(reply, movementId),
      );
    },
    forbid(movementId) {
      const read = (reply: Reply): Outcome | NotFound | undefined =>
        isForbidden(reply, movementId) ? NOT_FOUND : readOutcome(reply, movementId);
      return ask<Outcome | NotFound>(placeOf(movementId, '/forbid'), read, {});
    },
    async book(query) {
      const limits = { ms: Math.max(timeoutMs, BOOK_TIMEOUT_MS), bytes: LONGEST_PAGE_BYTES };
      try {
        const { status, body } = await call({ path: `/book?${searchOf(query)}`, operation: '/book' }, limits);
        if (status !== 200) throw new Error(describeStatus(status));
        return pageOf(body);
      } catch (error) {
        throw new Error(`The book of the acquirer ${name} cannot be read: ${(error as Error).message}.`, {
          cause: error,
        });
      }
    },
  };
}
