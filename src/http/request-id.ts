// The id of a request: the caller's own X-Request-Id where it is plain, otherwise one of ours. It stands in the log, in
// the answer's headers and in the text of a 500.
import type { IncomingMessage } from 'node:http';
import { randomBytes } from 'node:crypto';

const PLAIN = /^[\w.-]{1,64}$/;

// Unique per process by its random start; counted from there, since randomness for each request would be waste.
const start = randomBytes(6).toString('hex');
let count = 0;

export function newRequestId(request: Pick<IncomingMessage, 'headers'>): string {
  const given = request.headers['x-request-id'];
  if (typeof given === 'string' && PLAIN.test(given)) return given;
  count += 1;
  return `${start}-${count.toString(36)}`;
}
