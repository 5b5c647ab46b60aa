// Everything that a call may come to but success, under a name: what the service answered, or that it did not.

const NAMES = {
  400: 'InvalidRequest',
  401: 'Unauthorized',
  402: 'Refused',
  403: 'OutOfScope',
  404: 'NotFound',
  405: 'NotAllowed',
  409: 'Conflict',
  413: 'TooLarge',
  415: 'NotJson',
  422: 'KeyReused',
  429: 'TooManyRequests',
  500: 'ServiceFailed',
  502: 'Unavailable',
  503: 'Unavailable',
  504: 'Unavailable',
} as const;

/** `NoAnswer`: nothing came, or not in time. `Unexpected`: something that this API does not answer, of a proxy perhaps. */
export type KassaErrorName = (typeof NAMES)[keyof typeof NAMES] | 'NoAnswer' | 'Unexpected';

export type Failed = {
  readonly operation: string;
  /** Where the service should be. */
  readonly url: string;
  /** 0 where nothing was answered. */
  readonly status: number;
  readonly text: string;
  readonly headers: Headers | undefined;
  /** With which the call was sent; a call that failed is repeated with the same one. */
  readonly idempotencyKey: string | undefined;
  readonly tries: number;
  readonly cause?: unknown;
};

type Body = {
  message?: unknown;
  code?: unknown;
  source?: unknown;
  errors?: Readonly<Record<string, readonly string[]>>;
};

function readBody(text: string): Body {
  try {
    const body: unknown = JSON.parse(text);
    return typeof body === 'object' && body !== null ? body : {};
  } catch {
    return {};
  }
}

const textOr = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined);

function nameOf(status: number): KassaErrorName {
  if (status === 0) return 'NoAnswer';
  return (NAMES as Readonly<Record<number, KassaErrorName>>)[status] ?? (status > 500 ? 'Unavailable' : 'Unexpected');
}

// Of what fetch throws, the innermost error says what happened: "fetch failed" does not.
function reasonOf(cause: unknown): string {
  let innermost = cause;
  while (innermost instanceof Error && innermost.cause instanceof Error) innermost = innermost.cause;
  const { code, message } = (innermost ?? {}) as { code?: unknown; message?: unknown };
  if (code === 'ERR_SSL_WRONG_VERSION_NUMBER') return 'it speaks http, and url begins with https';
  return textOr(message) || (textOr(code) ?? '');
}

/** What was answered without a word, or by something that is no Kassa, with what to look at. */
function explain({ url, status, cause }: Failed): string {
  const at = new URL(url).origin;
  const reason = reasonOf(cause);
  if (status === 0)
    return `no answer from ${at}${reason && ` (${reason})`}. Is Kassa running there, and can this machine reach it?`;
  if (status === 401)
    return `${at} does not know the secret key (401). Is it of this Kassa, whole, and neither revoked nor a checkout key?`;
  if (status === 404) return `not found at ${at} (404). Is the id of this merchant?`;
  return `${at} answered ${status}${status < 500 ? ', as Kassa does not. Is url the address of Kassa?' : ''}`;
}

const explainReplay = ({ idempotencyKey }: Failed): string =>
  `(Replayed: an earlier request with the idempotency key ${idempotencyKey} got this answer, and nothing was tried again. A new try needs a new key.)`;

export class KassaError extends Error {
  override readonly name: KassaErrorName;
  /** Of the operation, such as `chargePayment`. */
  readonly operation: string;
  /** Of HTTP; 0 where nothing was answered. */
  readonly status: number;
  /** Such as `1022`, if the service sent one. */
  readonly code: string | undefined;
  /** `internal`, or the acquirer that said no. */
  readonly source: string | undefined;
  /** What is wrong with each field of the request, by its path; empty where it is not about fields. */
  readonly fields: Readonly<Record<string, readonly string[]>>;
  /** By which the log of the service knows the request. */
  readonly requestId: string | undefined;
  /** With which the call was sent; to learn what came of it, send the same once more with it. */
  readonly idempotencyKey: string | undefined;
  /** Whether an earlier request with this key was refused, and this is its answer: nothing was tried again. */
  readonly replayed: boolean;
  readonly tries: number;

  constructor(failed: Failed) {
    const { message, code, source, errors = {} } = readBody(failed.text);
    const wrong = Object.entries(errors).map(([field, texts]) => `${field} ${texts.join(', ')}`);
    const said = textOr(message) ?? (wrong.join('; ') || explain(failed));
    const replayed = failed.headers?.has('idempotent-replayed') ?? false;
    const again = replayed ? ` ${explainReplay(failed)}` : '';
    super(`${failed.operation}: ${said}${again}`, failed.cause === undefined ? {} : { cause: failed.cause });
    this.name = nameOf(failed.status);
    this.operation = failed.operation;
    this.status = failed.status;
    this.code = textOr(code);
    this.source = textOr(source);
    this.fields = errors;
    this.requestId = failed.headers?.get('x-request-id') ?? undefined;
    this.idempotencyKey = failed.idempotencyKey;
    this.replayed = replayed;
    this.tries = failed.tries;
  }
}
