// The context of a span: its trace, its id, and whether it is sampled. It is propagated in W3C's traceparent header.
import { randomFillSync } from 'node:crypto';

export type SpanContext = { readonly traceId: string; readonly spanId: string; readonly isSampled: boolean };

const TRACEPARENT = /^([0-9a-f]{2})-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(-.*)?$/;
const ONLY_ZEROS = /^0+$/;
const SAMPLED = 1;

// Filled in bulk, since a few random bytes cost as much as many.
const random = Buffer.alloc(4_096);
let used = random.length;

/** Random bytes in hex, not all zero. */
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

/** Undefined if the header is missing or invalid. */
export function readTraceparent(text: string | string[] | undefined): SpanContext | undefined {
  const [, version, traceId = '', spanId = '', flags = '', more] =
    (typeof text === 'string' && TRACEPARENT.exec(text)) || [];
  if (version === undefined || version === 'ff' || (version === '00' && more !== undefined)) return undefined;
  if (ONLY_ZEROS.test(traceId) || ONLY_ZEROS.test(spanId)) return undefined;
  return { traceId, spanId, isSampled: (Number.parseInt(flags, 16) & SAMPLED) === SAMPLED };
}

export const traceparentOf = ({ traceId, spanId, isSampled }: SpanContext): string =>
  `00-${traceId}-${spanId}-${isSampled ? '01' : '00'}`;

/** Uses a caller's request id as the trace id, if it is 32 hex digits or a GUID. */
export function readTraceId(text: string): string | undefined {
  const digits = text.replaceAll('-', '').toLowerCase();
  return /^[0-9a-f]{32}$/.test(digits) && !ONLY_ZEROS.test(digits) ? digits : undefined;
}
