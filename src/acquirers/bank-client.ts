// An acquirer on another machine, over HTTP: `kassa bank`, or anything that speaks as it does. One call is one try with
// a limit of time. What did not come back whole, in time and in the words of the bank is unknown, never a guess; in
// particular a 404 that somebody on the way made up does not count as the bank's word.
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
  /** Where there are traces: whoever makes a span of a call. */
  readonly outgoing?: Outgoing;
};

const NOT_FOUND: NotFound = { result: 'not_found' };

// The answer to an operation has a few hundred bytes; more is not from the bank.
const LONGEST_ANSWER_BYTES = 65_536;
// A page of the book has 500 lines of some 200 bytes.
const LONGEST_PAGE_BYTES = 4_194_304;
// Nobody waits for the book but a person or a job of the night.
const BOOK_TIMEOUT_MS = 30_000;

// It is told to merchants and kept with the movement: a sentence, not a page.
const LONGEST_REASON = 200;

const TOO_MANY = 429;
// The least, also where the bank does not say when to come back.
const AGAIN_AFTER_S = 1;

// Two digits, or a letter and a digit, as the card schemes have them.
const ISSUER_CODE = /^[0-9A-Z]{2}$/;

type Fields = Readonly<Record<string, unknown>>;
/** `operation`: the path without whom it is about, where that differs. */
type Place = { readonly path: string; readonly operation?: string };

type Reply = { readonly status: number; readonly body: Fields; readonly retryAfter: string | undefined };

/** What is no JSON object says nothing. */
function parseObject(text: string): Fields {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? (value as Fields) : {};
  } catch {
    return {};
  }
}

/** Text that can be stored, sent and shown: of one line, and not too long. */
function reasonOf(reason: unknown): string {
  if (typeof reason !== 'string') return 'declined';
  const plain = reason.toWellFormed().replaceAll(/[\p{Cc}\p{Cf}\s]+/gu, ' ');
  return Array.from(plain.trim()).slice(0, LONGEST_REASON).join('').trim() || 'declined';
}

/** The outcome that the body tells of the movement; undefined when it tells none. */
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

/** What an answer that tells no outcome tells all the same. */
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

  /** What the reader makes of the answer; unknown, whatever happens. */
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
        throw new Error(`The book of the acquirer ${name} cannot be had: ${(error as Error).message}.`, {
          cause: error,
        });
      }
    },
  };
}
