// The id of a request: the caller's X-Request-Id if it is plain and neither one of our keys nor a card number; otherwise
// a new one, which is the trace id if tracing is on (trace-requests.ts). It appears in the log, in the response's
// headers and in the text of a 500.
import type { IncomingMessage } from 'node:http';
import { randomBytes } from 'node:crypto';
import { readKey } from './auth.ts';
import { holdsWholeCardNumber } from './card-numbers.ts';

const PLAIN = /^[\w.-]{1,64}$/;
const KEY = /(?:secret|checkout)-?key|whsec_/i;

// Unique per process by a random prefix, then counted: randomness for each request would be waste.
const start = randomBytes(6).toString('hex');
let count = 0;

/** The caller's own id, if it is plain. */
export function givenRequestId(request: Pick<IncomingMessage, 'headers'>): string | undefined {
  const given = request.headers['x-request-id'];
  if (typeof given !== 'string' || !PLAIN.test(given)) return undefined;
  if (KEY.test(given) || holdsWholeCardNumber(given)) return undefined;
  // A trace id is as long as a key without its prefix; it must not be the key of the request itself.
  const key = readKey(request.headers.authorization);
  return key !== undefined && given.replaceAll('-', '').toLowerCase().includes(key.digits) ? undefined : given;
}

export function newRequestId(request: Pick<IncomingMessage, 'headers'>): string {
  const given = givenRequestId(request);
  if (given !== undefined) return given;
  count += 1;
  return `${start}-${count.toString(36)}`;
}
