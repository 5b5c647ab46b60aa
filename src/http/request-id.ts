// The id of a request: the caller's own X-Request-Id where it is plain, otherwise one of ours: where
// there are traces, the id of its trace (trace-requests.ts). It stands in the log, in the answer's headers and in the text
// of a 500.
import type { IncomingMessage } from 'node:http';
import { randomBytes } from 'node:crypto';

const PLAIN = /^[\w.-]{1,64}$/;

// Unique per process by its random start; counted from there, since randomness for each request would be waste.
const start = randomBytes(6).toString('hex');
let count = 0;

/** The caller's own, where it is plain. */
export function givenRequestId(request: Pick<IncomingMessage, 'headers'>): string | undefined {
  const given = request.headers['x-request-id'];
  return typeof given === 'string' && PLAIN.test(given) ? given : undefined;
}

export function newRequestId(request: Pick<IncomingMessage, 'headers'>): string {
  const given = givenRequestId(request);
  if (given !== undefined) return given;
  count += 1;
  return `${start}-${count.toString(36)}`;
}
