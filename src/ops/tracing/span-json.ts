// Spans in OTLP JSON: https://opentelemetry.io/docs/specs/otlp/. 64-bit numbers are strings there.
import type { SpanContext } from './context.ts';

export type Attributes = Readonly<Record<string, string | number | boolean | undefined>>;

/** The numbers of OTLP. */
const SPAN_KINDS = { internal: 1, server: 2, client: 3 } as const;
export type SpanKind = keyof typeof SPAN_KINDS;

type EndedSpan = {
  readonly context: SpanContext;
  readonly parent: SpanContext | null | undefined;
  readonly kind: SpanKind;
  readonly name: string;
  readonly startMs: number;
  readonly endMs: number;
  readonly attributes?: Attributes;
  readonly isError?: boolean;
};

const ERROR = 2;
const SAMPLED_FLAG = 1;
// Longer values are truncated, so that a span has at most a few kilobytes.
const LONGEST_VALUE = 256;
const NS_PER_US = '000';

const valueOf = (value: string | number | boolean): object => {
  if (typeof value === 'string') return { stringValue: value.slice(0, LONGEST_VALUE) };
  if (typeof value === 'boolean') return { boolValue: value };
  return Number.isSafeInteger(value) ? { intValue: String(value) } : { doubleValue: value };
};

export const attributesJson = (attributes: Attributes): object[] =>
  Object.entries(attributes).flatMap(([key, value]) => (value === undefined ? [] : [{ key, value: valueOf(value) }]));

/** To the microsecond, the precision of a number of milliseconds since 1970. */
const nanosOf = (ms: number): string => `${Math.round(ms * 1_000)}${NS_PER_US}`;

export const spanJson = ({ context, parent, kind, name, startMs, endMs, attributes, isError }: EndedSpan): string =>
  JSON.stringify({
    traceId: context.traceId,
    spanId: context.spanId,
    ...(parent && { parentSpanId: parent.spanId }),
    flags: SAMPLED_FLAG,
    name: name.slice(0, LONGEST_VALUE),
    kind: SPAN_KINDS[kind],
    startTimeUnixNano: nanosOf(startMs),
    endTimeUnixNano: nanosOf(endMs),
    attributes: attributesJson(attributes ?? {}),
    ...(isError && { status: { code: ERROR } }),
  });
