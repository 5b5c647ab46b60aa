// Outgoing calls as spans, with a traceparent header, so that the callee can continue the trace.
import { traceparentOf } from './context.ts';
import type { SpanContext } from './context.ts';
import type { Attributes } from './span-json.ts';
import type { Tracer } from './tracer.ts';

type OutgoingCall = {
  readonly name: string;
  readonly attributes: Attributes;
  /** The parent span; null for none; by default the current span. */
  readonly parent?: SpanContext | null | undefined;
};

/** Makes a call with the given headers. A call that throws or has no status got no response. */
export type Outgoing = <Answer extends { readonly status?: number }>(
  call: OutgoingCall,
  make: (headers: Readonly<Record<string, string>>) => Promise<Answer>,
) => Promise<Answer>;

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
      span.end({
        name,
        attributes: { ...attributes, 'http.response.status_code': status, 'error.type': fault },
        isError: fault !== undefined,
      });
    }
  };
