// Creates spans: their trace, sampling decision and current context, and their JSON in OTLP
// (https://opentelemetry.io/docs/specs/otlp/). A trace comes with requests as W3C's traceparent, and goes on with calls. An
// unsampled span only costs an id, which is still propagated.
import { AsyncLocalStorage } from 'node:async_hooks';
import { randomBytes } from 'node:crypto';
import type { TracingConfig } from '../../config/tracing.ts';

export type SpanContext = { readonly traceId: string; readonly spanId: string; readonly isSampled: boolean };

export type Attributes = Readonly<Record<string, string | number | boolean | undefined>>;

/** What is known when a span ends; with `error.type` it has failed. */
type Ending = { readonly name: string; readonly attributes?: Attributes };

export type Span = {
  readonly context: SpanContext;
  /** Ends the span, once; its name and attributes are only known then. */
  end(ending: Ending): void;
};

export type Beginning = {
  readonly kind: keyof typeof SPAN_KINDS;
  /** The parent span; null for none; by default the current span. */
  readonly parent?: SpanContext | null | undefined;
  /** The id of a new trace, if it starts one. */
  readonly traceId?: string | undefined;
};

export type Tracer = {
  begin(beginning: Beginning): Span;
  /** The current span. */
  current(): SpanContext | undefined;
  /** Runs the function, including async work, as part of the span. */
  within<Result>(context: SpanContext, work: () => Result): Result;
};

type OutgoingCall = Ending & Pick<Beginning, 'parent'>;

/** Makes an outgoing call with the headers it is given. A call that throws, or has no status, got no response. */
export type Outgoing = <Answer extends { readonly status?: number }>(
  call: OutgoingCall,
  make: (headers: Readonly<Record<string, string>>) => Promise<Answer>,
) => Promise<Answer>;

/** The numbers that OTLP uses. */
const SPAN_KINDS = { server: 2, client: 3 } as const;
const ERROR = 2;
const SAMPLED = 1;
// Longer values are cut, which bounds the size of a span.
const LONGEST_VALUE = 256;
const NS_PER_US = '000';
// Every digit that a number represents exactly.
const RATIO_DIGITS = 13;
const RATIO_RANGE = 16 ** RATIO_DIGITS;

const TRACEPARENT = /^([0-9a-f]{2})-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(-.*)?$/;
const ONLY_ZEROS = /^0+$/;

export const newTraceId = (): string => randomBytes(16).toString('hex');

/** Undefined if it is none, or invalid. */
export function readTraceparent(text: string | string[] | undefined): SpanContext | undefined {
  const [, version, traceId = '', spanId = '', flags = '', more] =
    (typeof text === 'string' && TRACEPARENT.exec(text)) || [];
  if (version === undefined || version === 'ff' || (version === '00' && more !== undefined)) return undefined;
  if (ONLY_ZEROS.test(traceId) || ONLY_ZEROS.test(spanId)) return undefined;
  return { traceId, spanId, isSampled: (Number.parseInt(flags, 16) & SAMPLED) === SAMPLED };
}

export const traceparentOf = ({ traceId, spanId, isSampled }: SpanContext): string =>
  `00-${traceId}-${spanId}-${isSampled ? '01' : '00'}`;

/** A caller's request id as the id of a trace, if it can be one: 32 hex digits, or a GUID. */
export function readTraceId(text: string): string | undefined {
  const digits = text.replaceAll('-', '').toLowerCase();
  return /^[0-9a-f]{32}$/.test(digits) && !ONLY_ZEROS.test(digits) ? digits : undefined;
}

/** OTLP has 64-bit numbers as strings. */
const valueOf = (value: string | number | boolean): object => {
  if (typeof value === 'string') return { stringValue: value.slice(0, LONGEST_VALUE) };
  if (typeof value === 'boolean') return { boolValue: value };
  return Number.isSafeInteger(value) ? { intValue: String(value) } : { doubleValue: value };
};

export const attributesJson = (attributes: Attributes): object[] =>
  Object.entries(attributes).flatMap(([key, value]) => (value === undefined ? [] : [{ key, value: valueOf(value) }]));

const nanosOf = (ms: number): string => `${Math.round(ms * 1_000)}${NS_PER_US}`;

/** All processes decide alike for one trace: by the end of its id, which is random. */
const isWithin = (traceId: string, ratio: number): boolean =>
  Number.parseInt(traceId.slice(-RATIO_DIGITS), 16) / RATIO_RANGE < ratio;

/** `keep` receives each span that is kept, as JSON. */
export function openTracer({ byParent, ratio }: TracingConfig['sampling'], keep: (json: string) => void): Tracer {
  const underWay = new AsyncLocalStorage<SpanContext>();
  return {
    current: () => underWay.getStore(),
    within: (context, work) => underWay.run(context, work),
    begin: ({ kind, parent = underWay.getStore(), traceId: ownId = newTraceId() }) => {
      const traceId = parent?.traceId ?? ownId;
      const spanId = randomBytes(8).toString('hex');
      const isSampled = parent && byParent ? parent.isSampled : isWithin(traceId, ratio);
      const context = { traceId, spanId, isSampled };
      if (!isSampled) return { context, end: () => {} };
      const [startMs, began] = [Date.now(), performance.now()];
      return {
        context,
        end: ({ name, attributes = {} }) => {
          const json = {
            traceId,
            spanId,
            ...(parent && { parentSpanId: parent.spanId }),
            flags: SAMPLED,
            name: name.slice(0, LONGEST_VALUE),
            kind: SPAN_KINDS[kind],
            startTimeUnixNano: nanosOf(startMs),
            // The wall clock may be set meanwhile.
            endTimeUnixNano: nanosOf(startMs + performance.now() - began),
            attributes: attributesJson(attributes),
            ...(attributes['error.type'] !== undefined && { status: { code: ERROR } }),
          };
          keep(JSON.stringify(json));
        },
      };
    },
  };
}

/** Outgoing calls as spans: each carries its traceparent, so that the other side can continue the trace. */
export const outgoingBy =
  (tracer: Tracer): Outgoing =>
  async ({ name, attributes, parent }, make) => {
    const span = tracer.begin({ kind: 'client', parent });
    let status: number | undefined;
    try {
      const answer = await make({ traceparent: traceparentOf(span.context) });
      ({ status } = answer);
      return answer;
    } finally {
      const fault = status === undefined ? 'no_answer' : status >= 400 ? String(status) : undefined;
      span.end({ name, attributes: { ...attributes, 'http.response.status_code': status, 'error.type': fault } });
    }
  };
