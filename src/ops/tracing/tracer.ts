// Creates spans: their trace, sampling decision and current context. An unsampled span only costs an id, which is still
// propagated.
import { AsyncLocalStorage } from 'node:async_hooks';
import type { TracingConfig } from '../../config/tracing.ts';
import { newSpanId, newTraceId } from './context.ts';
import type { SpanContext } from './context.ts';
import { spanJson } from './span-json.ts';
import type { Attributes, SpanKind } from './span-json.ts';

type Ending = { readonly name: string; readonly attributes?: Attributes; readonly isError?: boolean };

export type Span = {
  readonly context: SpanContext;
  /** Ends the span, once; its name and attributes are only known then. */
  end(ending: Ending): void;
};

export type Beginning = {
  readonly kind: SpanKind;
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

// The monotonic clock drifts from the wall clock.
const SET_CLOCK_EVERY_MS = 10_000;
// As many hex digits as a number holds exactly.
const RATIO_DIGITS = 13;
const RATIO_RANGE = 16 ** RATIO_DIGITS;

/** Decides by the random end of the trace id, so that all processes decide the same. */
const isWithin = (traceId: string, ratio: number): boolean =>
  Number.parseInt(traceId.slice(-RATIO_DIGITS), 16) / RATIO_RANGE < ratio;

/** The wall clock in milliseconds with fractions, monotonic between two adjustments. */
function openClock(): () => number {
  let [setAt, aheadMs] = [Number.NEGATIVE_INFINITY, 0];
  return () => {
    const now = performance.now();
    if (now - setAt > SET_CLOCK_EVERY_MS) [setAt, aheadMs] = [now, Date.now() - now];
    return now + aheadMs;
  };
}

/** `keep` is called with each sampled span, as JSON. */
export function openTracer({ byParent, ratio }: TracingConfig['sampling'], keep: (json: string) => void): Tracer {
  const underWay = new AsyncLocalStorage<SpanContext>();
  const clock = openClock();
  const isKept = (traceId: string, parent: SpanContext | null | undefined): boolean =>
    parent && byParent ? parent.isSampled : isWithin(traceId, ratio);
  return {
    current: () => underWay.getStore(),
    within: (context, work) => underWay.run(context, work),
    begin: ({ kind, parent = underWay.getStore(), traceId = newTraceId() }) => {
      const trace = parent?.traceId ?? traceId;
      const context = { traceId: trace, spanId: newSpanId(), isSampled: isKept(trace, parent) };
      if (!context.isSampled) return { context, end: () => {} };
      const startMs = clock();
      return {
        context,
        end: (ending) =>
          keep(spanJson({ ...ending, context, parent, kind, startMs, endMs: Math.max(clock(), startMs) })),
      };
    },
  };
}
