// Where a span stands: in which trace, under which id, and whether it is kept. As W3C's traceparent it comes with requests
// and goes on with calls.
import { randomFillSync } from 'node:crypto';

export type SpanContext = { readonly traceId: string; readonly spanId: string; readonly isSampled: boolean };

const TRACEPARENT = /^([0-9a-f]{2})-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(-.*)?$/;
const ONLY_ZEROS = /^0+$/;
const SAMPLED = 1;

// Filled at once, since asking for a few bytes costs as much as asking for many.
const random = Buffer.alloc(4_096);
let used = random.length;

/** So many random bytes in hex, of which not all are zero. */
function randomHex(bytes: number): string {
  for (;;) {
    if (used + bytes > random.length) {
      randomFillSync(random);
      used = 0;
    }
    used += bytes;
    const hex = random.toString('hex', used - bytes, used);
    if (!ONLY_ZEROS.test(hex)) return hex;
  }
}

export const newTraceId = (): string => randomHex(16);
export const newSpanId = (): string => randomHex(8);

/** Undefined where it is none, or says nothing. */
export function readTraceparent(text: string | string[] | undefined): SpanContext | undefined {
  const [, version, traceId = '', spanId = '', flags = '', more] =
    (typeof text === 'string' && TRACEPARENT.exec(text)) || [];
  if (version === undefined || version === 'ff' || (version === '00' && more !== undefined)) return undefined;
  if (ONLY_ZEROS.test(traceId) || ONLY_ZEROS.test(spanId)) return undefined;
  return { traceId, spanId, isSampled: (Number.parseInt(flags, 16) & SAMPLED) === SAMPLED };
}

export const traceparentOf = ({ traceId, spanId, isSampled }: SpanContext): string =>
  `00-${traceId}-${spanId}-${isSampled ? '01' : '00'}`;

/** The id of a trace that somebody else's id of a request can be: 32 hex digits, or a GUID. */
export function readTraceId(text: string): string | undefined {
  const digits = text.replaceAll('-', '').toLowerCase();
  return /^[0-9a-f]{32}$/.test(digits) && !ONLY_ZEROS.test(digits) ? digits : undefined;
}
