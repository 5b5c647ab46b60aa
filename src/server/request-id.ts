// The id of a request: the caller's own X-Request-Id where it is plain, and neither a key of ours nor a card's number;
// otherwise one of ours: where there are traces, the id of its trace (trace-requests.ts). It stands in the log, in the
// answer's headers and in the text of a 500.
import type { IncomingMessage } from 'node:http';
import { randomBytes } from 'node:crypto';
import { readKey } from './auth.ts';
import { holdsWholeCardNumber } from './card-numbers.ts';

const PLAIN = /^[\w.-]{1,64}$/;
const KEY = /(?:secret|checkout)-?key|whsec_/i;

// Unique per process by its random start; counted from there, since randomness for each request would be waste.
const start = randomBytes(6).toString('hex');
let count = 0;

/** The caller's own, where it is plain. */
export function givenRequestId(request: Pick<IncomingMessage, 'headers'>): string | undefined {
  const given = request.headers['x-request-id'];
  if (typeof given !== 'string' || !PLAIN.test(given)) return undefined;
  if (KEY.test(given) || holdsWholeCardNumber(given)) return undefined;
  // The id of a trace is as long as a key without its prefix: what it must not be is the key of the request itself.
  const key = readKey(request.headers.authorization);
  return key !== undefined && given.replaceAll('-', '').toLowerCase().includes(key.digits) ? undefined : given;
}

export function newRequestId(request: Pick<IncomingMessage, 'headers'>): string {
  const given = givenRequestId(request);
  if (given !== undefined) return given;
  count += 1;
  return `${start}-${count.toString(36)}`;
}
