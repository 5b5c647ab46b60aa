// One call of the API: sent, given up in time, tried again where nothing can happen twice, and answered or failed by name.
import type { KeyedOptions } from './call.ts';
import { KassaError } from './kassa-error.ts';
import { mayRetry, pauseAfter, wait } from './retry.ts';

export type ClientOptions = {
  /** Where the service is, such as `http://localhost:8080`; with or without `/v1` at its end. */
  readonly url: string;
  /** The merchant's secret key. Never in a browser. */
  readonly secretKey: string;
  /** How often a call may be tried again; 4 by default. */
  readonly retries?: number | undefined;
  /** How long one try may take; 40 s by default, since the service itself takes up to 30. */
  readonly timeoutMs?: number | undefined;
  /** Sent with every call, such as `CommercePlatformTag`. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** In place of the global one. */
  readonly fetch?: typeof fetch | undefined;
};

export type Call = {
  readonly operation: string;
  readonly method: string;
  /** With its parameters in place. */
  readonly path: string;
  readonly isKeyed: boolean;
  readonly query?: object | undefined;
  readonly body?: unknown;
  readonly options?: KeyedOptions | undefined;
};

type Answer = {
  readonly status: number;
  readonly headers: Headers | undefined;
  readonly text: string;
  readonly cause?: unknown;
};

const RETRIES = 4;
const TIMEOUT_MS = 40_000;

function addressOf(url: string, path: string, query: object = {}): string {
  const filters = Object.entries(query).filter(([, value]) => value !== undefined && value !== null);
  const search = new URLSearchParams(
    filters.map(([name, value]): [string, string] => [name, String(value)]),
  ).toString();
  return `${url.replace(/(?:\/v1)?\/*$/, '')}${path}${search && `?${search}`}`;
}

/** Opens an answer; whatever ends it is passed on as it is. */
export function open(client: ClientOptions, call: Call, signal: AbortSignal): Promise<Response> {
  const { method, path, query, body, options = {}, isKeyed } = call;
  const ask = client.fetch ?? globalThis.fetch;
  return ask(addressOf(client.url, path, query), {
    method,
    signal,
    // A key must not go where a proxy points to.
    redirect: 'manual',
    headers: {
      ...client.headers,
      ...options.headers,
      authorization: client.secretKey,
      ...(isKeyed && options.idempotencyKey !== undefined && { 'idempotency-key': options.idempotencyKey }),
      ...(body !== undefined && { 'content-type': 'application/json' }),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
}

/** One try. That nothing came, or not in time, is an answer as well. */
async function tryOnce(client: ClientOptions, call: Call): Promise<Answer> {
  const { signal, timeoutMs = client.timeoutMs ?? TIMEOUT_MS } = call.options ?? {};
  const controller = new AbortController();
  const end = (): void => controller.abort(signal?.reason);
  const timer = setTimeout(() => controller.abort(new Error(`no answer within ${timeoutMs} ms`)), timeoutMs);
  signal?.addEventListener('abort', end, { once: true });
  try {
    const response = await open(client, call, controller.signal);
    return { status: response.status, headers: response.headers, text: await response.text() };
  } catch (cause) {
    if (signal?.aborted) throw signal.reason;
    return { status: 0, headers: undefined, text: '', cause };
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener('abort', end);
  }
}

/** What was answered, if it is a success. */
function readSuccess({ status, text }: Answer): { readonly value: unknown } | undefined {
  if (status < 200 || status > 299) return undefined;
  if (text === '') return { value: undefined };
  try {
    return { value: JSON.parse(text) as unknown };
  } catch {
    return undefined;
  }
}

/** A key for a call that can have one, so that repeating it is safe. */
function withKey(call: Call): Call {
  if (!call.isKeyed || call.method !== 'POST' || call.options?.idempotencyKey !== undefined) return call;
  return { ...call, options: { ...call.options, idempotencyKey: globalThis.crypto.randomUUID() } };
}

export async function send(client: ClientOptions, given: Call): Promise<unknown> {
  const call = withKey(given);
  const { signal, idempotencyKey, retries = client.retries ?? RETRIES } = call.options ?? {};
  let wasSent = false;
  for (let tries = 1; ; tries += 1) {
    signal?.throwIfAborted();
    const answer = await tryOnce(client, call);
    const success = readSuccess(answer);
    if (success) return success.value;
    // The try before deleted it, and its answer was lost.
    if (wasSent && call.method === 'DELETE' && answer.status === 404) return undefined;
    wasSent ||= answer.status !== 429;
    const pauseMs =
      tries <= retries && mayRetry(answer.status, call.method, call.isKeyed) ? pauseAfter(tries, answer) : undefined;
    const failed = { ...answer, url: client.url, operation: call.operation, idempotencyKey, tries };
    if (pauseMs === undefined) throw new KassaError(failed);
    await wait(pauseMs, signal);
  }
}
