// Makes spans: which trace they are of, whether they are kept, what is under way here. A span that is not kept costs an
// id, which goes on with calls all the same.
import { AsyncLocalStorage } from 'node:async_hooks';
import type { TracingConfig } from '../../config/tracing.ts';
import { newSpanId, newTraceId } from './context.ts';
import type { SpanContext } from './context.ts';
import { spanJson } from './span-json.ts';
import type { Attributes, SpanKind } from './span-json.ts';

type Ending = { readonly name: string; readonly attributes?: Attributes; readonly isError?: boolean };

export type Span = {
  readonly context: SpanContext;
  /** Once; what it was is known at its end. */
  end(ending: Ending): void;
};

export type Beginning = {
  readonly kind: SpanKind;
  /** What it is part of, null for nothing; by default what is under way here. */
  readonly parent?: SpanContext | null | undefined;
  /** Of the trace that it begins, if it does. */
  readonly traceId?: string | undefined;
};

export type Tracer = {
  begin(beginning: Beginning): Span;
  /** What is under way here. */
  current(): SpanContext | undefined;
  /** Runs it as part of the span, with all that it waits for. */
  within<Result>(context: SpanContext, work: () => Result): Result;
};

// The monotonic clock and that of the day part slowly.
const SET_CLOCK_EVERY_MS = 10_000;
// All digits that a number holds exactly.
const RATIO_DIGITS = 13;
const RATIO_RANGE = 16 ** RATIO_DIGITS;

/** Of one trace all processes decide the same: by the end of its id, which is random. */
const isWithin = (traceId: string, ratio: number): boolean =>
  Number.parseInt(traceId.slice(-RATIO_DIGITS), 16) / RATIO_RANGE < ratio;

/** The time of day in milliseconds, with parts of them, which never goes back between two settings. */
function openClock(): () => number {
  let [setAt, aheadMs] = [Number.NEGATIVE_INFINITY, 0];
  return () => {
    const now = performance.now();
    if (now - setAt > SET_CLOCK_EVERY_MS) [setAt, aheadMs] = [now, Date.now() - now];
    return now + aheadMs;
  };
}

/** `keep` is given each span that is kept, as JSON. */
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
