// The demo shop's backend as a client of the API: real HTTP with the secret key, like any shop's. What was sent and
// answered comes back as a call that can be shown: of the key it holds the end alone.
import { openOutbound } from '../outbound/exchange.ts';
import type { Call } from './journal.ts';

export type ApiAccess = { readonly apiUrl: () => string; readonly secretKey: string };

export type ApiRequest = {
  readonly method: Call['method'];
  readonly path: string;
  readonly operationId: string;
  readonly body?: object;
  readonly idempotencyKey?: string;
};

// The service answers itself; if it does not within this, it is stuck.
const TIMEOUT_MS = 10_000;
// Shorter than Kassa keeps a connection that is idle.
const IDLE_MS = 4_000;
const LONGEST_ANSWER_BYTES = 1_048_576;

const outbound = openOutbound({ idleMs: IDLE_MS });
const KEY_DIGITS = 32;
const SHOWN_DIGITS = 4;

const maskKey = (key: string): string => `${key.slice(0, -KEY_DIGITS)}…${key.slice(-SHOWN_DIGITS)}`;

function readAnswer(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

/** Makes the call. Never throws: a call without an answer is part of the story, too. */
export async function callApi({ apiUrl, secretKey }: ApiAccess, request: ApiRequest): Promise<Call> {
  const { method, path, operationId, body, idempotencyKey } = request;
  const more = {
    ...(body && { 'Content-Type': 'application/json' }),
    ...(idempotencyKey !== undefined && { 'Idempotency-Key': idempotencyKey }),
  };
  const sent = {
    method,
    path,
    operationId,
    headers: { Authorization: maskKey(secretKey), ...more },
    ...(body && { body }),
  };
  const at = Date.now();
  const start = performance.now();
  const elapsed = (): number => Math.round((performance.now() - start) * 10) / 10;
  const exchanged = await outbound.exchange({
    url: new URL(`${apiUrl()}${path}`),
    method,
    headers: { ...more, Authorization: secretKey, CommercePlatformTag: 'kassa-demo' },
    ...(body && { body: JSON.stringify(body) }),
    timeoutMs: TIMEOUT_MS,
    mostBytes: LONGEST_ANSWER_BYTES,
  });
  const { status, failure } = exchanged;
  if (status === undefined || failure) return { ...sent, at, ms: elapsed() };
  const text = exchanged.body.toString('utf8');
  return { ...sent, at, ms: elapsed(), status, ...(text !== '' && { answer: readAnswer(text) }) };
}

/** What an answer that is no success says for itself. */
export function describeFailure({ status, answer }: Call): string {
  if (status === undefined) return 'Kassa did not answer.';
  const { message, errors } = (answer ?? {}) as { message?: unknown; errors?: Readonly<Record<string, unknown>> };
  if (typeof message === 'string') return message;
  const [first] = Object.entries(errors ?? {});
  return first ? `${first[0]} ${[first[1]].flat().join(', ')}.` : '';
}

export const isSuccess = ({ status = 0 }: Call): boolean => status >= 200 && status < 300;
